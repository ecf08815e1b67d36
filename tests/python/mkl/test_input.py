"""What callers may give, and one clear sentence where it makes no sense."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
import twins
from mkl_problems import rows_and_target
from sklearn.metrics.pairwise import cosine_similarity

import kernelect as ke
from kernelect._support import memory
from kernelect.mkl._methods import DIRECT, METHODS

X, Y, _ = rows_and_target("binary", n=40)
WIDE = ke.Gaussian(1e30)  # K = 11'
TWO = [ke.Gaussian(1.0), ke.Gaussian(8.0)]


def test_a_single_kernel_is_trained_and_told():
    with pytest.warns(UserWarning, match="nothing to combine"):
        found = ke.MKLClassifier("simple", [ke.Gaussian(1.0)]).fit(X, Y)
    assert found.weights_.tolist() == [1.0]


def test_equal_kernels_share_a_weight():
    with pytest.warns(UserWarning, match="1 of the 3 kernels are repetitions"):
        found = ke.MKLClassifier("simple", [TWO[0], TWO[0], TWO[1]]).fit(X, Y)
    once = ke.MKLClassifier("simple", TWO).fit(X, Y)
    assert found.candidate_weights_[[0, 2]] == pytest.approx(once.candidate_weights_, abs=1e-6)
    assert found.candidate_weights_[1] == 0.0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore:the weights of align_linear make an indefinite sum")
def test_constant_kernels_are_left_out(method):
    own = {"lam": 100.0} if method == "fkl" else {}
    with pytest.warns(UserWarning, match="constant on these rows"):
        found = ke.MKLClassifier(method, [*TWO, WIDE], **own).fit(X, Y)
    assert found.candidate_weights_[2] == 0.0
    assert found.candidate_weights_[:2].max() > 0.0


def test_only_constant_kernels():
    with pytest.raises(ValueError, match="every kernel is constant"):
        ke.MKLClassifier("simple", [WIDE, ke.Gaussian(1e31)]).fit(X, Y)


def test_an_indefinite_sum_falls_back():
    found = None
    # Nearly collinear kernels make large weights of both signs.
    kernels = [ke.Gaussian(0.5), ke.Gaussian(2.0), ke.Gaussian(2.2), ke.Gaussian(8.0)]
    with pytest.warns(UserWarning, match="indefinite"):
        found = ke.MKLClassifier("align_linear", kernels).fit(X, Y)
    conic = ke.MKLClassifier("alignf", kernels).fit(X, Y)
    assert found.candidate_weights_ == pytest.approx(conic.candidate_weights_)


def test_negative_weights():
    with pytest.raises(ValueError, match="must not be negative"):
        ke.kernels.WeightedSum(TWO, [1.0, -0.5])
    signed = ke.kernels.WeightedSum(TWO, [1.0, -0.5], signed=True)
    assert signed(X) == pytest.approx(TWO[0](X) - 0.5 * TWO[1](X))


def test_an_indefinite_matrix():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(40, 40))
    bad = 0.5 * (noise + noise.T)
    np.fill_diagonal(bad, 1.0)
    with pytest.raises(ValueError, match="positive semidefinite"):
        ke.MKLClassifier("simple", [bad, np.eye(40)], learner="lssvm", C=1e6).fit(None, Y)
    with pytest.raises(ValueError, match=r"Precomputed\(0\) is not positive semidefinite"):
        ke.MKLClassifier("average", [bad, np.eye(40)]).fit(None, Y)


@pytest.mark.parametrize("scaling", ["diagonal", "none", "trace", "centered"])
def test_a_zero_matrix(scaling):
    given = [TWO[0](X), np.zeros((40, 40))]
    with pytest.raises(ValueError, match=r"Precomputed\(1\) is zero for all rows; leave it out"):
        ke.MKLClassifier("simple", given, scaling=scaling).fit(None, Y)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"method": "simpel"}, ValueError, "did you mean 'simple'"),
        ({"kernels": []}, ValueError, "empty"),
        ({"kernels": "gausian"}, ValueError, "did you mean"),
        ({"scaling": "unit"}, ValueError, "scaling must be one of"),
        ({"learner": "krr"}, ValueError, "learner must be"),
        ({"C": -1.0}, ValueError, "C must be a positive finite number"),
        ({"C": "1"}, TypeError, "C must be a number"),
        ({"tol": 0.0}, ValueError, "tol must be a positive finite number"),
        ({"max_iter": 0}, ValueError, "max_iter must be a whole number"),
        ({"lam": -0.1}, ValueError, "lam must be zero or a positive finite number"),
        ({"lam": "auto"}, ValueError, "lam must be a number, a list of numbers or 'cv'"),
        ({"lam": []}, ValueError, "lam is an empty list"),
        ({"t": 0}, ValueError, "t must be a whole number"),
        ({"t": 2.5}, TypeError, "t must be a whole number"),
        ({"lam": ["a"]}, TypeError, "lam must be a number"),
        ({"lam": "cv", "cv": "x"}, TypeError, "folds must be a number"),
        ({"lam": "cv", "cv": 1000}, ValueError, "more than the 40 rows; use fewer"),
        ({"method": "ks", "eta": "a"}, TypeError, "eta must be a number"),
        ({"method": "gmkl", "penalty_weight": "a"}, TypeError, "penalty_weight must be a number"),
        ({"projection": "l1"}, ValueError, "projection must be"),
        ({"form": "power"}, ValueError, "form must be"),
        ({"method": "lp", "p": 0.5}, ValueError, "p must be at least 1"),
        ({"method": "lp", "p": "2"}, TypeError, "p must be a number of at least 1"),
        ({"method": "sm", "p": 0.5}, ValueError, "p must be at least 1"),
        ({"method": "ks", "p": float("nan")}, ValueError, "p must be at least 1"),
        ({"method": "nlmkl", "p": 3}, ValueError, "p = 1 or p = 2"),
        ({"method": "gmkl", "penalty": "l3"}, ValueError, "penalty must be"),
        ({"method": "gmkl", "penalty_weight": 0.0}, ValueError, "penalty_weight must be"),
        ({"method": "gmkl", "penalty_weight": 1e9}, ValueError, "all weights are 0"),
        ({"method": "gmkl", "form": "product"}, ValueError, "leave kernels=None"),
        ({"method": "sm", "r": 0}, ValueError, "r must be"),
        ({"method": "sm", "normalization": "max"}, ValueError, "normalization must be"),
        ({"method": "ks", "eta": -1.0}, ValueError, "eta must be"),
        ({"method": "ks", "folds": 1}, ValueError, "folds must be at least 2"),
        ({"lam": "cv", "cv": 1}, ValueError, "folds must be at least 2"),
        ({"n_jobs": 0}, ValueError, "^n_jobs must be at least 1, or -1 for all available CPUs"),
        ({"n_jobs": 1.5}, TypeError, "^n_jobs must be a whole number or None, not 1.5"),
    ],
)
def test_bad_parameters(parameters, error, message):
    with pytest.raises(error, match=message):
        ke.MKLClassifier(**{"kernels": TWO, **parameters}).fit(X, Y)


def test_bad_targets():
    with pytest.raises(ValueError, match=r"y has a single class \(0.0\)"):
        ke.MKLClassifier("simple", TWO).fit(X, np.zeros(40))
    with pytest.raises(ValueError, match="y is constant"):
        ke.MKLRegressor("sm", TWO).fit(X, np.ones(40))
    with pytest.raises(ValueError, match="class 1 has a single member"):
        ke.MKLClassifier("fkl", TWO, lam="cv").fit(X, [1] + [0] * 39)
    flat = ke.MKLRegressor("simple", TWO).fit(X, np.ones(40))
    assert flat.predict(X) == pytest.approx(np.ones(40), abs=flat.epsilon)


@pytest.mark.parametrize("y", [np.array(["a"] * 40), np.array([1.0] * 39 + ["b"], dtype=object)])
def test_regression_needs_numbers(y):
    with pytest.raises(ValueError, match=r"^y has entries that are not numbers; a regressor needs"):
        ke.MKLRegressor("simple", TWO).fit(X, y)


@pytest.mark.parametrize("missing", [np.nan, None])
def test_missing_numbers_among_objects(missing):
    with pytest.raises(ValueError, match="y contains NaN or infinity; drop those rows"):
        ke.MKLRegressor("simple", TWO).fit(X, np.array([missing] + [1.0] * 39, dtype=object))


def test_rows_that_are_missing():
    with pytest.raises(ValueError, match="needs rows; pass X"):
        ke.MKLClassifier("simple", TWO).fit(None, Y)
    with pytest.raises(ValueError, match="needs rows; pass X"):
        ke.MKLClassifier("gmkl", form="product").fit(None, Y)
    with pytest.raises(ValueError, match="need rows; pass X"):
        ke.InfiniteMKLClassifier().fit(None, Y)


def test_budget_that_ends_first_is_reported():
    with pytest.warns(ke.mkl.ConvergenceWarning, match="raise max_iter or tol"):
        found = ke.MKLClassifier("simple", max_iter=2).fit(X, Y)
    assert not found.converged_
    assert found.n_iter_ == 2
    assert found.gap_ > 1e-4 * max(1.0, abs(found.objective_path_[-1]))


def test_budget_that_ends_first_in_the_cross_validation():
    with pytest.warns(ke.mkl.ConvergenceWarning) as told:
        ke.MKLClassifier("fkl", lam=[0.1, 10.0], max_iter=2).fit(X, Y)
    first, second = (str(warning.message) for warning in told)
    assert "in the cross-validation 6 of 6 fits have not converged" in first
    assert "the weights have not converged" in second
    assert [warning.filename for warning in told] == [__file__, __file__]


@pytest.mark.filterwarnings("ignore:the weights of align_linear make an indefinite sum")
@pytest.mark.parametrize("method", DIRECT)
def test_methods_that_do_not_iterate_say_so(method):
    with pytest.warns(UserWarning, match=f"max_iter plays no part in method '{method}'"):
        ke.MKLClassifier(method, TWO, max_iter=3).fit(X, Y)


def test_kernels_of_very_different_sizes_are_told_to_be_scaled():
    # Raw polynomials of degree 20 reach 1e20, beyond what a machine can resolve.
    with pytest.warns(ke.mkl.ConvergenceWarning, match="scaling='diagonal'"):
        found = ke.MKLClassifier("simple", scaling="none", tol=1e-12, C=1e3).fit(3.0 * X, Y)
    assert not found.converged_
    assert found.n_iter_ < 200


def test_kernels_too_large_for_a_solution():
    X = np.random.default_rng(0).normal(size=(40, 60))
    with pytest.raises(
        ValueError, match=r"no finite solution .* entries up to .*scaling='diagonal'"
    ):
        ke.MKLClassifier(scaling="none").fit(100.0 * X, np.arange(40) % 2)


def test_warnings_point_to_the_caller():
    near = [ke.Gaussian(0.5), ke.Gaussian(2.0), ke.Gaussian(2.2), ke.Gaussian(8.0)]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ke.MKLClassifier("simple", TWO[:1]).fit(X, Y)
        ke.MKLClassifier("simple", [*TWO, TWO[0]]).fit(X, Y)
        ke.MKLClassifier("simple", [*TWO, WIDE]).fit(X, Y)
        ke.MKLClassifier("align_linear", near).fit(X, Y)
        ke.MKLClassifier("simple", max_iter=2).fit(X, Y)
        ke.MKLClassifier("gmkl", form="product", max_iter=2).fit(X, Y)
        ke.InfiniteMKLClassifier(max_rounds=1).fit(X, Y)
    assert [warning.filename for warning in told] == 7 * [__file__]


def test_callables_and_matrices_agree_with_kernels():
    rows = X + 0.1
    kernels = [ke.Gaussian(gamma=0.5), ke.normalized(ke.Linear())]
    wanted = ke.MKLClassifier("simple", kernels, tol=1e-8).fit(X, Y)

    def gaussian(a, b):
        return twins.gaussian(a, 1.0, b)

    callables = ke.MKLClassifier("simple", [gaussian, cosine_similarity], tol=1e-8).fit(X, Y)
    assert callables.weights_ == pytest.approx(wanted.weights_, abs=1e-6)
    assert callables.decision_function(rows) == pytest.approx(
        wanted.decision_function(rows), abs=1e-6
    )
    given = [kernel(X) for kernel in kernels]
    stored = ke.MKLClassifier("simple", given, tol=1e-8).fit(None, Y)
    cross = [kernel(rows, X) for kernel in kernels]
    assert stored.decision_function(cross) == pytest.approx(
        wanted.decision_function(rows), abs=1e-6
    )
    assert (stored.predict(np.array(cross)) == wanted.predict(rows)).all()
    with pytest.raises(ValueError, match="X must be 2 matrices"):
        stored.predict(cross[:1])
    # Rows beside matrices change nothing.
    beside = ke.MKLClassifier("simple", given, tol=1e-8).fit(X, Y)
    assert beside.X_fit_ is None
    assert (beside.predict(cross) == stored.predict(cross)).all()
    with pytest.raises(ValueError, match="give all kernels as matrices, or none"):
        ke.MKLClassifier("simple", [given[0], kernels[1]]).fit(X, Y)


def test_sparse_matrices_between_new_and_old_rows():
    given = [kernel(X) for kernel in TWO]
    stored = ke.MKLClassifier("simple", given).fit(None, Y)
    sparse = [sp.csr_matrix(matrix[:5]) for matrix in given]
    dense = stored.decision_function([matrix[:5] for matrix in given])
    assert (stored.decision_function(sparse) == dense).all()


@pytest.mark.parametrize(
    ("new", "error", "message"),
    [
        (None, TypeError, "so X must be 2 matrices .* not None"),
        ("ab", TypeError, "so X must be 2 matrices .* not 'ab'"),
        (sp.csr_matrix(np.ones((2, 40))), ValueError, "so X must be 2 matrices"),
        ([1, 2], ValueError, "so X must be 2 matrices"),
        ([["a"]], TypeError, "matrix 0 of X has entries that are not real numbers"),
        ([np.ones((3, 40)), 1j * np.ones((3, 40))], TypeError, "matrix 1 of X has entries that"),
        ([np.ones((3, 40)), np.full((3, 40), np.nan)], ValueError, "X contains NaN or infinity"),
    ],
)
def test_matrices_between_new_and_old_rows_refused(new, error, message):
    stored = ke.MKLClassifier("simple", [kernel(X) for kernel in TWO]).fit(None, Y)
    with pytest.raises(error, match=message):
        stored.predict(new)


def test_matrices_with_a_varying_diagonal_need_another_scaling():
    given = [ke.Linear()(X), ke.Polynomial(2)(X)]
    with pytest.raises(ValueError, match="scaling='trace'"):
        ke.MKLClassifier("simple", given).fit(None, Y)
    stored = ke.MKLClassifier("simple", given, scaling="trace", tol=1e-8).fit(None, Y)
    rows = ke.MKLClassifier(
        "simple", [ke.Linear(), ke.Polynomial(2)], scaling="trace", tol=1e-8
    ).fit(X, Y)
    new = X + 0.2
    cross = [ke.Linear()(new, X), ke.Polynomial(2)(new, X)]
    assert stored.decision_function(cross) == pytest.approx(rows.decision_function(new), abs=1e-5)


def test_kernels_on_named_columns():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    kernels = [ke.on_columns([name], ke.Gaussian(1.0)) for name in frame.columns]
    found = ke.MKLClassifier("simple", kernels).fit(frame, Y)
    places = [ke.on_columns([place], ke.Gaussian(1.0)) for place in range(3)]
    wanted = ke.MKLClassifier("simple", places).fit(X, Y)
    assert found.predict(frame).tolist() == wanted.predict(X).tolist()
    assert found.decision_function(frame) == pytest.approx(wanted.decision_function(X))


def test_more_eigenvalues_than_there_are():
    most = ke.MKLClassifier("fkl", TWO, t=39).fit(X, Y)
    more = ke.MKLClassifier("fkl", TWO, t=1000).fit(X, Y)
    assert more.t_ == most.t_ == 39
    assert (more.candidate_weights_ == most.candidate_weights_).all()


@pytest.mark.parametrize("learner", ["svm", "lssvm"])
@pytest.mark.parametrize("form", ["finite", "product", "infinite", "classes"])
def test_too_many_rows_are_refused_before_any_work(form, learner, monkeypatch):
    """Of 60,000 rows kernels were computed for minutes, and then there was no memory."""
    model = {
        "finite": ke.MKLRegressor(learner=learner),
        "product": ke.MKLRegressor("gmkl", form="product", learner=learner),
        "infinite": ke.InfiniteMKLRegressor(learner=learner),
        "classes": ke.MKLClassifier(learner=learner),
    }[form]
    monkeypatch.setattr(memory, "free_memory", lambda: 2e10)
    monkeypatch.setattr("kernelect.mkl._finite.prepare", None)
    monkeypatch.setattr("kernelect.mkl._infinite.fit.generate", None)
    monkeypatch.setattr("kernelect.mkl._finite.FiniteMKL._fit_product", None)
    X = np.linspace(0.0, 1.0, 60_000)[:, None]
    size = "40.3" if learner == "svm" else "57.6"
    with pytest.raises(MemoryError, match=f"of 60000 rows takes about {size} GB .*; give fewer"):
        model.fit(X, X[:, 0] > 0.5 if form == "classes" else X[:, 0])
