"""No argument is ignored without a word: it changes what comes out, or a warning names it."""

import numpy as np
import pytest
from sklearn.svm import SVC
from unused_arguments import (
    CRITERIA,
    ELECTING,
    GRID,
    elected,
    evaluated,
    other_arguments,
    outcome,
    walk,
)

import kernelect as ke
from kernelect.mkl._methods import METHODS

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
Y = (np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * RNG.normal(size=40) > 0).astype(int)
# Another value than the default for each argument of a call that concerns its criteria.
ARGUMENTS = {**other_arguments(X), "scoring": "roc_auc"}


@pytest.mark.parametrize("name", ARGUMENTS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_evaluate(criterion, name):
    scores = evaluated(X, Y, criterion)
    walk(lambda: scores(**{name: ARGUMENTS[name]}), scores, name, "evaluate", criterion)


@pytest.mark.parametrize("name", ARGUMENTS)
@pytest.mark.parametrize("criterion", ["auto", *ELECTING])
def test_select(criterion, name):
    decisive = elected(X, Y, criterion)
    walk(lambda: decisive(**{name: ARGUMENTS[name]}), decisive, name, "select", criterion)


@pytest.mark.parametrize("name", sorted({*ARGUMENTS, "task", "landmarks"} - {"sample_weight"}))
@pytest.mark.parametrize("C", [None, "auto"])
@pytest.mark.parametrize("criterion", ["auto", "sm", "loo", "cv"])
@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
def test_selector(criterion, C, name):
    others = {"lam": [0.1, 1.0, 10.0], "task": "regression", "landmarks": 10}
    value = {**ARGUMENTS, **others}[name]
    grid = {} if C is None else {"lam": np.geomspace(0.1, 10.0, 50).tolist()}

    def fitted(groups=None, **given):
        kernels = ke.gaussian_grid(-1, 3, 0.5)
        selector = ke.KernelSelector(SVC(), kernels, criterion, C=C, **{**grid, **given})
        model = selector.fit(X, Y, groups=groups)
        chosen = model.result_
        return model.best_params_, chosen.index, chosen.table.scores[chosen.decisive].tolist()

    walk(lambda: fitted(**{name: value}), fitted, name, "selector", criterion, C)


@pytest.mark.parametrize("kernel", ["auto", ke.Gaussian(2.0)])
@pytest.mark.parametrize("lam", ["auto", 1.0])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, ARGUMENTS[name]) for name in ("lam_convention", "bias", "folds", "groups")),
        ("kernel_scaling", "trace"),
        ("lam_per_target", True),
        ("solver", "landmarks"),
        ("landmarks", 20),
        ("tol", 0.1),
        ("max_passes", 3),
    ],
)
def test_learners(kernel, lam, name, value):
    y = np.column_stack([X[:, 0] ** 2, np.sin(3 * X[:, 1])])
    y += 0.3 * np.random.default_rng(0).normal(size=y.shape)

    def fitted(groups=None, **given):
        model = ke.LSSVMRegressor(kernel, lam=lam, **given).fit(X, y, groups=groups)
        found = getattr(model, "selection_", None)
        losses = None if found is None else found.table.scores[found.decisive].tolist()
        return repr(model.kernel_), np.ravel(model.lam_).tolist(), model.dual_coef_.tolist(), losses

    if (name, lam) == ("kernel_scaling", 1.0) and kernel != "auto":
        kernel = ke.Polynomial(2)  # of a trace other than n
    if (name, lam) == ("kernel_scaling", 1.0) and kernel == "auto":
        pytest.skip("a Gaussian's trace is n already")
    walk(lambda: fitted(**{name: value}), fitted, name, "learner", kernel, lam)


@pytest.mark.parametrize("criterion", ["auto", *ELECTING])
def test_a_seed_may_have_nothing_to_draw(criterion):
    """The one exception: of a seed nothing is said, as in scikit-learn."""
    decisive = elected(X, Y, criterion)
    usual, _ = outcome(decisive, "random_state")
    found, said = outcome(lambda: decisive(random_state=7), "random_state")
    draws = criterion in ("cv", "bif", "ks")
    assert (found == usual, said) == (not draws, False)


def test_what_is_no_seed_is_refused_where_nothing_is_drawn():
    for action in (
        lambda: ke.evaluate(X, Y, GRID, "sm", random_state="soon"),
        lambda: ke.select(X, Y, GRID, "sm", random_state=-1),
        lambda: ke.refine(X, Y, random_state=0.5),
        lambda: ke.KernelSelector(SVC(), GRID, "sm", random_state="soon").fit(X, Y),
    ):
        with pytest.raises(ValueError, match="random_state must be None, a whole number"):
            action()


def test_given_pairs_leave_nothing_to_groups():
    pairs = [(np.arange(20, 40), np.arange(20)), (np.arange(20), np.arange(20, 40))]
    for action in (
        lambda: ke.evaluate(X, Y, GRID, "cv", folds=pairs, groups=ARGUMENTS["groups"]),
        lambda: ke.select(X, Y, GRID, folds=pairs, groups=ARGUMENTS["groups"]),
        lambda: ke.LSSVMClassifier("auto", folds=pairs).fit(X, Y, groups=ARGUMENTS["groups"]),
    ):
        with pytest.warns(UserWarning, match="groups plays no part where folds are pairs"):
            action()
    own = ke.criteria.CV(folds=4)
    with pytest.warns(UserWarning, match="folds plays no part in cv"):
        ke.evaluate(X, Y, GRID, own, folds=3)


SETTINGS = {
    "lam": 3.0,
    "t": 2,
    "cv": 4,
    "projection": "paper",
    "p": 1.5,
    "form": "product",
    "penalty": "l2",
    "penalty_weight": 0.1,
    "r": 3,
    "normalization": "sum",
    "eta": 3.0,
    "folds": 3,
}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore:the weights of align_linear")
def test_kernel_learning(method, name):
    value = 2 if (method, name) == ("nlmkl", "p") else SETTINGS[name]
    kernels = None if (method, name) == ("gmkl", "form") else [*GRID, ke.Polynomial(2)]

    def learned(**given):
        own = kernels if kernels is None or given else [*GRID, ke.Polynomial(2)]
        model = ke.MKLClassifier(method, own, **given).fit(X, Y)
        return model.candidate_weights_.tolist(), model.objective_path_.tolist()

    if name == "p" and method in ("sm", "ks"):
        kernels = kernels[:-1]  # a single winner would have weight 1 by any norm
    walk(lambda: learned(**{name: value}), learned, name, method, kernels is None)


@pytest.mark.parametrize("learner", ["svm", "lssvm"])
@pytest.mark.parametrize("kind", [ke.MKLRegressor, ke.InfiniteMKLRegressor])
def test_epsilon_of_kernel_learning(kind, learner):
    y = X[:, 0] + np.sin(2 * X[:, 1])

    def learned(**given):
        own = {"kernels": GRID} if kind is ke.MKLRegressor else {}
        return kind(learner=learner, **own, **given).fit(X, y).predict(X).tolist()

    walk(lambda: learned(epsilon=0.5), learned, "epsilon", kind, learner)


def test_t_of_kernel_learning_without_lambda():
    def learned(**changed):
        return ke.MKLClassifier("fkl", GRID, lam=0.0, **changed).fit(X, Y).weights_.tolist()

    walk(lambda: learned(t=3), learned, "t", "fkl", "lam=0")
    with pytest.warns(UserWarning, match="t plays no part where lam is 0"):
        learned(t=3)


@pytest.mark.parametrize("name", ["lam", "t"])
@pytest.mark.parametrize(
    ("method", "given"), [("ifkl", {}), ("ifkl", {"lam": 0.0}), ("ikl", {})], ids=str
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_infinite_kernel_learning(name, method, given):

    def learned(**changed):
        model = ke.InfiniteMKLClassifier(method, max_rounds=2, **{**given, **changed})
        model.fit(X, Y)
        return model.weights_.tolist(), model.objective_path_.tolist()

    walk(lambda: learned(**{name: SETTINGS[name]}), learned, name, "infinite", method, str(given))
