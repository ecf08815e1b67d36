"""Bad input is refused with one sentence: what was given, what is wanted, and the remedy."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import kernelect as ke
from kernelect.kernels import Function, Normalized, Precomputed, Product, Scaled, Sum

RNG = np.random.default_rng(3)
X = RNG.normal(size=(12, 3))
Y = np.repeat([0, 1], 6)
K = ke.Gaussian(1.0)(X)
ONE = [ke.Gaussian(1.0)]


def changed(array, place, value):
    array = np.array(array, dtype=object if isinstance(value, str) else float)
    array[place] = value
    return array


def frame(**columns):
    return pd.DataFrame({**dict(zip("abc", X.T, strict=True)), **columns})


def refuses(action, kind, said):
    """`said` occurs in the single sentence that the error consists of."""
    with pytest.raises(kind) as caught:
        action()
    message = str(caught.value)
    assert type(caught.value) is kind
    assert said in message
    assert "\n" not in message
    assert len(message) < 250
    assert not message.endswith(".")
    assert "np." not in message
    assert not re.search(r"\. [A-Z]", message)


def cases(*rows):
    return pytest.mark.parametrize(
        ("given", "kind", "said"), [pytest.param(*row[1:], id=row[0]) for row in rows]
    )


# rows

NAN_COLUMN = "X: column 1 has missing values (NaN); impute them"
BAD_ROWS = cases(
    ("nan", changed(X, (3, 1), np.nan), ValueError, NAN_COLUMN),
    ("nan in single precision", changed(X, (3, 1), np.nan).astype("f4"), ValueError, NAN_COLUMN),
    ("nan sparse", sp.csr_matrix(changed(X, (3, 1), np.nan)), ValueError, NAN_COLUMN),
    ("infinity", changed(X, (3, 1), np.inf), ValueError, "X: column 1 contains infinity; replace"),
    ("minus infinity", sp.csr_matrix(changed(X, (3, 1), -np.inf)), ValueError, "column 1 contains"),
    ("many nan", np.full((12, 9), np.nan), ValueError, "columns 0, 1, 2, 3, 4 and 4 more have"),
    ("masked", np.ma.masked_less(X, -1.0), ValueError, "missing values"),
    ("none", [[1.0, None], [2.0, 1.0]] * 6, ValueError, NAN_COLUMN),
    ("text", changed(X, (3, 1), "red"), ValueError, "X: column 1 is not numeric; encode text"),
    ("text in a list", [[1.0, "red"]] * 12, ValueError, "X: column 1 is not numeric"),
    ("numbers as text", X.astype(str), ValueError, "X: columns 0, 1, 2 are not numeric"),
    ("bytes", X.astype("S"), ValueError, "X: columns 0, 1, 2 are not numeric"),
    ("dates", np.full((12, 1), np.datetime64("2020-01-01")), ValueError, "column 0 is not numeric"),
    ("complex", X + 1j, TypeError, "X has complex entries; kernels here need real numbers"),
    ("complex sparse", sp.csr_matrix(X + 1j), TypeError, "complex128"),
    ("text column", frame(t="x"), ValueError, "X: column 't' is not numeric; encode text"),
    ("two text columns", frame(t="x", u="y"), ValueError, "X: columns 't', 'u' are not numeric"),
    ("category", frame(t=pd.Categorical(["u", "v"] * 6)), ValueError, "column 't' is not numeric"),
    ("missing column", frame(b=changed(X[:, 1], 2, np.nan)), ValueError, "column 'b' has missing"),
    ("nullable", frame(b=pd.array([1, None] * 6, dtype="Int64")), ValueError, "'b' has missing"),
    ("infinite column", frame(b=changed(X[:, 1], 2, np.inf)), ValueError, "'b' contains infinity"),
    ("numbered columns", pd.DataFrame(changed(X, (3, 1), np.nan)), ValueError, NAN_COLUMN),
    ("empty", np.zeros((0, 3)), ValueError, "X has no rows (shape (0, 3)); at least one"),
    ("empty list", [], ValueError, "X has no rows"),
    ("no columns", np.zeros((12, 0)), ValueError, "X has no columns (shape (12, 0)); at least one"),
    (
        "one dimension",
        X[:, 0],
        ValueError,
        "has shape (12,); pass X.reshape(-1, 1) for one feature",
    ),
    ("series", pd.Series(X[:, 0]), ValueError, "has shape (12,)"),
    ("three dimensions", np.zeros((12, 3, 2)), ValueError, "but has shape (12, 3, 2)"),
    (
        "ragged",
        [[1.0, 2.0], [3.0]],
        ValueError,
        "X has rows of different lengths; all need as many",
    ),
    (
        "text instead",
        "data.csv",
        TypeError,
        "X must be a table of rows and columns, not 'data.csv'",
    ),
    ("a number", 5, TypeError, "not of type int"),
    ("a dictionary", {"a": [1.0]}, TypeError, "not of type dict"),
    ("a generator", (row for row in X), TypeError, "not of type generator"),
)


@BAD_ROWS
def test_rows(given, kind, said):
    refuses(lambda: ke.evaluate(given, Y, ONE), kind, said)
    refuses(lambda: ke.select(given, Y, ONE), kind, said)
    refuses(lambda: ke.Gaussian(1.0)(given), kind, said)
    refuses(lambda: ke.Gaussian(1.0).diag(given), kind, said)
    refuses(lambda: ke.heuristics.scale(given), kind, said)


@BAD_ROWS
def test_other_rows(given, kind, said):
    refuses(lambda: ke.Gaussian(1.0)(X, given), kind, said.replace("X", "Y"))


def test_rows_of_other_features():
    refuses(lambda: ke.Linear()(X, X[:, :2]), ValueError, "Y has 2 columns, but")
    refuses(lambda: ke.Linear()(sp.csr_matrix(X), X[:, :2]), ValueError, "have 3; both need")


@pytest.mark.parametrize(
    ("indices", "starts"),
    [([0, 7], [0, 1, 2]), ([0, -1], [0, 1, 2]), ([0, 1], [0, 2, 1]), ([0, 1], [0, 1, 5])],
)
def test_broken_sparse_rows(indices, starts):
    rows = sp.csr_matrix(np.eye(2, 3))
    rows.indices = np.array(indices, dtype=np.int32)
    rows.indptr = np.array(starts, dtype=np.int32)
    refuses(lambda: ke.Linear()(rows), ValueError, "X is not a valid sparse matrix (")
    refuses(lambda: ke.evaluate(rows, [0, 1], ONE), ValueError, "X is not a valid sparse matrix (")


def test_too_many_sparse_columns():
    rows = sp.csr_matrix(([1.0], ([0], [2**33])), shape=(2, 2**34))
    refuses(lambda: ke.Linear()(rows), ValueError, "at most 2**31 - 1 are possible")


# targets


@cases(
    ("none", None, TypeError, "y must hold a label or number per row, not None"),
    ("text", "kind", TypeError, "not 'kind'"),
    ("a number", 3, TypeError, "y must hold a label or number per row, not be of type int"),
    ("a generator", (v for v in Y), TypeError, "of type generator"),
    ("sparse", sp.csr_matrix(Y), TypeError, "of type csr_matrix"),
    ("empty", [], ValueError, "X has 12 rows, but y has 0 entries"),
    ("short", Y[:5], ValueError, "X has 12 rows, but y has 5 entries; each row needs one"),
    ("long", np.arange(13.0), ValueError, "X has 12 rows, but y has 13 entries"),
    ("one class", np.zeros(12, int), ValueError, "y has a single class (0); at least two"),
    ("one name", ["a"] * 12, ValueError, "y has a single class ('a'); at least two are needed"),
    ("one truth", [True] * 12, ValueError, "y has a single class (True)"),
    (
        "nan",
        changed(np.arange(12), 3, np.nan),
        ValueError,
        "y has 1 missing value; drop those rows",
    ),
    ("none inside", ["a", None] * 6, ValueError, "y has 6 missing values"),
    ("nan among names", np.array(["a", np.nan] * 6, dtype=object), ValueError, "6 missing values"),
    ("pandas missing", [pd.NA, "a"] * 6, ValueError, "6 missing values"),
    ("nullable", pd.array([1, None] * 6, dtype="Int64"), ValueError, "6 missing values"),
    ("no time", pd.Series([pd.NaT, *pd.date_range("2020", periods=11)]), ValueError, "1 missing"),
    ("masked", np.ma.masked_equal(Y, 1), ValueError, "6 missing values"),
    ("infinity", changed(X[:, 0], 3, np.inf), ValueError, "y contains infinity; regression needs"),
    ("complex", Y + 1j, TypeError, "y has entries of type complex128; labels or real numbers"),
    ("mixed", np.array(["a", 1] * 6, dtype=object), TypeError, "y mixes labels of different types"),
    ("ragged", [[1.0], [1.0, 2.0]] * 6, ValueError, "y has rows of different lengths"),
    ("no columns", np.zeros((12, 0)), ValueError, "y must have one entry per row, but has shape"),
    ("three dimensions", np.zeros((12, 2, 2)), ValueError, "but has shape (12, 2, 2)"),
    ("constant", np.full(12, 0.5), ValueError, "y is constant (0.5); there is nothing to predict"),
    ("constant column", np.c_[X[:, 0], np.ones(12)], ValueError, "column 1 of y is constant (1)"),
)
def test_targets(given, kind, said):
    refuses(lambda: ke.evaluate(X, given, ONE, "kta"), kind, said)
    refuses(lambda: ke.select(X, given, ONE), kind, said)


def test_too_few_rows():
    for y in ([0], [0.5], ["a"]):
        refuses(lambda y=y: ke.evaluate(X[:1], y, ONE), ValueError, "y has one entry; two rows are")
    refuses(lambda: ke.evaluate(None, [], [K]), ValueError, "y has no entries; two rows are")


@cases(
    ("unknown", {"task": "clasification"}, ValueError, "task must be 'auto', 'classification' or"),
    ("none", {"task": None}, ValueError, "'regression', not None"),
    ("numbers as labels", {"task": "classification"}, ValueError, "pass task='regression'"),
)
def test_tasks(given, kind, said):
    x = RNG.normal(size=(30, 2))
    refuses(lambda: ke.evaluate(x, RNG.normal(size=30), ONE, "kta", **given), kind, said)


def test_regression_needs_numbers():
    for y in (["a", "b"] * 6, ["1", "2"] * 6):
        refuses(
            lambda y=y: ke.evaluate(X, y, ONE, "kta", task="regression"),
            ValueError,
            "y has entries that are no numbers; regression needs numbers",
        )


def test_labels_in_several_columns():
    refuses(
        lambda: ke.evaluate(X, np.c_[Y, Y], ONE, task="classification"),
        ValueError,
        "y must have one label per row for classification, but has shape (12, 2)",
    )


# kernels


@cases(
    ("zero", lambda: ke.Gaussian(0), ValueError, "tau must be a positive finite number, not 0"),
    ("negative", lambda: ke.Gaussian(-1.0), ValueError, "positive finite number, not -1.0"),
    ("nan", lambda: ke.Gaussian(np.nan), ValueError, "Gaussian: tau must be"),
    ("infinite", lambda: ke.Gaussian(np.inf), ValueError, "Gaussian: tau must be"),
    ("text", lambda: ke.Gaussian("1"), TypeError, "Gaussian: tau must be a number, not '1'"),
    ("truth", lambda: ke.Gaussian(True), TypeError, "Gaussian: tau must be a number, not True"),
    ("list", lambda: ke.Gaussian([1.0]), TypeError, "Gaussian: tau must be a number, not [1.0]"),
    ("nothing", ke.Gaussian, TypeError, "exactly one of tau, gamma and sigma"),
    ("two", lambda: ke.Gaussian(1.0, gamma=0.5), TypeError, "exactly one of tau, gamma and sigma"),
    ("gamma", lambda: ke.Gaussian(gamma=-1), ValueError, "Gaussian: gamma must be a positive"),
    ("sigma", lambda: ke.Gaussian(sigma=0), ValueError, "Gaussian: sigma must be a positive"),
    ("wide", lambda: ke.Gaussian(sigma=1e200), ValueError, "too extreme for floating point"),
    ("narrow", lambda: ke.Gaussian(sigma=1e-200), ValueError, "too extreme for floating point"),
    ("tiny", lambda: ke.Gaussian(5e-324), ValueError, "tau = 5e-324 is too extreme"),
    ("laplacian", lambda: ke.Laplacian(0.0), ValueError, "Laplacian: gamma must be a positive"),
    ("steep", lambda: ke.Laplacian(1e308), ValueError, "Laplacian: gamma = 1e+308 is too large"),
    ("nu", lambda: ke.Matern(2.0), ValueError, "Matern: nu must be 0.5, 1.5 or 2.5, not 2.0"),
    ("nu text", lambda: ke.Matern("a"), TypeError, "Matern: nu must be a number, not 'a'"),
    ("nu array", lambda: ke.Matern(np.ones(2)), TypeError, "Matern: nu must be a number, not"),
    ("length", lambda: ke.Matern(1.5, -1), ValueError, "Matern: length_scale must be a positive"),
    ("short", lambda: ke.Matern(1.5, 1e-308), ValueError, "length_scale = 1e-308 is too small"),
    ("degree", lambda: ke.Polynomial(0), ValueError, "degree must be from 1 to 1000, not 0"),
    (
        "part degree",
        lambda: ke.Polynomial(1.5),
        TypeError,
        "degree must be a whole number, not 1.5",
    ),
    ("coef0", lambda: ke.Polynomial(2, 1.0, -1), ValueError, "coef0 must be zero or a positive"),
    ("factor", lambda: ke.Polynomial(2, 0.0), ValueError, "Polynomial: gamma must be a positive"),
    ("weight", lambda: -1 * ke.Linear(), ValueError, "weight must be zero or a positive finite"),
    ("array", lambda: ke.Linear() * np.ones(2), TypeError, "Linear"),
    ("plus one", lambda: ke.Linear() + 1, TypeError, "unsupported operand"),
    ("normalized", lambda: ke.normalized(3), TypeError, "normalized needs a kernel, not 3"),
    ("sum of nothing", lambda: Sum(()), ValueError, "Sum needs at least two kernels, not 0"),
    ("product of one", lambda: Product([ke.Linear()]), ValueError, "at least two kernels, not 1"),
    ("sum of numbers", lambda: Sum((1, 2)), TypeError, "Sum needs a kernel, not 1"),
    ("scaled number", lambda: Scaled(2.0, 3), TypeError, "Scaled needs a kernel, not 3"),
    ("normalized number", lambda: Normalized(3), TypeError, "normalized needs a kernel, not 3"),
    ("no callable", lambda: Function(3), TypeError, "Function needs a callable, not 3"),
    ("no index", lambda: Precomputed("a"), TypeError, "index must be a whole number, not 'a'"),
    (
        "stored",
        lambda: Precomputed(0)(X),
        TypeError,
        "is a stored matrix and has no values on rows",
    ),
    ("stored part", lambda: (Precomputed(0) + ke.Linear())(X), TypeError, "is a stored matrix"),
    ("grid", lambda: ke.gaussian_grid(3, 1), ValueError, "low = 3 must not exceed high = 1"),
    ("step", lambda: ke.gaussian_grid(0, 1, 0), ValueError, "step must be positive, not 0"),
    ("base", lambda: ke.gaussian_grid(0, 1, base=1), ValueError, "base must be above 1, not 1"),
    ("grid text", lambda: ke.gaussian_grid("a"), TypeError, "low must be a number, not 'a'"),
    ("grid nan", lambda: ke.gaussian_grid(np.nan), ValueError, "low must be finite, not nan"),
    ("grid range", lambda: ke.gaussian_grid(0, 5000), ValueError, "leaves the range of floating"),
    ("grid size", lambda: ke.gaussian_grid(0, 1, 1e-9), ValueError, "take a larger step"),
    ("degrees", lambda: ke.polynomial_grid(3, 1), ValueError, "low = 3 must not exceed high = 1"),
)
def test_kernels(given, kind, said):
    refuses(given, kind, said)


def test_a_process_needs_a_function_of_rows():
    from sklearn.gaussian_process import GaussianProcessRegressor

    refuses(
        lambda: Precomputed(0).params_for(GaussianProcessRegressor),
        ValueError,
        "a Gaussian process needs a function of rows, not Precomputed(0)",
    )


# candidates


def broken(array):
    return lambda x, y: array


@cases(
    (
        "unknown name",
        "gausian",
        ValueError,
        "unknown candidates 'gausian'; did you mean 'gaussian'?",
    ),
    ("strange name", "zzz", ValueError, "known are auto, gaussian"),
    ("no name", "", ValueError, "unknown candidates ''"),
    ("number", 3, TypeError, "kernels must be a list of kernels, callables or kernel matrices"),
    ("dictionary", {"a": ONE[0]}, TypeError, "kernels must be a list of kernels"),
    (
        "numbers",
        [3],
        TypeError,
        "candidate 0 must be a kernel, a callable or a square matrix, not 3",
    ),
    ("text", [*ONE, "rbf"], TypeError, "candidate 1 must be a kernel, a callable or a square"),
    ("class", [ke.Gaussian], TypeError, "not the class Gaussian; make an object of it"),
    ("none", [], ValueError, "kernels is empty; give at least one candidate"),
    ("bare rows", K.tolist(), ValueError, "has shape (12,); put a single matrix into a list"),
    ("four dimensions", K[None, None], ValueError, "of shape (candidates, n, n), but has 4 axes"),
    ("not square", [K[:5]], ValueError, "candidate 0 must be a kernel, a callable or a square"),
    ("ragged", [[[1.0], [1.0, 2.0]]], ValueError, "but has rows of different lengths"),
    ("small", [K[:5, :5]], ValueError, "kernel matrix 0 has shape (5, 5), but y has 12 entries"),
    ("small stack", np.ones((2, 5, 5)), ValueError, "kernel matrix 0 has shape (5, 5), but y has"),
    (
        "asymmetric",
        [K, changed(K, (0, 1), 7)],
        ValueError,
        "kernel matrix 1 is not symmetric (entr",
    ),
    ("nan", [changed(K, (0, 0), np.nan)], ValueError, "kernel matrix 0 contains NaN or infinity"),
    ("nan below", [changed(K, (11, 2), np.nan)], ValueError, "contains NaN or infinity; every"),
    ("infinity", [changed(K, (3, 3), np.inf)], ValueError, "contains NaN or infinity"),
    ("complex", [K + 0j], TypeError, "kernel matrix 0 has entries that are no real numbers"),
    ("text matrix", [K.astype(str)], TypeError, "has entries that are no real numbers"),
    ("objects", [changed(K, (0, 1), "a")], TypeError, "has entries that are no real numbers"),
    ("callable shape", broken(np.ones(3)), ValueError, "gave an array of shape (3,) for 12 and 12"),
    ("callable none", broken(None), ValueError, "it must give the kernel matrix of two arrays"),
    ("callable text", broken("x"), TypeError, "has entries that are no real numbers"),
    ("callable nan", broken(K * np.nan), ValueError, "contains NaN or infinity"),
    ("callable complex", broken(K * 1j), TypeError, "has entries that are no real numbers"),
    ("callable asymmetric", broken(np.triu(K)), ValueError, "is not symmetric (entries differ by"),
)
def test_candidates(given, kind, said):
    refuses(lambda: ke.evaluate(X, Y, given), kind, said)
    refuses(lambda: ke.select(X, Y, given), kind, said)
    if isinstance(given, list) and given:
        refuses(lambda: ke.evaluate(X, Y, iter(given)), kind, said)


def test_large_asymmetric_and_nan_matrices():
    """They are looked at a few hundred rows at a time."""
    k, y = np.eye(700), np.arange(700) % 2
    refuses(lambda: ke.evaluate(None, y, [changed(k, (600, 3), 1e-3)]), ValueError, "up to 0.001)")
    refuses(lambda: ke.evaluate(None, y, [changed(k, (3, 600), np.nan)]), ValueError, "NaN")
    nearly = changed(k, (600, 3), 1e-12)
    assert np.isfinite(ke.evaluate(None, y, [nearly], "kta").scores["kta"]).all()


def test_generators():
    refuses(lambda: ke.evaluate(X, Y, iter([])), ValueError, "kernels gave no candidate; give at")
    refuses(lambda: ke.select(X, Y, iter([])), ValueError, "kernels gave no candidate; give at")

    def fails():
        yield K
        raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError, match="the disk is gone"):
        ke.evaluate(None, Y, fails())


@pytest.mark.parametrize(
    "given", [ONE, ONE[0], [lambda x, y: x @ y.T], iter(ONE), ke.gaussian_grid()]
)
def test_candidates_that_need_rows(given):
    refuses(lambda: ke.evaluate(None, Y, given), ValueError, "needs rows; pass X, or only kernel")


def test_no_rows_and_no_matrices():
    refuses(lambda: ke.evaluate(None, Y), ValueError, "X is None and no kernels are given; pass X")
    refuses(lambda: ke.evaluate(None, Y, "auto"), ValueError, "kernels='auto' needs rows; pass X")


def test_a_function_that_raises_is_heard():
    def kernel(x, y):
        raise ZeroDivisionError("of its own")

    with pytest.raises(ZeroDivisionError, match="of its own"):
        ke.evaluate(X, Y, [kernel])


def test_equal_rows_have_no_distances():
    x = np.ones((12, 2))
    refuses(lambda: ke.evaluate(x, Y, "auto"), ValueError, "needs rows that differ, and all rows")
    refuses(lambda: ke.heuristics.median(x), ValueError, "needs rows that differ, and all rows")


# criteria

FOLDS = "(PredefinedSplit for fold numbers) or (train, test) pairs of indices, not "


@cases(
    ("nearly", "smm", ValueError, "unknown criterion 'smm'; did you mean 'sm'?"),
    ("capitals", "CKTA", ValueError, "did you mean 'ckta'?"),
    ("strange", "zzzz", ValueError, "unknown criterion 'zzzz'; known are sm,"),
    ("parameters", "sm(r=3)", ValueError, "pass the object SM(r=3) of kernelect.criteria"),
    ("number", 3, TypeError, "criteria must be names or objects of kernelect.criteria, not 3"),
    ("none", None, TypeError, "criteria must be names or objects of kernelect.criteria, not None"),
    ("numbers", [3], TypeError, "a criterion is a name or an object of kernelect.criteria, not 3"),
    ("empty", [], ValueError, "criteria is empty; name at least one, for example 'sm'"),
    ("twice", ["sm", "kta", "sm"], ValueError, "criterion 'sm' is given twice; name it once"),
    ("twice otherwise", ["sm", ke.criteria.SM()], ValueError, "criterion 'sm' is given twice"),
)
def test_criteria(given, kind, said):
    refuses(lambda: ke.evaluate(X, Y, ONE, given), kind, said)


@cases(
    ("r zero", lambda c: c.SM(0), ValueError, "sm: r must be from 1 to 1000, not 0"),
    ("r part", lambda c: c.SM(1.5), TypeError, "sm: r must be a whole number, not 1.5"),
    ("r truth", lambda c: c.SM(True), TypeError, "sm: r must be a whole number, not True"),
    ("normalization", lambda c: c.SM(normalization="tr"), ValueError, "'trace' or 'sum', not 'tr'"),
    ("list", lambda c: c.SM(normalization=["sum"]), ValueError, "'trace' or 'sum', not ['sum']"),
    (
        "weighted",
        lambda c: c.SM(weighted=3),
        TypeError,
        "sm: weighted must be True or False, not 3",
    ),
    ("relative", lambda c: c.SM(relative=None), TypeError, "sm: relative must be True or False"),
    ("ckta", lambda c: c.CKTA("cores"), ValueError, "variant must be 'cortes' or 'survey', not"),
    ("ncut", lambda c: c.Ncut("x"), ValueError, "variant must be 'ratio' or 'shi_malik', not 'x'"),
    ("kcsm", lambda c: c.KCSM("yes"), TypeError, "kcsm: bounded must be True or False, not 'yes'"),
    ("hinge", lambda c: c.SMHinge(weighted="no"), TypeError, "sm_hinge: weighted must be True or"),
    ("phi", lambda c: c.SMPhi(weighted="no"), TypeError, "sm_phi: weighted must be True or False"),
    ("stratified", lambda c: c.CV(stratified="no"), TypeError, "cv: stratified must be True or"),
    (
        "shuffled",
        lambda c: c.CV(shuffled=0),
        TypeError,
        "cv: shuffled must be True or False, not 0",
    ),
    (
        "fold numbers",
        lambda c: c.CV(folds=np.arange(60) % 5),
        TypeError,
        FOLDS + "an object of type ndarray",
    ),
    ("fold list", lambda c: c.CV(folds=[0, 1, 0]), TypeError, FOLDS + "[0, 1, 0]"),
    ("fold pairs", lambda c: c.KS(folds=[(0, 1)]), TypeError, FOLDS + "[(0, 1)]"),
    ("fold text", lambda c: c.BIF(folds="five"), TypeError, FOLDS + "'five'"),
    ("fold truth", lambda c: c.CV(folds=True), TypeError, FOLDS + "True"),
)
def test_parameters_of_criteria(given, kind, said):
    refuses(lambda: given(ke.criteria), kind, said)


def test_numpy_parameters_are_as_good():
    assert ke.criteria.SM(np.int64(3), weighted=np.bool_(False)).key == "sm(r=3, weighted=False)"
    assert ke.criteria.KCSM(np.bool_(True)) == ke.criteria.KCSM(True)
    assert ke.criteria.CV(folds=np.int64(3)).key == "cv(folds=3)"


def test_criteria_without_a_form():
    target = RNG.normal(size=12)
    refuses(lambda: ke.evaluate(X, target, ONE, "fsm"), ValueError, "fsm is defined for classific")
    refuses(lambda: ke.evaluate(X, target, ONE, "mmd"), ValueError, "pass task='classification' if")
    three = ["a", "b", "c"] * 4
    refuses(
        lambda: ke.evaluate(X, three, ONE, "ncut"), ValueError, "two classes only, and y has 3;"
    )
    survey = ke.criteria.CKTA("survey")
    refuses(lambda: ke.evaluate(X, three, ONE, survey), ValueError, "for two classes only, and y")


def test_a_criterion_of_unknown_evidence_is_refused():
    class Own(ke.criteria.Criterion):
        name, direction, regression = "own", 1, True

    with pytest.raises(TypeError, match="abstract methods '?column'?, '?needs'?"):
        ke.evaluate(X, Y, ONE, Own())

    class Wrong(Own):
        def needs(self):
            return ke.criteria.Needs(loo=True)

        def column(self, evidence):
            return evidence.ridge.loo.outputs

    refuses(lambda: ke.evaluate(X, Y, ONE, Wrong()), ValueError, "let needs() give Needs(outputs=")

    class Flat(Wrong):
        def column(self, evidence):
            return self.scored(evidence.ridge.loo.squared.mean(axis=-1))

    refuses(lambda: ke.evaluate(X, Y, ONE, Flat()), TypeError, "gave (1, 1) in place of a column")


def test_electing():
    refuses(lambda: ke.select(X, Y, ONE, "stability"), ValueError, "diagnostic without a better or")
    refuses(lambda: ke.select(X, Y, ONE, ["sm"]), TypeError, "a criterion is a name or an object")
    refuses(lambda: ke.select(X, Y, ONE, "smm"), ValueError, "did you mean 'sm'?")
    zero = [np.zeros((12, 12))]
    refuses(lambda: ke.select(None, Y, zero, "sm"), ValueError, "'sm' is undefined for every")


# threads and progress


@cases(
    ("none", {"n_threads": 0}, ValueError, "n_threads must be at least 1, or None for all"),
    ("negative", {"n_threads": -2}, ValueError, "n_threads must be at least 1"),
    ("part", {"n_threads": 1.5}, TypeError, "n_threads must be a whole number or None, not 1.5"),
    ("text", {"n_threads": "2"}, TypeError, "n_threads must be a whole number or None, not '2'"),
    ("truth", {"n_threads": True}, TypeError, "n_threads must be a whole number or None, not True"),
    ("progress", {"progress": 3}, TypeError, "progress must be True, False or a function, not 3"),
    ("progress none", {"progress": None}, TypeError, "progress must be True, False or a function"),
)
def test_options(given, kind, said):
    refuses(lambda: ke.evaluate(X, Y, ONE, **given), kind, said)
    refuses(lambda: ke.select(X, Y, ONE, "sm", **given), kind, said)


def test_a_thousand_thousand_threads_are_no_error():
    wanted = ke.evaluate(X, Y, ONE).scores["sm"]
    assert ke.evaluate(X, Y, ONE, n_threads=10**12).scores["sm"] == wanted


def test_arguments_by_keyword_only():
    with pytest.raises(TypeError, match="positional"):
        ke.evaluate(X, Y, ONE, "sm", "classification")


def test_tables_name_what_they_have():
    table = ke.evaluate(X, Y, ONE, ["sm", "kta"])
    refuses(table.best, ValueError, "name one of the criteria: sm, kta")
    refuses(lambda: table.best("ktaa"), ValueError, "has no criterion 'ktaa'; did you mean 'kta'?")
    refuses(lambda: table.ranking("zzz"), ValueError, "no criterion 'zzz'; it has sm, kta")
