"""A Python function as a criterion."""

import numpy as np
import pytest
from problems import problem
from sklearn.svm import SVC

import kernelect as ke

GRID = ke.gaussian_grid(-2, 4)
X, Y = problem("binary", n=50)


def contrast(K, y):
    same = y[:, None] == y
    return K[same].mean() - K[~same].mean()


def test_values_are_those_of_the_function():
    labels = np.where(Y == 1, "yes", "no")
    table = ke.evaluate(X, labels, GRID, ["sm", contrast])
    wanted = [contrast(kernel(X), labels) for kernel in GRID]
    assert table.scores["contrast"] == pytest.approx(wanted, rel=1e-12)
    assert table.direction["contrast"] == 1
    assert table.best("contrast").index == np.argmax(wanted)
    for given in (contrast, ke.criteria.OfMatrix(contrast)):
        alone = ke.evaluate(X, labels, GRID, given)
        np.testing.assert_array_equal(alone.scores["contrast"], table.scores["contrast"])
    chosen = ke.select(X, labels, GRID, contrast)
    assert chosen.index == np.argmax(wanted)
    assert chosen.criterion == "contrast"
    model = ke.KernelSelector(SVC(), GRID, contrast).fit(X, labels)
    assert model.best_kernel_ == chosen.kernel


def test_direction_name_and_numbers_to_predict():
    x, y = problem("regression", n=40)

    def distance(K, y):
        return float(np.linalg.norm(K - np.outer(y, y)))

    least = ke.criteria.OfMatrix(distance, direction=-1, called="frobenius")
    table = ke.evaluate(x, y, GRID, [least, ke.criteria.OfMatrix(distance, 0)])
    wanted = [distance(kernel(x), y) for kernel in GRID]
    assert table.best("frobenius").index == np.argmin(wanted)
    assert table.winner("distance") is None
    both = np.column_stack([y, -y])
    shapes = []
    ke.evaluate(x, both, GRID[:1], lambda K, y: shapes.append((K.shape, y.shape)) or 1.0)
    assert shapes == [((40, 40), (40, 2))]


def test_every_kind_of_candidate(tmp_path):
    def cosine(a, b):
        return (a @ b.T) / np.linalg.norm(a, axis=1)[:, None] / np.linalg.norm(b, axis=1)

    kernels = [ke.Gaussian(1.0), cosine, ke.Linear()(X)]
    table = ke.evaluate(X, Y, kernels, ["loo", contrast])
    wanted = [contrast(K, Y) for K in (ke.Gaussian(1.0)(X), cosine(X, X), ke.Linear()(X))]
    assert table.scores["contrast"] == pytest.approx(wanted)
    matrices = np.array([kernel(X) for kernel in GRID])
    before = matrices.copy()
    stored = ke.evaluate(None, Y, matrices, contrast)
    assert stored.scores["contrast"] == pytest.approx([contrast(K, Y) for K in matrices])
    assert matrices.flags.writeable
    np.testing.assert_array_equal(matrices, before)
    ke.save(stored, tmp_path / "table.json")
    assert ke.load(tmp_path / "table.json") == stored
    assert "contrast" in stored.plot().get_legend_handles_labels()[1][0]


def test_what_is_no_number_is_the_worst():
    def some(K, y):
        return np.nan if K[0, 1] < 0.5 else K[0, 1]

    table = ke.evaluate(X, Y, GRID, some)
    assert table.reasons["some"][0] == "the value is not a number"
    assert table.scores["some"][0] == -np.inf


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (lambda K, y: "much", TypeError, "'<lambda>' must give a number, but gave 'much' for Gau"),
        (lambda K, y: K, TypeError, "must give a number, but gave an object of type ndarray"),
        (lambda K, y: 1 / 0, ValueError, r"failed on the matrix of Gaussian\(tau=0.25\) \(ZeroDiv"),
        (lambda K, y: K.fill(0.0), ValueError, "read-only"),
        (lambda K: 1.0, ValueError, "TypeError: .*takes 1 positional argument"),
    ],
)
def test_errors_name_the_function_and_the_candidate(function, error, message):
    with pytest.raises(error, match=message):
        ke.evaluate(X, Y, GRID, function)


def test_refused():
    with pytest.raises(TypeError, match="needs a function of K and y, not 'sm'"):
        ke.criteria.OfMatrix("sm")
    with pytest.raises(ValueError, match="direction must be 1, -1 or 0, not 2"):
        ke.criteria.OfMatrix(contrast, 2)
    with pytest.raises(ValueError, match="'<lambda>' is given twice"):
        ke.evaluate(X, Y, GRID, [lambda K, y: 1.0, lambda K, y: 2.0])
    with pytest.raises(TypeError, match="or a function of K and y, not 5"):
        ke.evaluate(X, Y, GRID, [5])


def test_a_limit_of_time_leaves_candidates_out():
    import time

    def slow(K, y):
        time.sleep(0.3)
        return K.mean()

    with pytest.warns(UserWarning, match="was reached"):
        table = ke.evaluate(X, Y, GRID, ["sm", slow], time_limit=0.5, n_threads=1)
    assert table.partial
    assert 0 < table.column("slow").known.sum() < len(GRID)
