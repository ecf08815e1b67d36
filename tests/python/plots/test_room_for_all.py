"""Everything a picture is asked for is in it: whole legends, all criteria, every kernel's role."""

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

import kernelect as ke
from kernelect.cli import main


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X)[:200], y[:200]


@pytest.fixture(scope="module")
def many(cancer):
    return ke.evaluate(*cancer, ke.gaussian_grid(-4, 8), ke.criteria.names("classification", 2))


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def legend_box(axes):
    axes.figure.canvas.draw()
    return axes.get_legend().get_window_extent()


def holds(outer, inner):
    return (
        outer.x0 <= inner.x0
        and outer.y0 <= inner.y0
        and inner.x1 <= outer.x1
        and (inner.y1 <= outer.y1)
    )


@pytest.mark.parametrize("count", [4, 12, None])
def test_the_legend_is_whole_and_leaves_room_for_the_curves(cancer, many, count):
    axes = many.plot(list(many.columns)[:count], X=cancer[0])
    box = legend_box(axes)
    assert len(axes.get_legend().get_texts()) == len(list(many.columns)[:count])
    assert holds(axes.figure.bbox, box)
    assert not axes.get_window_extent().overlaps(box)
    assert axes.get_window_extent().width > 3.5 * axes.figure.dpi


def test_long_keys_do_not_press_the_curves_together(cancer):
    table = ke.evaluate(
        *cancer, [2 * ke.Gaussian(1.0) + ke.Linear(), ke.Gaussian(2.0)], "loo", scoring="accuracy"
    )
    axes = table.plot()
    assert holds(axes.figure.bbox, legend_box(axes))
    assert axes.get_window_extent().width > 3 * axes.figure.dpi


def test_the_legend_on_the_command_line_is_whole(cancer, tmp_path, monkeypatch):
    """There the figure has a title as well."""
    X, y = cancer
    np.savez(tmp_path / "cancer.npz", X=X, y=y)
    whole = []
    save = mpl.figure.Figure.savefig

    def looked_at(figure, *args, **options):
        whole.append(holds(figure.bbox, legend_box(figure.axes[0])))
        save(figure, *args, **options)

    monkeypatch.setattr(mpl.figure.Figure, "savefig", looked_at)
    asked = ["evaluate", str(tmp_path / "cancer.npz"), "--criteria", "all", "--grid", "0:6"]
    assert main([*asked, "--plot", str(tmp_path / "all.png")]) == 0
    assert whole == [True]


@pytest.mark.parametrize(("count", "size"), [(4, (9, 3.5)), (None, (11, 4))])
def test_on_given_axes_the_legend_keeps_to_them(many, count, size):
    _, (left, right) = plt.subplots(1, 2, figsize=size)
    many.plot(list(many.columns)[:count], ax=left)
    box = legend_box(left)
    assert holds(left.get_window_extent(), box)
    assert not right.get_tightbbox().overlaps(box)


def test_a_shortlisted_kernel_is_not_drawn_as_the_worst(cancer):
    chosen = ke.select(*cancer)
    axes = chosen.plot()
    lines = {line.get_label(): np.asarray(line.get_ydata()) for line in axes.get_lines()}
    (label,) = [label for label in lines if label.startswith("loo: ")]
    assert label.endswith(f"(of {len(chosen.verified)} seen)")
    losses = chosen.table.scores["loo"][chosen.verified]
    np.testing.assert_allclose(lines[label][chosen.verified], losses.min() / losses)
    assert lines[label][chosen.verified].min() > 0


def test_shares_of_the_best_whatever_the_sign(cancer):
    X, y = cancer
    for target, scoring in ((y, "accuracy"), (X[:, 0] ** 2, "neg_mean_squared_error")):
        chosen = ke.select(X, target, scoring=scoring)
        axes = chosen.plot([chosen.decisive])
        heights = np.asarray(axes.get_lines()[0].get_ydata())[chosen.verified]
        values = chosen.table.scores[chosen.decisive][chosen.verified]
        wanted = values / values.max() if values.max() > 0 else values.max() / values
        np.testing.assert_allclose(heights, wanted)


def test_a_map_of_lambdas_for_each_criterion(cancer):
    lams = [0.01, 0.1, 1.0]
    table = ke.evaluate(*cancer, ke.gaussian_grid(1, 5), ["sm", "loo", "cv"], lam=lams)
    first = ke.plots.lambda_map(table)
    maps = [panel for panel in first.figure.axes if panel.get_title(loc="left")]
    assert maps[0] is first
    for key, panel in zip(("loo", "cv"), maps, strict=True):
        assert panel.get_title(loc="left").startswith(f"{key} ")
        np.testing.assert_allclose(panel.collections[0].get_array(), table.scores[key])
    named = table.plot(["cv", "loo"], kind="lambda_map")
    assert named.get_title(loc="left").startswith("cv ")
    (one,) = table.plot("cv", kind="lambda_map").figure.axes[:-1]
    assert one.get_title(loc="left").startswith("cv ")
    _, axes = plt.subplots()
    with pytest.raises(ValueError, match="room for the map of one criterion, not 2: name one of"):
        ke.plots.lambda_map(table, ax=axes)


def test_kernels_that_nobody_elected_are_said_to_be_there_for_contrast(cancer):
    X, y = cancer
    chosen = ke.select(X, y)
    for kind in ("spectra", "label_energy"):
        axes = chosen.plot(kind=kind, X=X, y=y)
        labels = [text.get_text() for text in axes.get_legend().get_texts()]
        contrast = [label for label in labels if label.endswith(", for contrast")]
        assert len(contrast) == 2
        assert len(labels) == 3
    noted = ke.plots.spectra([ke.Linear(), ke.Gaussian(1.0)], X, notes=["", "mine"])
    texts = [text.get_text() for text in noted.get_legend().get_texts()]
    assert texts == ["Linear()", "Gaussian(tau=1.0), mine"]
    for wrong in (["one"], "ab"):
        with pytest.raises(ValueError, match="a text for each of the 2 kernels"):
            ke.plots.spectra([ke.Linear(), ke.Gaussian(1.0)], X, notes=wrong)


@pytest.mark.parametrize("count", [1, 3, 31, 500])
def test_any_number_of_candidates_has_room(cancer, count):
    X, y = cancer[0][:60], cancer[1][:60]
    kernels = [ke.Gaussian(float(tau)) for tau in np.geomspace(1.0, 1e4, count)]
    table = ke.evaluate(X, y, kernels, ["sm", "loo"], lam=[0.1, 1.0])
    few = kernels[:: max(1, count // 31)]
    drawn = [
        table.plot(X=X),
        table.plot("loo", kind="lambda_map"),
        ke.plots.spectra(few, X),
        ke.plots.label_energy(few, X, y),
        ke.plots.label_energy(few, X, y, cumulative=True),
    ]
    for axes in drawn:
        figure = axes.figure
        figure.canvas.draw()
        drawn_on = figure.get_tightbbox().transformed(figure.dpi_scale_trans)
        assert holds(figure.bbox.padded(1), drawn_on)
        assert axes.get_window_extent().width > 3 * figure.dpi
        if (legend := axes.get_legend()) is not None:
            assert not axes.get_window_extent().overlaps(legend.get_window_extent())


def test_a_long_grid_is_told_by_a_colour_bar_and_notes_keep_their_names(cancer):
    X, y = cancer
    axes = ke.plots.spectra(ke.gaussian_grid(-3, 9), X)
    assert len({tuple(line.get_color()) for line in axes.get_lines()}) == 13
    assert axes.get_legend() is None
    (bar,) = [other for other in axes.figure.axes if other is not axes]
    assert "squared width" in bar.get_ylabel()
    notes = ["", "mine", *[""] * 11]
    noted = ke.plots.label_energy(ke.gaussian_grid(-3, 9), X, y, notes=notes)
    assert [text.get_text() for text in noted.get_legend().get_texts()] == [r"$\tau = 0.25$, mine"]


def test_kernels_without_a_common_axis_are_named_as_far_as_a_legend_goes(cancer):
    kernels = [ke.Linear(), *ke.gaussian_grid(-12, 12)]
    legend = ke.plots.spectra(kernels, cancer[0]).get_legend()
    assert len(legend.get_texts()) == 20
    assert legend.get_title().get_text() == "6 more not named"


@pytest.mark.parametrize("count", [3, 31, 500])
def test_on_given_axes_the_legend_covers_no_point(cancer, count):
    X, y = cancer
    candidates = [ke.Gaussian(2.0**power) for power in np.linspace(-9, 13, count)]
    table = ke.evaluate(X[:80], y[:80], candidates, criteria=["sm", "ckta", "loo", "kta"])
    _, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    table.plot(kind="label_energy", X=X[:80], y=y[:80], ax=left)
    box = legend_box(left)
    assert holds(left.get_window_extent(), box)
    assert not right.get_tightbbox().overlaps(box)
    points = [left.transData.transform(line.get_xydata()) for line in left.get_lines()]
    assert not box.count_contains(np.concatenate(points))
    assert len(left.get_legend().get_texts()) == len(left.get_lines())
    high = [tick for tick in left.get_yticks() if tick > 2.0]
    assert not high  # shares end at 1, whatever stands above them
