"""C of a support vector machine, judged by folds of the machine itself; elections on a part."""

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold
from sklearn.svm import SVC, SVR, NuSVR

import kernelect as ke
from kernelect._support.deadline import Deadline
from kernelect.selector import _fold_rows, _pairs, _part, _rows

GRID = ke.gaussian_grid(-3, 3)
# What a machine that is hardly better than the larger class says is not of interest here.
pytestmark = pytest.mark.filterwarnings("ignore:SVC with the elected kernel predicts hardly better")


@pytest.fixture
def data():
    random = np.random.default_rng(0)
    X = random.normal(size=(150, 3))
    noisy = np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * random.normal(size=150)
    return X, noisy, np.digitize(noisy, [-0.7, 0.7])


def fitted(model, X, y, **given):
    return ke.KernelSelector(model, GRID, C="auto", **given).fit(X, y)


def scores(machine, X, y, folds):
    """The slow twin: what scikit-learn's score says about every fold."""
    return [machine.fit(X[a], y[a]).score(X[b], y[b]) for a, b in folds]


def hinges(machine, X, y, folds):
    """The slow twin: minus the mean squared hinge loss, from a machine for every two classes."""
    found = []
    for a, b in folds:
        losses = []
        for x, label in zip(X[b], y[b], strict=True):
            each = []
            for other in set(y) - {label}:
                two = a[np.isin(y[a], [label, other])]
                decided = machine.fit(X[two], y[two] == label).decision_function([x])[0]
                each.append(max(0.0, 1.0 - decided) ** 2)
            losses.append(np.mean(each))
        found.append(-np.mean(losses))
    return found


@pytest.mark.parametrize("classes", [2, 3])
def test_classes_by_honest_folds(data, classes):
    X, _, y = (array[::2] for array in data)
    y = np.array(["c", "a", "b"])[np.minimum(y, classes - 1)]
    found = fitted(SVC(), X, y)
    told = found.fold_results_
    folds = list(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y))
    elected = found.result_.params_for(SVC)
    C, gamma = elected["C"], elected["gamma"]
    assert told["C"] == pytest.approx([C, C / 4, 4 * C, C, C])
    assert told["gamma"] == pytest.approx([gamma, gamma, gamma, 2 * gamma, gamma / 2])
    for place, own in enumerate(told["split_test_score"]):
        machine = SVC(C=told["C"][place], gamma=told["gamma"][place], tol=1e-6)
        assert own == pytest.approx(hinges(machine, X, y, folds), rel=1e-2)
    assert told["mean_test_score"] == pytest.approx(told["split_test_score"].mean(axis=1))
    best = told["best_index"]
    assert best == np.argmax(told["mean_test_score"])
    for name in ("C", "gamma"):
        assert found.best_params_[name] == told[name][best]
        assert found.best_params_[name] == getattr(found.best_estimator_, name)
    assert found.best_kernel_ == GRID[found.best_index_]
    assert found.best_kernel_.params_for(SVC)["gamma"] == found.best_params_["gamma"]


def test_a_neighbour_of_the_winner_may_win(data, monkeypatch):
    X, _, y = data
    elected = fitted(SVC(), X, y).result_
    monkeypatch.setattr(_pairs, "FACTORS", (1e-9, 1e-9, 1e-9))
    found = fitted(SVC(), X, y)
    assert found.result_.index == elected.index
    assert abs(found.best_index_ - elected.index) == 1
    assert found.best_kernel_ == GRID[found.best_index_]
    assert found.best_estimator_.gamma == found.best_kernel_.params_for(SVC)["gamma"]
    assert found.best_params_["C"] == elected.params_for(SVC)["C"]


@pytest.mark.parametrize(
    "kernels",
    [[ke.Gaussian(1.0), ke.Gaussian(8.0)], [ke.Laplacian(2.0**k) for k in range(-2, 3)]],
    ids=["two", "no rbf"],
)
def test_kernels_that_were_not_asked_for_are_not_tried(data, kernels):
    X, _, y = data
    found = ke.KernelSelector(SVC(), kernels, C="auto").fit(X, y)
    assert len(found.fold_results_["C"]) == 3
    assert "gamma" not in found.fold_results_
    assert found.best_kernel_ == found.result_.kernel


def test_of_many_rows_one_fold_is_enough(data, monkeypatch):
    X, numbers, y = data
    monkeypatch.setattr(_pairs, "ENOUGH", 60)
    assert fitted(SVC(), X, y, refit=False).fold_results_["split_test_score"].shape == (5, 2)
    assert fitted(SVC(), X, y, folds=3).fold_results_["split_test_score"].shape == (5, 3)
    assert fitted(SVR(), X, numbers).fold_results_["split_test_score"].shape == (3, 3)


def test_rows_of_a_class_that_was_not_learnt():
    losses = _fold_rows.squared_hinge(
        np.array([0.5, 0.5, 9.0]), np.array([3, 4]), np.array([3, 4, 5])
    )
    assert losses == pytest.approx([2.25, 0.25, 1.0])


@pytest.mark.parametrize("model", [SVR(), NuSVR()])
def test_numbers_by_honest_folds(data, model):
    X, y, _ = data
    found = fitted(model, X, y, refit=False)
    told = found.fold_results_
    folds = list(KFold(3, shuffle=True, random_state=0).split(X, y))
    elected = found.result_.params_for(model)
    for C, own in zip(told["C"], told["split_test_score"], strict=True):
        machine = type(model)(**{**elected, "C": C})
        assert own == pytest.approx(scores(machine, X, y, folds))
    assert not hasattr(found, "X_fit_")


def test_what_is_clearly_better_is_taken(data, monkeypatch):
    X, y, _ = data
    monkeypatch.setattr(_pairs, "FACTORS", (1e-6, 1e-6, 1.0))
    found = fitted(SVR(), X, y)
    told = found.fold_results_
    assert told["best_index"] == 2
    assert told["standard_errors"][:2] == pytest.approx([0.0, 0.0])
    assert told["standard_errors"][2] > 5.0
    assert found.best_params_["C"] == found.result_.params_for(SVR)["C"]
    monkeypatch.setattr(_pairs, "CLEARLY", 100.0)
    assert fitted(SVR(), X, y).fold_results_["best_index"] == 0


def test_folds_and_groups_of_the_caller(data):
    X, y, classes = data
    groups = np.arange(150) // 5
    found = fitted(SVR(), X, y, folds=4, refit=False).fold_results_
    assert found["split_test_score"].shape == (3, 4)
    splits = GroupKFold(5).split(X, y, groups)
    found = ke.KernelSelector(SVR(), GRID, C="auto", folds=GroupKFold(5), refit=False)
    told = found.fit(X, y, groups=groups).fold_results_
    machine = SVR(**found.result_.params_for(SVR))
    assert told["split_test_score"][0] == pytest.approx(scores(machine, X, y, splits))
    rare = np.r_[classes[:-1], 9]  # a class of one row, of which there are no folds
    with pytest.warns(UserWarning, match="class 9 has a single member"):
        assert fitted(SVC(), X, rare, refit=False).fold_results_ is None


def test_rows_of_no_weight_are_not_there(data):
    X, _, y = data
    weights = np.where(np.arange(150) % 7 == 0, 0.0, 1.0 + np.arange(150) % 2)
    kept = weights > 0
    model = ke.KernelSelector(SVC(class_weight="balanced"), GRID, C="auto")
    whole = model.fit(X, y, sample_weight=weights)
    told, params = whole.fold_results_, whole.best_params_
    fewer = model.fit(X[kept], y[kept], sample_weight=weights[kept])
    # Balanced weights of all rows count those of no weight too, so that only the folds are equal.
    assert told["split_test_score"].shape == fewer.fold_results_["split_test_score"].shape
    assert params["gamma"] == fewer.best_params_["gamma"]
    own = ke.KernelSelector(SVC(), GRID, C="auto")
    first = own.fit(X, y, sample_weight=weights).fold_results_
    second = own.fit(X[kept], y[kept], sample_weight=weights[kept]).fold_results_
    for name, value in first.items():
        assert value == pytest.approx(second[name])


def test_matrices(data):
    X, _, y = data
    by_rows = fitted(SVC(), X, y).fold_results_
    stack = np.array([kernel(X) for kernel in GRID])
    found = ke.KernelSelector(SVC(), "precomputed", C="auto").fit(stack, y).fold_results_
    assert found["split_test_score"] == pytest.approx(by_rows["split_test_score"][:3], rel=1e-4)


@pytest.mark.parametrize(
    "given",
    [{"lam": 0.5}, {"scoring": "f1"}, {"rule": "one_se"}, {"criterion": "sm"}],
    ids=str,
)
def test_not_where_the_caller_says_otherwise(data, given):
    X, _, y = data
    found = fitted(SVC(), X, y == 1, refit=False, **given)
    assert found.fold_results_ is None
    assert found.best_params_["C"] > 0.0


def test_no_time_for_folds(data):
    X, _, y = data
    options = {"folds": None, "groups": None, "task": "auto", "random_state": 0}
    rows = _fold_rows.Rows(X, False, y, {}, None)
    with pytest.warns(UserWarning, match="was reached before folds of SVC had judged C"):
        assert _pairs.judge_pairs(SVC(), rows, options, Deadline(1e-9)) is None
    ample = _pairs.judge_pairs(SVC(), rows, options, Deadline(1e6))
    assert ample["best_index"] in (0, 1, 2)


@pytest.mark.parametrize("convention", ["sum", "mean"])
def test_elections_on_a_part(data, monkeypatch, convention):
    X, numbers, y = data
    monkeypatch.setattr(_part, "_ENOUGH", {"classification": 90, "regression": 90})
    found = fitted(SVC(), X, y, lam_convention=convention)
    assert found.election_rows_ == 90
    assert found.best_estimator_.shape_fit_ == X.shape
    options = {"folds": None, "landmarks": "auto", "task": "classification"}
    places = _part.places_of_part(y, options)
    shares = np.bincount(y[places]) / 90 - np.bincount(y) / 150
    assert np.abs(shares).max() < 0.02
    alone = ke.select(X[places], y[places], GRID, lam="auto", lam_convention=convention)
    assert found.result_ == alone
    assert found.fold_results_["C"][0] == pytest.approx(alone.params_for(SVC)["C"])
    again = fitted(SVC(), X, y, lam_convention=convention)
    assert again.best_params_ == found.best_params_
    # The band of a regression follows the rows of the fit.
    wider = fitted(SVR(), X, numbers, refit=False)
    assert wider.best_params_["epsilon"] < wider.result_.params_for(SVR)["epsilon"]
    # Weights and groups go with their rows.
    weighted = ke.KernelSelector(SVC(), GRID, C="auto", refit=False)
    weighted.fit(X, y, sample_weight=1.0 + np.arange(150) % 2, groups=np.arange(150) // 3)
    assert weighted.election_rows_ == 90
    # Splits and landmarks of the caller's are of all rows, and so is what has no C to judge.
    for whole in ({"folds": KFold(3)}, {"landmarks": 150}, {"lam": 1.0}, {"landmarks": None}):
        assert fitted(SVC(), X, y, refit=False, **whole).election_rows_ == 150


def test_no_larger_c_where_the_elected_one_takes_many_iterations(monkeypatch):
    X = np.random.default_rng(0).normal(size=(80, 3))
    y = np.sin(2.0 * X[:, 0]) + 0.1 * np.sin(np.arange(80.0))
    few = fitted(SVR(), X, y).fold_results_
    assert few["C"].tolist() == pytest.approx([few["C"][0] * factor for factor in (1.0, 0.25, 4.0)])
    monkeypatch.setattr(_pairs, "_COSTLY", 0.0)
    many = fitted(SVR(), X, y).fold_results_
    assert many["C"].tolist() == few["C"][:2].tolist()
    assert many["split_test_score"].tolist() == few["split_test_score"][:2].tolist()


def test_of_many_rows_only_the_next_kernels_of_several_classes_are_judged(data, monkeypatch):
    X, numbers, y = data
    monkeypatch.setattr(_pairs, "_FEW", 100)
    told = fitted(SVC(), X, y, refit=False).fold_results_
    assert told["C"].tolist() == [told["C"][0]] * 3
    assert told["gamma"] / told["gamma"][0] == pytest.approx([1.0, 2.0, 0.5])
    assert fitted(SVC(), X, y == 1, refit=False).fold_results_ is None
    assert fitted(SVR(), X, numbers, refit=False).fold_results_ is None


def test_folds_on_matrices_are_those_on_rows(data, monkeypatch):
    X, numbers, y = data
    own = [fitted(SVC(), X, y).fold_results_, fitted(SVR(), X, numbers).fold_results_]
    monkeypatch.setattr(_fold_rows, "FEW", 0)
    slow = [fitted(SVC(), X, y).fold_results_, fitted(SVR(), X, numbers).fold_results_]
    for fast, wanted in zip(own, slow, strict=True):
        assert fast["split_test_score"] == pytest.approx(wanted["split_test_score"], rel=1e-9)


def test_numbers_are_elected_by_leave_one_out_or_by_the_folds_of_the_caller(data, monkeypatch):
    X, y, _ = data
    every = fitted(SVR(), X, y, refit=False)
    assert every.result_ == ke.select(X, y, GRID, lam="auto")
    monkeypatch.setattr(_part, "_ENOUGH", {"classification": 90, "regression": 90})
    found = fitted(SVR(), X, y, refit=False)
    places = _part.places_of_part(y, {"folds": None, "landmarks": "auto", "task": "regression"})
    assert found.result_ == ke.select(X[places], y[places], GRID, lam="auto")
    by_caller = fitted(SVR(), X, y, refit=False, folds=4)
    assert by_caller.result_ == ke.select(X[places], y[places], GRID, lam="auto", folds=4)


def test_a_neighbour_is_known_by_its_gamma_where_pairs_were_left_out(monkeypatch):
    def wider(*given, elected):
        _, (gamma, *_) = given[-1]
        return {"C": np.array([1.0]), "gamma": np.array([gamma]), "best_index": 0}

    monkeypatch.setattr(_rows, "judge_pairs", wider)
    X = np.random.default_rng(0).normal(size=(60, 2))
    model = fitted(SVC(), X, np.sin(2.0 * X[:, 0]) > 0)
    assert model.best_kernel_.gamma == model.best_params_["gamma"]
    assert model.best_index_ == model.result_.index + 1


@pytest.mark.parametrize("classes", [2, 3])
def test_of_many_more_rows_than_elected_folds_walk_to_other_widths(data, monkeypatch, classes):
    X, _, y = data
    y = np.minimum(y, classes - 1)
    monkeypatch.setattr(_pairs, "_FEW", 100)
    monkeypatch.setattr(_pairs, "MANY", 149)
    found = fitted(SVC(), X, y)
    told, elected = found.fold_results_, found.result_.params_for(SVC)
    walked = slice(1, None) if classes == 2 else slice(3, None)
    strides = told["gamma"][walked] / elected["gamma"]
    assert set(np.log2(strides)) <= {-6.0, -4.0, -2.0, 2.0, 4.0, 6.0}
    assert told["C"][walked] * strides == pytest.approx(np.full(len(strides), elected["C"]))
    # One stride either way, and on while the loss falls.
    losses = dict(zip(strides, -told["mean_test_score"][walked], strict=True))
    first = -told["mean_test_score"][0]
    for stride in (4.0, 0.25):
        inside = GRID[0].gamma >= elected["gamma"] * stride >= GRID[-1].gamma
        assert (stride in losses) == inside
        assert (stride**2 in losses) <= (losses.get(stride, np.inf) < first)
    best = told["best_index"]
    assert told["mean_test_score"][best] >= told["mean_test_score"][0]
    assert found.best_params_["gamma"] == told["gamma"][best] == found.best_estimator_.gamma
    assert GRID[found.best_index_].gamma == told["gamma"][best]
    monkeypatch.setattr(_pairs, "MANY", 150)
    fewer = fitted(SVC(), X, y).fold_results_
    assert fewer is None if classes == 2 else len(fewer["C"]) == 3


@pytest.mark.parametrize("model", [SVR(), NuSVR()])
def test_of_many_more_rows_machines_of_numbers_walk_to_narrower_kernels_and_larger_c(
    data, monkeypatch, model
):
    X, y, _ = data
    monkeypatch.setattr(_pairs, "_FEW", 100)
    monkeypatch.setattr(_pairs, "MANY", 149)
    found = fitted(model, X, y)
    told, elected = found.fold_results_, found.result_.params_for(model)
    train, test = next(KFold(3, shuffle=True, random_state=0).split(X))
    for C, gamma, own in zip(told["C"], told["gamma"], told["split_test_score"], strict=True):
        machine = type(model)(**{**elected, "C": C, "gamma": gamma})
        assert own == pytest.approx(scores(machine, X, y, [(train, test)]))
    pairs = list(zip(told["gamma"] / elected["gamma"], told["C"] / elected["C"], strict=True))
    kept = 0
    expected = [(1.0, 1.0)]
    for gamma, C in pairs[1:]:  # the way on from the best so far, narrower first
        at = expected[kept]
        assert (gamma, C) == pytest.approx((4 * at[0], 1.0) if C < 2 else (at[0], 4 * at[1]))
        expected.append((gamma, C))
        if told["mean_test_score"][len(expected) - 1] > told["mean_test_score"][kept]:
            kept = len(expected) - 1
    assert told["best_index"] == kept
    assert pairs[-1][1] > 1.0
    assert found.best_params_["C"] == told["C"][kept]
    assert found.best_estimator_.gamma == told["gamma"][kept]
    monkeypatch.setattr(_pairs, "_COSTLY", 0.0)
    monkeypatch.setattr(_pairs, "_COSTLY_A_ROW", 0.0)
    assert set(fitted(model, X, y).fold_results_["C"]) == {elected["C"]}
