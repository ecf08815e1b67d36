"""Pictures in small panels, and of many unrelated kernels: nothing cut, nothing over another."""

from itertools import pairwise

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

import kernelect as ke
from kernelect.plots._decision import decision
from kernelect.plots._labels import fit_text
from kernelect.plots._predictions import ordered
from kernelect.plots._style import short_names


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X)[:80], y[:80]


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def unrelated(count):
    """Return kernels of two families, whose widths have many digits."""
    half = count // 2
    narrow = [ke.Gaussian(float(tau)) for tau in np.geomspace(0.013, 1e4, half)]
    return narrow + [ke.Laplacian(float(rate)) for rate in np.geomspace(1e-3, 30.0, count - half)]


def test_names_have_four_digits_unless_that_makes_them_equal():
    assert short_names([ke.Gaussian(21.34603755), ke.Linear()])[0] == "Gaussian(tau=21.35)"
    near = [ke.Gaussian(21.34603755), ke.Gaussian(21.34603756), ke.Linear()]
    assert len(set(short_names(near))) == 3


def test_long_names_are_cut_where_they_are_alike():
    family = [ke.RationalQuadratic(1.0, float(scale)) for scale in (1, 2, 3)]
    names = short_names([ke.Linear(), *family], 24)
    assert names[:2] == ["Linear()", "Rational…ngth_scale=1.0)"]
    assert len(set(names)) == 4
    assert short_names([ke.Linear(), family[0]], 24)[1] == "RationalQuadratic(alpha…"


@pytest.mark.parametrize("lam", ["auto", [0.1, 1.0]])
def test_a_map_of_many_unrelated_kernels_names_those_it_has_room_for(cancer, lam):
    kernels = unrelated(60)
    result = ke.evaluate(*cancer, kernels, "loo", lam=lam)
    axes = ke.plots.lambda_map(result)
    axes.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in axes.get_yticklabels()]
    assert 10 <= len(boxes) <= 20
    assert not any(one.overlaps(after) for one, after in pairwise(boxes))


def test_a_map_leaves_out_candidates_that_no_search_looked_at(cancer):
    chosen = ke.select(*cancer, unrelated(60), lam="auto")
    axes = ke.plots.lambda_map(chosen)
    values = chosen.table.columns[chosen.decisive].values
    seen = np.flatnonzero(np.isfinite(values).any(axis=1))
    assert axes.collections[0].get_array().shape[0] == len(seen)
    (star,) = axes.get_lines()
    assert star.get_ydata() == [list(seen).index(chosen.index)]


@pytest.mark.parametrize("kernels", [ke.gaussian_grid(-4, 8), unrelated(3), unrelated(100)])
def test_labels_are_no_longer_than_their_side_of_a_small_panel(cancer, kernels):
    X, y = cancer
    table = ke.evaluate(X, y, kernels, ["sm", "kta", "loo"], lam=[0.1, 1.0])
    figure, panels = plt.subplots(2, 2, figsize=(6.3, 4.2), layout="constrained")
    table.plot(X=X, ax=panels[0, 0])
    table.plot("loo", kind="lambda_map", ax=panels[0, 1])
    table.plot(kind="spectra", X=X, ax=panels[1, 0])
    ke.plots.kernel_matrix(kernels[0], X, y, ax=panels[1, 1])
    figure.canvas.draw()
    for panel in panels.flat:
        room = panel.get_window_extent()
        assert panel.xaxis.label.get_window_extent().width < 1.05 * room.width
        assert panel.yaxis.label.get_window_extent().height < 1.05 * room.height
        assert room.width > 0.9 * figure.dpi
        if (legend := panel.get_legend()) is not None:
            letters = legend.get_texts()[0].get_fontsize()
            assert letters <= panel.xaxis.label.get_fontsize()


def test_large_axes_keep_the_usual_size_of_letters(cancer):
    table = ke.evaluate(*cancer, ke.gaussian_grid(-2, 4), ["sm", "kta"])
    _, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    table.plot(ax=axes)
    assert axes.xaxis.label.get_fontsize() == mpl.rcParams["font.size"]
    assert "\n" not in axes.get_xlabel()


@pytest.mark.parametrize("count", [1, 3, 31, 500])
def test_relevances_are_whole_whatever_the_names(count):
    shares = {f"column {i}, as it was called in the questionnaire": 1 / count for i in range(count)}
    axes = ke.plots.relevance(shares)
    figure = axes.figure
    figure.canvas.draw()
    drawn = figure.get_tightbbox().transformed(figure.dpi_scale_trans)
    assert figure.bbox.x0 - 1 <= drawn.x0
    assert figure.bbox.y0 - 1 <= drawn.y0
    assert drawn.x1 <= figure.bbox.x1 + 1
    assert drawn.y1 <= figure.bbox.y1 + 1


def test_relevances_in_a_small_panel_are_as_many_as_it_has_room_for():
    _, axes = plt.subplots(figsize=(3, 2), layout="constrained")
    ke.plots.relevance({f"column {i}": 1 / 60 for i in range(60)}, ax=axes)
    axes.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in axes.get_yticklabels()]
    assert axes.get_yticklabels()[-1].get_text().endswith(" others")
    assert not any(one.overlaps(after) for one, after in pairwise(boxes))


def test_candidates_are_counted_in_whole_numbers(cancer):
    kernels = unrelated(14)
    table = ke.evaluate(*cancer, kernels, ["sm", "kta"])
    ticks = table.plot().get_xticks()
    assert len(ticks) > 2
    assert all(float(tick).is_integer() for tick in ticks)
    assert all(
        float(tick).is_integer() for tick in decision(ke.select(*cancer, kernels)).get_xticks()
    )


def test_kernels_beside_a_grid_have_their_names(cancer):
    others = [ke.Linear(), ke.Polynomial(2), ke.Laplacian(0.05)]
    axes = ke.evaluate(*cancer, [*ke.gaussian_grid(-5, 8), *others], ["sm", "loo"]).plot()
    axes.figure.canvas.draw()
    names = dict(zip(axes.get_xticks(), axes.get_xticklabels(), strict=True))
    assert [names[place].get_text() for place in (14, 15, 16)] == [str(kernel) for kernel in others]
    assert names[0].get_text() == "Gaussian(tau=2^-5)"
    assert 6 <= len(names) <= 12
    assert axes.get_xlabel() == ""


def test_a_line_that_fits_stays_whole_beside_one_that_does_not():
    _, axes = plt.subplots(figsize=(6, 4))
    axes.set_title("a line that fits\n" + "and one that does not, " * 5, loc="left")
    fit_text(axes)
    lines = axes.get_title(loc="left").split("\n")
    assert lines[0] == "a line that fits"
    assert len(lines) > 2


def test_rows_in_order_are_counted_in_whole_numbers():
    axes = ordered(np.array([3.0, 1.0, 2.0]), None)
    assert all(tick == round(tick) for tick in axes.get_xticks())


@pytest.mark.parametrize("narrow", ["scale", "median"])
def test_names_of_widths_point_away_from_one_another(cancer, narrow):
    X, y = cancer
    if narrow == "median":  # one long column: a large variance, and rows that are near otherwise
        X = np.column_stack([X[:, :1] ** 9, X[:, 1:3]])
    widths = {name: getattr(ke.heuristics, name)(X).tau for name in ("scale", "median")}
    assert min(widths, key=widths.get) == narrow
    low, high = (round(np.log2(side)) for side in (min(widths.values()), max(widths.values())))
    axes = ke.evaluate(X, y, ke.gaussian_grid(low - 2, high + 2), "sm").plot(X=X)
    sides = {text.get_text(): text.get_horizontalalignment() for text in axes.texts}
    assert sides.pop(narrow) == "right"
    assert set(sides.values()) == {"left"}
