"""The picture of the quick start, drawn by the code that stands above it."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler
from sphinx.application import Sphinx

import kernelect as ke


def _draw(app: Sphinx) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    table = ke.evaluate(X, y, ke.gaussian_grid(0, 8), criteria=["sm", "kta", "ckta", "loo"])
    folder = Path(app.srcdir) / "generated"
    folder.mkdir(exist_ok=True)
    mpl.use("Agg")
    figure = table.plot(X=X).figure
    figure.savefig(folder / "scores.png", dpi=160)
    mpl.pyplot.close(figure)


def setup(app: Sphinx) -> dict[str, bool]:
    """Draw before pages are read."""
    app.connect("builder-inited", _draw)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
