"""Bars of columns, the most relevant on top."""

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest

import kernelect as ke


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def test_bars_of_a_refinement():
    X = np.random.default_rng(0).normal(size=(100, 3))
    chosen = ke.refine(X, np.sin(2 * X[:, 1]))
    for given in (chosen, chosen.refinement, chosen.refinement.relevance):
        ax = ke.plots.relevance(given)
        ax.figure.canvas.draw()
        assert ax.get_yticklabels()[0].get_text() == "x1"
        widths = [bar.get_width() for bar in ax.patches]
        assert widths == sorted(widths, reverse=True)
        assert sum(widths) == pytest.approx(100.0)


def test_many_columns_are_added_up():
    ax = ke.plots.relevance({f"c{j}": 0.1 for j in range(10)}, most=3)
    assert ax.get_yticklabels()[-1].get_text() == "7 others"
    assert ax.patches[-1].get_width() == pytest.approx(70.0)


def test_refuses_what_has_no_relevance():
    X = np.random.default_rng(0).normal(size=(60, 2))
    with pytest.raises(TypeError, match="draws what refine gave"):
        ke.plots.relevance(ke.select(X, np.sin(2 * X[:, 0])))
    with pytest.raises(ValueError, match="widths for single columns"):
        ke.plots.relevance(ke.refine(X, np.sin(2 * X[:, 0]), per_column=False))
