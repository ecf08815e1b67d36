"""Every method learns, for every task and learner; what is shared between folds changes nothing."""

import numpy as np
import pytest
from mkl_problems import KERNELS, make_problem, rows_and_target
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

import kernelect as ke
from kernelect._data.target import Target
from kernelect.mkl._methods import METHODS


def estimator(task, *args, **parameters):
    kind = ke.MKLRegressor if task == "regression" else ke.MKLClassifier
    return kind(*args, **parameters)


@pytest.mark.parametrize("learner", ["svm", "lssvm"])
@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore:the weights of align_linear make an indefinite sum")
def test_every_method(method, task, learner):
    x, y, _ = rows_and_target(task, n=60)
    found = estimator(task, method, KERNELS, learner=learner, C=5.0, tol=1e-3).fit(x, y)
    assert found.converged_
    assert found.gap_ >= 0.0
    assert found.n_iter_ >= 1
    assert len(found.weights_) == len(found.kernels_) >= 1
    # The spectral measure knows nothing of the machine; its kernel need only beat the larger class.
    floor = np.bincount(y).max() / len(y) if method == "sm" and task != "regression" else 0.5
    assert found.score(x, y) > floor
    # The learned kernel, in any machine, gives the same outputs.
    K = found.kernel_(x, found.X_fit_)
    outputs = K @ found.dual_coef_.T + found.intercept_
    if task == "regression":
        assert found.predict(x) == pytest.approx(outputs[:, 0])
    elif task == "binary":
        assert found.decision_function(x) == pytest.approx(outputs[:, 0])
    else:
        assert found.decision_function(x) == pytest.approx(outputs)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore:the weights of align_linear make an indefinite sum")
def test_default_kernels_on_real_rows(method):
    x, y = load_iris(return_X_y=True)
    x = StandardScaler().fit_transform(x)
    found = ke.MKLClassifier(method).fit(x, y)  # no warning
    assert len(found.candidate_weights_) == 41
    assert found.converged_
    assert found.gap_ <= 1e-4 * max(1.0, abs(found.objective_path_[-1]))
    # Alignment likes a wide kernel here, which is small beside C = 1.
    assert found.score(x, y) >= (0.9 if method.startswith("align") else 0.95)


@pytest.mark.parametrize("penalty", ["l1", "l2"])
@pytest.mark.parametrize("task", ["binary", "regression"])
def test_products_of_gaussians(task, penalty):
    x, y, _ = rows_and_target(task, n=60)
    found = estimator(
        task, "gmkl", form="product", penalty=penalty, C=5.0, tol=1e-3, max_iter=500
    ).fit(x, y)
    assert found.converged_
    assert (np.diff(found.objective_path_) < 0).all()
    product = np.prod([kernel(x) for kernel in found.kernels_], axis=0)
    assert found.kernel_(x) == pytest.approx(product)
    assert found.score(x, y) > 0.5


def test_square_of_the_learned_sum():
    x, y, _ = rows_and_target("binary")
    found = ke.MKLClassifier("nlmkl", KERNELS, p=2).fit(x, y)
    total = sum(w * k(x) for w, k in zip(found.weights_, found.kernels_, strict=True))
    assert found.kernel_(x) == pytest.approx(total**2)
    assert np.linalg.norm(found.candidate_weights_) == pytest.approx(1.0)


@pytest.mark.parametrize("p", [1, 2])
def test_nlmkl_is_not_above_other_starts(p):
    found = METHODS["nlmkl"](make_problem("binary", p=p))
    given = make_problem("binary", p=p)
    rng = np.random.default_rng(0)
    for _ in range(50):
        mu = rng.dirichlet(0.5 * np.ones(len(KERNELS)))
        mu /= np.linalg.norm(mu, ord=p)
        total = given.stack.combine(mu)
        solution = given.machine.solve_to(total**2, 1e-8)
        value = solution.h - 0.5 * float((solution.z @ total**2 @ solution.z.T).item())
        assert value >= found.path[-1] - 1e-6


@pytest.mark.parametrize("task", ["binary", "regression"])
def test_alignment_is_the_best_among_sums(task):
    x, y, _ = rows_and_target(task)
    name = "regression" if task == "regression" else "classification"

    def alignment(weights):
        kernel = ke.kernels.WeightedSum(KERNELS, weights)
        return ke.evaluate(x, y, [kernel], ["ckta"], task=name).scores["ckta"][0]

    found = estimator(task, "alignf", KERNELS).fit(x, y)
    best = alignment(found.candidate_weights_)
    assert found.objective_path_[-1] == pytest.approx(best, rel=1e-9)
    rng = np.random.default_rng(0)
    for _ in range(50):
        assert alignment(rng.dirichlet(np.ones(len(KERNELS)))) <= best + 1e-12
    single = [ke.evaluate(x, y, [k], ["ckta"], task=name).scores["ckta"][0] for k in KERNELS]
    own = estimator(task, "align", KERNELS).fit(x, y).candidate_weights_
    assert own == pytest.approx(np.array(single) / np.linalg.norm(single), rel=1e-9)


@pytest.mark.parametrize("r", [1, 2, 3, 4])
def test_spectral_measure_is_not_below_single_kernels_and_mixtures(r):
    x, y, _ = rows_and_target("binary")
    found = ke.MKLClassifier("sm", KERNELS, r=r).fit(x, y)
    criterion = ke.criteria.SM(r=r)

    def measure(kernel):
        return ke.evaluate(x, y, [kernel], [criterion]).scores[criterion.key][0]

    best = measure(found.kernel_)
    assert found.objective_path_[-1] == pytest.approx(best, rel=1e-9)
    rng = np.random.default_rng(0)
    others = [*np.eye(len(KERNELS)), *rng.dirichlet(np.ones(len(KERNELS)), size=20)]
    for weights in others:
        assert measure(ke.kernels.WeightedSum(KERNELS, weights)) <= best * (1.0 + 1e-6)


def test_spectral_measure_may_elect_a_kernel_of_low_rank():
    # Four overlapping classes: the cosine kernel, of rank 3, has the most concentrated spectrum,
    # and the machine can tell apart less with it than with the others. As documented.
    x, y, _ = rows_and_target("multiclass", n=60)
    found = ke.MKLClassifier("sm", KERNELS, C=5.0).fit(x, y)
    scores = ke.evaluate(x, y, KERNELS, ["sm"]).scores["sm"]
    assert found.candidate_weights_.tolist() == np.eye(4)[np.argmax(scores)].tolist()
    assert found.kernels_ == [ke.normalized(ke.Linear())]
    assert found.score(x, y) < ke.MKLClassifier("average", KERNELS, C=5.0).fit(x, y).score(x, y)


def test_stability_is_not_above_single_kernels():
    given = make_problem("binary")
    found = METHODS["ks"](given)
    from kernelect.mkl._methods.stability import StabilityObjective

    objective = StabilityObjective(given)
    for corner in np.eye(len(KERNELS)):
        assert found.path[-1] <= objective(given.stack.combine(corner))[0] + 1e-9


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression"])
def test_cross_validation_chooses_as_separate_fits_do(task, monkeypatch):
    monkeypatch.setattr(Target, "unit", 1.0)  # that of all rows, not of each fold's own
    x, y, _ = rows_and_target(task, n=60)
    lams, counts = [0.5, 8.0, 64.0], [2, 5]
    chosen = estimator(task, "fkl", KERNELS, lam=lams, t=counts, cv=3, tol=1e-7).fit(x, y)
    results = chosen.cv_results_
    assert list(zip(results["lam"], results["t"], strict=True)) == [
        (lam, t) for lam in lams for t in counts
    ]
    from kernelect._data.folds import make_fold_sets

    for lam, t, error in zip(results["lam"], results["t"], results["error"], strict=True):
        wrong = []
        for test in make_fold_sets(3, make_problem(task, n=60).target)[0]:
            train = np.setdiff1d(np.arange(60), test)
            one = estimator(task, "fkl", KERNELS, lam=lam, t=int(t), tol=1e-7)
            predicted = one.fit(x[train], y[train]).predict(x[test])
            wrong.append(
                (predicted - y[test]) ** 2 if task == "regression" else predicted != y[test]
            )
        assert np.concatenate(wrong).mean() == pytest.approx(error, rel=1e-3, abs=1e-9)
    best = np.flatnonzero((results["lam"] == chosen.lam_) & (results["t"] == chosen.t_))[0]
    assert results["error"][best] == results["error"].min()
    again = estimator(task, "fkl", KERNELS, lam=chosen.lam_, t=chosen.t_, tol=1e-7).fit(x, y)
    assert chosen.objective_path_[-1] == pytest.approx(again.objective_path_[-1], rel=1e-6)


def test_cross_validation_takes_a_splitter_and_the_grids_of_the_paper():
    x, y, _ = rows_and_target("binary", n=60)
    splitter = StratifiedKFold(4, shuffle=True, random_state=1)
    found = ke.MKLClassifier("fkl", KERNELS, lam="cv", t="cv", cv=splitter).fit(x, y)
    assert len(found.cv_results_["error"]) == 44
    assert found.lam_ in 2.0 ** np.arange(-5, 6)
    assert found.t_ in (2, 4, 8, 16)


def test_shared_weights_of_classes_minimise_the_sum_of_their_machines():
    given = make_problem("multiclass")
    found = METHODS["simple"](given)
    from kernelect.mkl._solvers.convex import Oracle

    total = 0.0
    for column in given.machine.targets:
        one = make_problem("multiclass")
        one.machine.targets = column[None, :]
        total += Oracle(one.stack, one.machine).point(found.weights).value
    assert found.path[-1] == pytest.approx(total, rel=1e-6)
