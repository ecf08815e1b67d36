"""Plots, drawn off screen: what they show is what the results hold."""

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

import kernelect as ke


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def draw(ax):
    """Render, so that text which cannot be drawn shows."""
    ax.figure.canvas.draw()
    return ax


def test_curves_show_scores_and_winners(iris):
    X, y = iris
    table = ke.evaluate(X, y, criteria=["sm", "loo", "stability"])
    ax = draw(table.plot(X=X))
    lines = {line.get_label(): line for line in ax.get_lines()}
    taus = [kernel.tau for kernel in table.kernels]
    sm = lines["sm: $\\tau = 2$"]
    np.testing.assert_allclose(sm.get_xdata(), taus)
    scores = table.scores["sm"]
    np.testing.assert_allclose(sm.get_ydata(), (scores - scores.min()) / np.ptp(scores))
    loo = lines["loo: $\\tau = 1$"].get_ydata()
    loss = table.scores["loo"]
    np.testing.assert_allclose(loo, (loss.max() - loss) / np.ptp(loss))
    mark = lines["_winner of loo"]
    assert mark.get_xdata() == table.best("loo").kernel.tau
    assert mark.get_ydata() > 1.0
    assert "stability (diagnostic)" in lines
    assert "_winner of stability" not in lines
    assert ax.get_xscale() == "log"
    assert "tau" in ax.get_xlabel()
    assert {text.get_text() for text in ax.texts} == {"scale", "median", "winners"}
    heuristics = [ke.heuristics.scale(X).tau, ke.heuristics.median(X).tau]
    vertical = [line.get_xdata()[0] for line in ax.get_lines() if len(set(line.get_xdata())) == 1]
    assert set(heuristics) <= set(vertical)


def test_curves_of_an_election_leave_gaps(iris):
    X, y = iris
    chosen = ke.select(X, y)
    ax = draw(chosen.plot(["loo"]))
    heights = ax.get_lines()[0].get_ydata()
    assert list(np.flatnonzero(np.isfinite(heights))) == chosen.verified


@pytest.mark.parametrize(
    ("kernels", "label"),
    [
        ([ke.Linear(), ke.Gaussian(1.0), ke.Polynomial(2)], ""),
        (ke.polynomial_grid(1, 3), "degree"),
        ([ke.Laplacian(g) for g in (0.1, 1.0, 10.0)], "Laplacian"),
        ([ke.Matern(1.5, g) for g in (0.1, 1.0, 10.0)], "length scale"),
    ],
)
def test_curves_of_other_candidates(iris, kernels, label):
    ax = draw(ke.evaluate(*iris, kernels, ["sm", "loo"]).plot())
    assert label in ax.get_xlabel()
    if not label:
        assert ax.get_xticklabels()[0].get_text() == "Linear()"


def test_given_axes_are_used(iris):
    _, axes = plt.subplots()
    assert ke.evaluate(*iris, ke.gaussian_grid(0, 3), "sm").plot(ax=axes) is axes
    with pytest.raises(ValueError, match="no criterion 'kta'"):
        ke.evaluate(*iris, ke.gaussian_grid(0, 3), "sm").plot(["kta"])


@pytest.mark.parametrize("lam", [[0.01, 0.1, 1.0, 10.0], "auto"])
def test_lambda_map(iris, lam):
    table = ke.evaluate(*iris, ke.gaussian_grid(-3, 4), ["sm", "loo"], lam=lam)
    ax = draw(ke.plots.lambda_map(table))
    (mesh,) = ax.collections
    np.testing.assert_allclose(mesh.get_array(), table.scores["loo"])
    (mark,) = ax.get_lines()
    best = table.best("loo")
    assert mark.get_ydata() == best.kernel.tau
    if lam != "auto":
        assert mark.get_xdata() == best.lam
    assert f"{best.lam:.3g}" in ax.get_title(loc="left")
    with pytest.raises(ValueError, match="'sm' does not depend on lambda"):
        ke.plots.lambda_map(table, "sm")
    with pytest.raises(ValueError, match="needs scores for several"):
        ke.plots.lambda_map(ke.evaluate(*iris, criteria="loo"))


def test_lambda_map_of_a_search_shows_what_was_seen(iris):
    chosen = ke.select(*iris, lam="auto")
    (mesh,) = draw(ke.plots.lambda_map(chosen)).collections
    shown = mesh.get_array()
    assert np.isfinite(chosen.table.scores["loo"]).sum() == shown.count()
    assert shown.min() == pytest.approx(chosen.score)
    assert shown.shape[0] < len(chosen.table.kernels)


def test_kernel_matrix_sorted_by_class(iris):
    X, y = iris
    mixed = np.random.default_rng(0).permutation(150)
    names = np.array(["c", "a", "b"])[y][mixed]
    ax = draw(ke.plots.kernel_matrix(ke.Gaussian(2.0), X[mixed], names))
    image = ax.get_images()[0].get_array()
    order = np.argsort(names, kind="stable")
    np.testing.assert_allclose(image, ke.Gaussian(2.0)(X[mixed][order]), rtol=1e-12)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["a", "b", "c"]
    few = draw(ke.plots.kernel_matrix(ke.Gaussian(2.0), X, y, max_rows=50))
    assert few.get_images()[0].get_array().shape == (50, 50)
    numbers = draw(ke.plots.kernel_matrix(ke.Linear(), X, X[:, 0] + 0.001))
    assert "ascending" in numbers.get_xlabel()


def test_spectra_are_shares_of_the_trace(iris):
    X, _ = iris
    kernels = [ke.Gaussian(1.0), ke.Linear()]
    ax = draw(ke.plots.spectra(kernels, X))
    wide, linear = ax.get_lines()
    values = np.linalg.eigvalsh(ke.Gaussian(1.0)(X))[::-1]
    np.testing.assert_allclose(wide.get_ydata(), values[: len(wide.get_ydata())] / 150, rtol=1e-6)
    assert len(linear.get_ydata()) == 4
    assert len(draw(ke.plots.spectra(ke.Linear(), X, max_rows=20)).get_lines()) == 1
