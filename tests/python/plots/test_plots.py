"""Plots, drawn off screen: what they show is what the results hold."""

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
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
    assert {text.get_text() for text in ax.texts} == {"scale", "median"}
    assert ax.get_yticklabels()[-1].get_text() == "winners"
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


def test_one_criterion_needs_no_list(iris):
    X, y = iris
    table = ke.evaluate(X, y, ke.gaussian_grid(0, 3), ["sm", "loo"])
    for one in ("loo", ke.criteria.LOO()):
        assert draw(table.plot(one)).get_lines()[0].get_label().startswith("loo: ")
        assert len(draw(table.plot(one, kind="spectra", X=X)).get_lines()) == len(
            table.plot(["loo"], kind="spectra", X=X).get_lines()
        )


def test_equal_rows_have_no_median_line():
    X, y = np.zeros((20, 2)), np.arange(20) % 2
    ax = draw(ke.evaluate(X, y, ke.gaussian_grid(-3, 3), "loo").plot(X=X))
    assert {text.get_text() for text in ax.texts} == {"scale"}


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
    # Outside of a formula, where 1e-07 is a product and a difference.
    assert ax.get_title(loc="left").endswith(rf"$\lambda$ = {best.lam:.3g}")
    with pytest.raises(ValueError, match="'sm' does not depend on lambda"):
        ke.plots.lambda_map(table, "sm")
    with pytest.raises(ValueError, match="needs scores for several"):
        ke.plots.lambda_map(ke.evaluate(*iris, criteria="loo"))


def test_lambda_map_of_lambdas_in_any_order(iris):
    kernels, lams = ke.gaussian_grid(-1, 1), [1.0, 0.01, 10.0]
    table = ke.evaluate(*iris, kernels, "loo", lam=lams)
    ax = draw(table.plot(kind="lambda_map"))
    (mesh,) = ax.collections
    borders = np.asarray(mesh.get_coordinates())[0, :, 0]
    assert (np.diff(borders) > 0).all()
    for lam, column in zip(lams, table.scores["loo"].T, strict=True):
        place = np.searchsorted(borders, lam) - 1
        np.testing.assert_array_equal(mesh.get_array()[:, place], column)
    assert ax.get_lines()[0].get_xdata() == table.best("loo").lam


def test_lambda_map_without_any_value(iris):
    y = np.arange(20) % 2
    table = ke.evaluate(None, y, [-np.eye(20), -2 * np.eye(20)], "loo", lam=[0.001, 0.1])
    with pytest.raises(ValueError, match="'loo' is undefined for every candidate: "):
        table.plot(kind="lambda_map")
    with pytest.warns(UserWarning, match="was reached"):
        late = ke.evaluate(*iris, ke.gaussian_grid(0, 2), "loo", lam=[0.1, 1.0], time_limit=1e-9)
    with pytest.raises(ValueError, match="every candidate: not reached within time_limit"):
        late.plot(kind="lambda_map")
    assert not plt.get_fignums()


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
    stored = draw(ke.plots.kernel_matrix(ke.Gaussian(2.0)(X[mixed]), y=names))
    np.testing.assert_allclose(stored.get_images()[0].get_array(), image, rtol=1e-12)
    few = draw(ke.plots.kernel_matrix(ke.Gaussian(2.0), X, y, max_rows=50))
    assert few.get_images()[0].get_array().shape == (50, 50)
    numbers = draw(ke.plots.kernel_matrix(ke.Linear(), X, X[:, 0] + 0.001))
    assert "ascending" in numbers.get_xlabel()


def test_spectra_are_shares_of_the_trace(iris):
    X, _ = iris
    kernels = [ke.Gaussian(1.0), ke.Linear(), ke.Gaussian(1.0)(X)]
    ax = draw(ke.plots.spectra(kernels, X))
    narrow, linear, matrix = ax.get_lines()
    values = np.linalg.eigvalsh(ke.Gaussian(1.0)(X))[::-1]
    shown = narrow.get_ydata()
    np.testing.assert_allclose(shown, values[: len(shown)] / 150, rtol=1e-6)
    np.testing.assert_allclose(matrix.get_ydata(), shown, rtol=1e-6)
    assert len(linear.get_ydata()) == 4
    assert [line.get_label() for line in ax.get_lines()][1:] == ["Linear()", "matrix 2"]
    assert ax.get_xscale() == ax.get_yscale() == "log"
    (few,) = draw(ke.plots.spectra(ke.Linear(), X, count=2)).get_lines()
    np.testing.assert_allclose(few.get_ydata(), linear.get_ydata()[:2], rtol=1e-7)


def test_spectra_of_many_rows_are_the_leading_ones():
    X = np.random.default_rng(0).normal(size=(1100, 3))
    kernel = ke.Gaussian(4.0)
    values, vectors = np.linalg.eigh(kernel(X))
    y = X[:, 0] > 0
    (line,) = draw(ke.plots.spectra(kernel, X)).get_lines()
    assert len(line.get_xdata()) == 100
    np.testing.assert_allclose(line.get_ydata(), values[::-1][:100] / 1100, rtol=1e-6)
    (dots,) = draw(ke.plots.label_energy(kernel, X, y)).get_lines()
    np.testing.assert_allclose(dots.get_xdata(), line.get_ydata(), rtol=1e-6)
    centred = y - y.mean()
    energies = (vectors[:, ::-1][:, :100].T @ centred) ** 2 / (centred @ centred)
    np.testing.assert_allclose(dots.get_ydata(), energies, atol=1e-7)


@pytest.mark.parametrize("columns", ["classes", "numbers"])
def test_label_energy_is_the_share_of_the_labels_along_each_eigenvector(iris, columns):
    X, y = iris
    targets = np.eye(3)[y] if columns == "classes" else X[:, :2] ** 2
    kernels = [ke.Gaussian(1.0), ke.Gaussian(16.0)]
    given = y if columns == "classes" else targets
    ax = draw(ke.plots.label_energy(kernels, X, given))
    total = draw(ke.plots.label_energy(kernels, X, given, cumulative=True))
    centred = targets - targets.mean(axis=0)
    for kernel, dots, line in zip(kernels, ax.get_lines(), total.get_lines(), strict=True):
        values, vectors = np.linalg.eigh(kernel(X))
        energies = ((vectors.T @ centred) ** 2 / (centred**2).sum(axis=0)).mean(axis=1)[::-1]
        # Iris has equal rows, but no equal eigenvalues above the rounding errors.
        np.testing.assert_allclose(dots.get_xdata()[:40], values[::-1][:40] / 150, rtol=1e-6)
        np.testing.assert_allclose(dots.get_ydata()[:40], energies[:40], rtol=1e-5, atol=1e-10)
        np.testing.assert_allclose(line.get_ydata()[:40], np.cumsum(energies)[:40], rtol=1e-6)
        assert line.get_ydata()[-1] <= 1.0 + 1e-12
    assert ax.get_xscale() == ax.get_yscale() == total.get_xscale() == "log"
    assert total.get_yscale() == "linear"


def test_energy_at_a_repeated_eigenvalue_is_one_point():
    """The eigenvectors of the identity can be turned at will; what they hold together cannot."""
    y = np.arange(20) % 2
    (dots,) = draw(ke.plots.label_energy(np.eye(20), y=y)).get_lines()
    np.testing.assert_allclose(dots.get_xdata(), [1 / 20])
    np.testing.assert_allclose(dots.get_ydata(), [1.0])


def test_spectra_refuse(iris):
    X, _ = iris
    with pytest.raises(TypeError, match="needs y"):
        ke.plots.label_energy(ke.Linear(), X)
    with pytest.raises(
        ValueError, match="count must be from 1 to the number of rows, 150, not 151"
    ):
        ke.plots.spectra(ke.Linear(), X, count=151)
    with pytest.raises(TypeError, match="a kernel or a kernel matrix is needed, not a str"):
        ke.plots.spectra(["rbf"], X)
    with pytest.raises(ValueError, match="pass the matrix itself"):
        ke.plots.spectra(ke.kernels.Precomputed(0), X)
    with pytest.raises(ValueError, match="no kernels to draw"):
        ke.plots.spectra([], X)
    for one in (5, np.minimum):
        with pytest.raises(TypeError, match="a kernel or a kernel matrix is needed, not a"):
            ke.plots.spectra(one, X)
    for rows in (0, -1, "a", 2.5, True):
        kind = ValueError if type(rows) is int else TypeError
        with pytest.raises(kind, match=f"max_rows must be a whole number.*, not {rows!r}"):
            ke.plots.spectra(ke.Linear(), X, max_rows=rows)
        with pytest.raises(kind, match=f"max_rows must be a whole number.*, not {rows!r}"):
            ke.plots.kernel_matrix(ke.Linear(), X, np.arange(150) % 2, max_rows=rows)
    with pytest.raises(TypeError, match="kernel_matrix needs y, by which"):
        ke.plots.kernel_matrix(ke.Linear(), X)
    with pytest.raises(TypeError, match="kernel_matrix needs X, the rows at which"):
        ke.plots.kernel_matrix(ke.Linear(), y=np.arange(150) % 2)
    with pytest.raises(ValueError, match=r"the kernel matrix has shape \(5, 5\), but y has 150"):
        ke.plots.kernel_matrix(np.eye(5), y=np.arange(150) % 2)
    with pytest.raises(TypeError, match="a result of evaluate or select is needed to draw, not"):
        ke.plots.criterion_curves(5)
    with pytest.raises(ValueError, match="has no positive trace"):
        ke.plots.spectra(np.zeros((5, 5)))
    many = np.random.default_rng(0).normal(size=(12_000, 2))
    with pytest.raises(ValueError, match="12000 x 12000 kernel matrix, 1 GB; pass a sample"):
        ke.plots.label_energy(ke.Gaussian(1.0), many, many[:, 0] > 0, max_rows=12_000)


def test_spectra_of_very_many_rows_are_those_of_a_sample():
    X = np.random.default_rng(0).normal(size=(3000, 2))
    y = np.where(np.arange(3000) < 30, "rare", "common")
    frame = pd.DataFrame(X, columns=["a", "b"])
    kernels = [ke.Gaussian(1.0), ke.on_columns(["b"], ke.Gaussian(1.0))]
    for ax in (
        draw(ke.plots.label_energy(kernels, frame, y, max_rows=200)),
        draw(ke.plots.spectra(kernels, frame, max_rows=200)),
    ):
        assert ax.get_legend().get_title().get_text() == "200 of 3000 rows"
    full = ke.plots.spectra(kernels, frame, count=3).get_lines()
    part = ax.get_lines()
    for whole, sample in zip(full, part, strict=True):
        np.testing.assert_allclose(sample.get_ydata()[:3], whole.get_ydata(), rtol=0.2)


def test_a_kernel_without_any_of_the_labels():
    draw(ke.plots.label_energy(np.ones((20, 20)), y=np.arange(20) % 2))


def test_results_draw_their_winners(iris):
    X, y = iris
    table = ke.evaluate(X, y, criteria=["sm", "kta"])
    winners = {table.best("sm").kernel, table.best("kta").kernel}
    names = {f"$\\tau = {kernel.tau:g}$" for kernel in winners}
    ax = draw(table.plot(kind="label_energy", X=X, y=y))
    shown = {line.get_label() for line in ax.get_lines()}
    assert names < shown
    assert len(shown) == len(names) + 2
    chosen = ke.select(X, y, lam=[0.1, 1.0])
    assert len(draw(chosen.plot(kind="spectra", X=X)).get_lines()) == 3
    assert "loo" in draw(chosen.plot(kind="lambda_map")).get_title(loc="left")
    with pytest.raises(ValueError, match="kind must be one of curves, lambda_map"):
        table.plot(kind="bars")
    with pytest.raises(ValueError, match=r"do not keep the data; call plot\(kind='spectra', X=X\)"):
        table.plot(kind="spectra")
    with pytest.raises(ValueError, match="needs scores for several"):
        table.plot(["sm", "kta"], kind="lambda_map")
