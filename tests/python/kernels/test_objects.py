"""Callables on strings, graphs and other objects as candidates."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC

import kernelect as ke

RNG = np.random.default_rng(0)
Y = np.arange(60) % 2
WORDS = ["".join(RNG.choice(list("abcd" if k else "cdef"), size=RNG.integers(4, 9))) for k in Y]
LETTERS = "abcdef"


def counts(words):
    return np.array([[word.count(letter) for letter in LETTERS] for word in words], dtype=float)


def spectrum(left, right):
    return counts(left) @ counts(right).T


def common(s, t):
    return float(len(set(s) & set(t)))


COMMON = ke.kernels.Function(common, pairwise=True)
KERNELS = [spectrum, COMMON]


@pytest.mark.parametrize("given", [list, tuple, np.array, pd.Series])
def test_strings(given):
    words = given(WORDS)
    criteria = ["sm", "kta", "loo"]
    found = ke.evaluate(words, Y, KERNELS, criteria)
    stored = [spectrum(WORDS, WORDS), np.array([[common(s, t) for t in WORDS] for s in WORDS])]
    wanted = ke.evaluate(None, Y, stored, criteria)
    for key in criteria:
        np.testing.assert_array_equal(found.scores[key], wanted.scores[key])
    for kernel, matrix in zip(found.kernels, stored, strict=True):
        np.testing.assert_array_equal(kernel(words), matrix)
        np.testing.assert_array_equal(kernel(WORDS[:5], WORDS), matrix[:5])
    assert ke.select(words, Y, KERNELS).kernel == found.best("loo").kernel
    assert ke.select(words, Y, iter(KERNELS), "sm").kernel == found.best("sm").kernel


def test_any_objects():
    class Graph:
        def __init__(self, edges):
            self.edges = set(edges)

        def __iter__(self):
            return iter(self.edges)

    graphs = [Graph([(0, k), *((i, i + 1) for i in range(3 + 2 * k))]) for k in Y]
    shared = ke.kernels.Function(lambda a, b: len(a.edges & b.edges), pairwise=True)
    assert ke.select(graphs, Y, shared, "sm").score > 0
    series = [np.sin(np.arange(5 + i % 4) * (1 + k)) for i, k in enumerate(Y)]  # of any length
    means = ke.kernels.Function(lambda a, b: float(a.mean() * b.mean()), pairwise=True)
    assert ke.evaluate(series, Y, [means], "loo").scores["loo"].shape == (1,)
    dicts = [{"a": k, "b": "text"} for k in Y]
    same = ke.kernels.Function(lambda a, b: float(a == b), pairwise=True)
    assert ke.select(dicts, Y, same, "loo").held_out_score == 1.0


def test_pairs_are_called_once_and_on_tables_too():
    seen = []

    def product(a, b):
        seen.append(1)
        return float(a @ b)

    X = RNG.normal(size=(8, 3))
    kernel = ke.kernels.Function(product, pairwise=True)
    assert kernel(X) == pytest.approx(X @ X.T)
    assert len(seen) == 36
    assert kernel(X, X[:2]) == pytest.approx(X @ X[:2].T)
    assert kernel.diag(X) == pytest.approx((X**2).sum(axis=1))
    assert ke.kernels.Function(common) != COMMON
    with pytest.raises(TypeError, match="pairwise"):
        ke.kernels.Function(common, pairwise="yes")


def test_weights_search_and_files(tmp_path):
    weights = np.arange(60) % 3
    chosen = ke.select(WORDS, Y, KERNELS, lam="auto", sample_weight=weights)
    some = [word for word, weight in zip(WORDS, weights, strict=True) if weight]
    by_hand = ke.select(
        some, Y[weights > 0], KERNELS, lam="auto", sample_weight=weights[weights > 0]
    )
    assert chosen.score == by_hand.score
    ke.save(chosen, tmp_path / "chosen.json")
    functions = {"spectrum": spectrum, "common": common}
    assert ke.load(tmp_path / "chosen.json", functions) == chosen


@pytest.mark.parametrize("estimator", [SVC(), KernelRidge(), None])
def test_kernel_selector(estimator):
    ridge = isinstance(estimator, KernelRidge)
    task, target = ("auto", Y.astype(float)) if ridge else ("classification", Y)
    model = ke.KernelSelector(estimator, KERNELS, task=task).fit(WORDS, target)
    if estimator is not None:
        assert model.best_params_["kernel"] == "precomputed"
    new = WORDS[::7]
    matrix = model.best_kernel_(new, WORDS)
    np.testing.assert_array_equal(model.predict(new), model.best_estimator_.predict(matrix))
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(new), model.predict(new))
    if estimator is None:
        assert cross_val_score(ke.KernelSelector(SVC(), KERNELS), WORDS, Y).mean() > 0.9


def test_kernel_selector_with_rows_of_no_weight():
    weights = (np.arange(60) % 3).astype(float)
    model = ke.KernelSelector(SVC(), [spectrum], "loo").fit(WORDS, Y, sample_weight=weights)
    some = [word for word, weight in zip(WORDS, weights, strict=True) if weight]
    alone = SVC(kernel="precomputed").fit(
        spectrum(some, some), Y[weights > 0], weights[weights > 0]
    )
    np.testing.assert_array_equal(model.predict(WORDS), alone.predict(spectrum(WORDS, some)))


def test_refused():
    with pytest.raises(TypeError, match=r"Gaussian\(tau=1.0\) needs rows of numbers, but X holds"):
        ke.evaluate(WORDS, Y, [spectrum, ke.Gaussian(1.0)])
    with pytest.raises(ValueError, match="X has 59 rows, but y has 60 entries"):
        ke.evaluate(WORDS[1:], Y, KERNELS)
    with pytest.raises(ValueError, match="rows of different lengths"):
        ke.evaluate([[1.0, 2.0], [3.0]], [0, 1], [ke.Gaussian(1.0)])
    with pytest.raises(ValueError, match="missing values"):
        ke.evaluate([[1.0, np.nan], [3.0, 1.0]], [0, 1], [lambda a, b: a @ b.T])
    with pytest.raises(ValueError, match=r"gave an array of shape \(2, 2\) for 60 and 60 rows"):
        ke.evaluate(WORDS, Y, [lambda a, b: np.eye(2)])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ke.KernelSelector(SVC(), KERNELS).fit(WORDS[1:], Y)
    with pytest.raises(ValueError, match="Gaussian process needs a function of rows"):
        ke.KernelSelector(GaussianProcessClassifier(), KERNELS).fit(WORDS, Y)


@pytest.mark.parametrize(
    "action",
    [
        lambda: ke.evaluate(WORDS, Y),
        lambda: ke.KernelSelector(SVC()).fit(WORDS, Y),
        lambda: ke.LSSVMClassifier(COMMON).fit(WORDS, Y),
        lambda: ke.LSSVMRegressor("auto").fit(np.array(WORDS), Y),
        lambda: ke.MKLClassifier("average", KERNELS).fit(WORDS, Y),
    ],
)
def test_who_does_not_take_objects_says_who_does(action):
    said = r"X holds objects, not rows of numbers; .* KernelSelector\(kernels=\[function\]\)"
    with pytest.raises(ValueError, match=said):
        action()


def test_report_on_objects(tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    chosen = ke.select(WORDS, Y, KERNELS)
    chosen.report(tmp_path / "report.html", X=WORDS, y=Y)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for part in ("confusion of classes", "share of the labels at each eigenvalue"):
        assert f'aria-label="{part}"' in page
    assert f"accuracy {chosen.held_out_score:.4g}" in page


def test_a_model_of_objects_is_no_file(tmp_path):
    model = ke.KernelSelector(SVC(), KERNELS).fit(WORDS, Y)
    with pytest.raises(TypeError, match="X_fit_ holds 60 objects that are no rows of numbers"):
        ke.save(model, tmp_path / "model.npz")
