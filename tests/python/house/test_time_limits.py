"""Every limit of time holds: to within a second or a tenth, whichever is more."""

import time
import warnings
from dataclasses import replace

import numpy as np
import pytest
from command_line import refusal, run
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC

import kernelect as ke
from kernelect._evidence.work import LandmarkOptions
from kernelect._support.deadline import Deadline
from kernelect.lssvm._elections import budget
from kernelect.lssvm._training import Training
from kernelect.mkl._clock import Clock
from kernelect.mkl._methods import METHODS
from kernelect.refinement._refined import Refining

LIMIT = 1.0
# A machine that is busy with other things gets a little more.
MOST = LIMIT + 1.5


@pytest.fixture(scope="module")
def data():
    """Rows for which nothing exact is done within the limit."""
    random = np.random.default_rng(0)
    X = random.normal(size=(9000, 6))
    return X, (np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * random.normal(size=9000) > 0).astype(int)


def seconds(action):
    """Time of an action that may end with less than all of the work, or with nothing."""
    started = time.monotonic()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = action()
        except TimeoutError as error:
            found = error
    told = [str(one.message) for one in caught if "time_limit" in str(one.message)]
    return time.monotonic() - started, found, told


@pytest.mark.alone
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"lam": "auto"},
        {"criterion": "loo"},
        {"criterion": "cv", "lam": [0.1, 1.0]},
        {"criterion": "er"},
        {"criterion": "ep"},
    ],
    ids=str,
)
def test_select(data, given):
    took, found, told = seconds(lambda: ke.select(*data, time_limit=LIMIT, **given))
    assert took < MOST
    assert isinstance(found, TimeoutError) or (found.partial and told)


@pytest.mark.alone
def test_a_regression(data):
    X, _ = data
    took, found, told = seconds(lambda: ke.select(X, X[:, 0] ** 2, lam="auto", time_limit=LIMIT))
    assert took < MOST
    assert isinstance(found, TimeoutError) or (found.partial and told)


@pytest.mark.alone
@pytest.mark.parametrize(
    "model",
    [
        ke.LSSVMClassifier("auto", time_limit=LIMIT),
        ke.LSSVMClassifier("auto", lam=1.0, time_limit=LIMIT),
        ke.LSSVMClassifier("rbf", time_limit=LIMIT),
        ke.LSSVMClassifier("committee", time_limit=LIMIT),
        ke.LSSVMClassifier("refined", time_limit=LIMIT),
        ke.LSSVMClassifier("best", time_limit=LIMIT),
        ke.LSSVMRegressor(ke.Gaussian(4.0), lam=1.0, time_limit=LIMIT),
    ],
    ids=str,
)
def test_learners(data, model):
    took, found, _ = seconds(lambda: model.fit(*data))
    assert took < MOST
    assert isinstance(found, TimeoutError)
    assert "allow more time" in str(found)


@pytest.mark.alone
@pytest.mark.parametrize(
    "model",
    [
        *(ke.MKLClassifier(method, time_limit=LIMIT) for method in METHODS),
        ke.MKLClassifier(lam="cv", t="cv", time_limit=LIMIT),
        ke.MKLClassifier("gmkl", form="product", time_limit=LIMIT),
        ke.MKLClassifier("simple", learner="lssvm", C="auto", time_limit=LIMIT),
        ke.MKLRegressor("simple", kernels=ke.gaussian_grid(-1, 1), time_limit=LIMIT),
        ke.InfiniteMKLClassifier(time_limit=LIMIT),
        ke.InfiniteMKLRegressor("ikl", "ard", time_limit=LIMIT),
    ],
    ids=str,
)
def test_kernel_learning(data, model):
    X, y = data
    took, found, told = seconds(lambda: model.fit(X[:4000], y[:4000]))
    assert took < MOST
    if isinstance(found, TimeoutError):
        said = f"no machine was trained within time_limit={LIMIT:g} seconds; allow more"
        assert said in str(found)
    else:
        assert told
        assert len(found.predict(X[:5])) == 5


@pytest.mark.parametrize("method", [*METHODS, "product", "cv", "infinite"])
def test_best_weights_so_far(method, monkeypatch):
    """The clock strikes after some looks at it: a model, or one sentence."""
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 3))
    y = (np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * random.normal(size=60) > 0).astype(int)
    model = {
        "product": ke.MKLClassifier("gmkl", form="product"),
        "cv": ke.MKLClassifier(lam=[0.5, 1.0], t=[2, 4], kernels=ke.gaussian_grid(-2, 2)),
        "infinite": ke.InfiniteMKLClassifier(),
    }.get(method, ke.MKLClassifier(method, kernels=ke.gaussian_grid(-2, 2), tol=1e-9))
    if method == "sm":
        model.set_params(r=4)
    ample = clone(model).set_params(time_limit=1e6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        free, ample = model.fit(X, y), ample.fit(X, y)
    assert_array_equal(ample.weights_, free.weights_)
    ends = set()
    for looks in (*range(8), *range(8, 100, 3)):
        left = iter([1.0] * looks)
        monkeypatch.setattr(Clock, "over", lambda clock, left=left: next(left, 0.0) == 0.0)
        limited = clone(model).set_params(time_limit=100.0)
        _, found, told = seconds(lambda limited=limited: limited.fit(X, y))
        if isinstance(found, TimeoutError):
            ends.add("nothing")
            continue
        ends.add("late" if told else "whole")
        assert found.score(X, y) > 0.5
        if told and "no probabilities" in told[-1]:
            with pytest.raises(NotFittedError, match="time_limit was reached"):
                found.predict_proba(X)
        else:
            assert found.predict_proba(X).shape == (60, 2)
        if next(left, None):
            break  # not all looks were taken: with more of them every step is the same
    assert "nothing" in ends
    assert "late" in ends


@pytest.mark.alone
@pytest.mark.parametrize("kernel", ["auto", "best"])
@pytest.mark.parametrize("solver", ["landmarks", "iterative"])
def test_learners_of_many_rows(data, solver, kernel):
    model = ke.LSSVMRegressor(kernel, solver=solver, time_limit=LIMIT)
    took, _, _ = seconds(lambda: model.fit(data[0], data[0][:, 0] ** 2))
    assert took < MOST


@pytest.mark.alone
@pytest.mark.parametrize("start", [None, ke.Gaussian(4.0), "elected"])
def test_refinements(data, start):
    """A start without a lambda was given one in whatever time that took."""
    start = ke.select(*data, criterion="sm") if start == "elected" else start
    took, found, told = seconds(lambda: ke.refine(*data, start, time_limit=LIMIT))
    assert took < MOST
    if isinstance(found, TimeoutError):  # before a start was elected, on a machine that is busy
        assert start is None
        return
    assert found.partial
    assert not found.refinement.adopted
    assert all(one.startswith(f"time_limit={LIMIT:g} seconds was reached") for one in told)


def test_what_a_refinement_ends_with_is_scored_in_time(monkeypatch):
    """Values on the way are kept where no time is left to score both ends on all rows."""
    X = np.random.default_rng(0).normal(size=(120, 3))
    y = np.sin(2 * X[:, 0]) + 0.1 * X[:, 1]
    ample = ke.refine(X, y > 0, time_limit=1e6)
    assert ample.refinement.adopted
    monkeypatch.setattr(Refining, "_scored", lambda *_: None)
    late = ke.refine(X, y > 0, time_limit=1e6)
    assert late.kernel == ample.kernel
    assert late.score == pytest.approx(ample.score)


@pytest.mark.parametrize("criterion", ["loo", "sm"])
def test_time_that_is_up_while_ends_are_scored_costs_no_value(monkeypatch, criterion):
    """Values that were not reached took the place of those on the way: lam was no number."""
    X = np.random.default_rng(0).normal(size=(120, 3))
    y = np.sin(2 * X[:, 0]) + 0.1 * X[:, 1] > 0
    ample = ke.refine(X, y, criterion=criterion)
    assert ample.refinement.adopted
    scored = Refining._scored

    def late(work, step):
        problem = replace(work.problem, deadline=Deadline.of(1e-9))
        return scored(replace(work, problem=problem), step)

    monkeypatch.setattr(Refining, "_scored", late)
    found = ke.refine(X, y, criterion=criterion)
    assert (found.kernel, found.lam) == (ample.kernel, ample.lam)
    assert found.score == pytest.approx(ample.score)


@pytest.mark.alone
@pytest.mark.parametrize("criterion", ["auto", "sm"])
def test_the_lambda_of_a_selector_too(data, criterion):
    model = ke.KernelSelector(
        SVC(), criterion=criterion, C="auto", refit=False, time_limit=LIMIT, n_jobs=-1
    )
    X, y = data
    took, found, told = seconds(lambda: model.fit(X[:5000], y[:5000]))
    assert took < MOST
    if isinstance(found, TimeoutError):
        return
    if criterion == "sm":  # by which all rows are looked at
        assert set(found.best_params_) == {"kernel", "gamma"}
        assert "before a lambda was chosen" in told[-1]
    elif found.result_.partial:
        assert told


@pytest.mark.alone
def test_command_line(data, tmp_path):
    X, y = data
    path = tmp_path / "rows.csv"
    np.savetxt(path, np.column_stack([y, X]), delimiter=",", fmt="%.4g", header="y,a,b,c,d,e,f")
    started = time.monotonic()
    done = run("select", path, "--time-limit", "3")
    assert time.monotonic() - started < 4.5
    said = "warning: --time-limit was reached" if done.returncode == 0 else "within --time-limit;"
    assert said in done.stderr
    done = run("select", path, "--refine", "--time-limit", "3")
    assert "reading the file" not in done.stderr  # that was said where the election took all time
    started = time.monotonic()
    said = refusal("fit", path, "--save", tmp_path / "model.npz", "--time-limit", "2")
    assert time.monotonic() - started < 3.5
    assert "within --time-limit" in said
    assert "; allow more time" in said
    assert not (tmp_path / "model.npz").exists()


def test_command_line_refusals(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("y,a\n0,1\n1,2\n0,3\n1,5\n")
    for wrong in ("0", "-1", "soon", "nan"):
        said = refusal("select", path, "--time-limit", wrong)
        assert "is not a positive number of seconds" in said


def test_an_election_leaves_time_for_the_fit(monkeypatch):
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 3))
    y = (X[:, 0] > 0).astype(int)
    free = ke.LSSVMClassifier("auto").fit(X, y)
    ample = ke.LSSVMClassifier("auto", time_limit=1e6).fit(X, y)
    assert (ample.kernel_, ample.lam_) == (free.kernel_, free.lam_)
    # A fit that would take an hour and a half leaves nothing of an hour for the election.
    assert budget.seconds_of_fit(Training(X, free._target, free_options())) > 0.0
    monkeypatch.setattr(budget, "_TRIAL", 120)
    for options in (free_options(), replace(free_options(), landmarks=LandmarkOptions(100))):
        foretold = budget.seconds_of_fit(Training(X, free._target, options))
        assert 0.0 < foretold < 60.0
    from kernelect.lssvm._elections import ways

    monkeypatch.setattr(ways, "seconds_of_fit", lambda *_: 5400.0)
    with pytest.warns(UserWarning, match="time_limit=3600 seconds was reached; .* 0 by loo"):
        model = ke.LSSVMClassifier("auto", time_limit=3600.0).fit(X, y)
    assert model.selection_.partial
    assert model.selection_.criterion == "sm"
    with pytest.warns(UserWarning, match="time_limit=3600 seconds was reached"):
        model = ke.LSSVMClassifier("committee", time_limit=3600.0).fit(X, y)
    assert not hasattr(model, "committee_")
    monkeypatch.setattr(ways, "_MEMBERS", 0)
    noisy = np.sin(2 * X[:, 0]) + X[:, 1] + random.normal(size=300)
    with pytest.warns(UserWarning, match="leaves no time to fit a committee of"):
        alone = ke.LSSVMRegressor("committee", time_limit=3600.0).fit(X, noisy)
    assert not hasattr(alone, "committee_")
    ample = ke.LSSVMClassifier("committee", time_limit=1e6).fit(X, y)
    assert ample.committee_.kernels == ke.LSSVMClassifier("committee").fit(X, y).committee_.kernels


@pytest.mark.parametrize(("kernel", "most"), [("auto", 8), ("refined", 8), ("best", 24)])
def test_a_fit_that_leaves_no_time_for_an_election_is_named(data, kernel, most, monkeypatch):
    """After a tenth of the limit it was said that no candidate was scored within all of it."""
    monkeypatch.setattr("kernelect.lssvm._elections.ways.seconds_of_fit", lambda *_: 8.0)
    said = f"within time_limit=5 seconds, of which the fit takes about {most} seconds; allow more"
    with pytest.raises(TimeoutError, match=said):
        ke.LSSVMClassifier(kernel, time_limit=5.0).fit(*data)


def free_options():
    from kernelect._evidence.regularisation import check_regularisation
    from kernelect._evidence.work import CallOptions

    return CallOptions(check_regularisation("auto", "sum", True))


def test_refusals():
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    for model in (
        ke.LSSVMClassifier("auto", time_limit=-1),
        ke.KernelSelector(SVC(), time_limit=-1),
    ):
        with pytest.raises(ValueError, match="time_limit must be positive"):
            model.fit(X, y)


def test_a_lambda_in_time_is_that_without_a_limit():
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
    given = {"criterion": "sm", "C": "auto"}
    limited = ke.KernelSelector(KernelRidge(), time_limit=1e6, **given).fit(X, y)
    assert limited.best_params_ == ke.KernelSelector(KernelRidge(), **given).fit(X, y).best_params_
