"""Kernel-stability paper, Figure 1: test error against eta at lambda = 0.001."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tools.pages import COLOURS, Page, Picture, Table, span
from ..tools.runner import Setting
from .stability import ETAS, LAMBDAS
from .table1 import errors, gather

TITLE = "Kernel stability, Figure 1: test error against eta"
PLACE = LAMBDAS.index(1e-3)


def key(folds: int, eta: float) -> str:
    return f"ks(folds={folds})" if eta == 1.0 else f"ks(folds={folds}, eta={eta})"


def page(setting: Setting) -> Page:
    found = gather(setting)
    lines = {
        (file, k): [float(np.mean(errors(splits, key(k, eta), PLACE))) for eta in ETAS]
        for file, splits in found.items()
        for k in (5, 10)
    }
    plain = {
        (file, k): float(np.mean(errors(splits, f"cv(folds={k})", PLACE)))
        for file, splits in found.items()
        for k in (5, 10)
    }

    def draw(figure: Any) -> None:
        rows = -(-len(found) // 3)
        axes = np.atleast_1d(figure.subplots(rows, min(3, len(found)), sharex=True)).ravel()
        for ax, file in zip(axes, found, strict=False):
            for k, colour in zip((5, 10), COLOURS, strict=False):
                ax.plot(ETAS, lines[file, k], ".-", color=colour, label=f"{k}-KS")
                ax.axhline(plain[file, k], color=colour, lw=0.8, ls="--", label=f"{k}-CV (eta = 0)")
            ax.axvspan(2.0**-2, 2.0**5, color="#eeeeee", zorder=0)
            ax.set_xscale("log", base=2)
            ax.set_title(file, fontsize=10)
            ax.spines[["top", "right"]].set_visible(False)
        for ax in axes[len(found) :]:
            ax.set_visible(False)
        axes[0].legend(frameon=False, fontsize=7)
        figure.supxlabel("eta (grey: the range the paper advises)", fontsize=10)
        figure.supylabel("test error, %", fontsize=10)

    rows: list[list[object]] = [
        [f"{file}, {k}-KS", plain[file, k], *lines[file, k]] for file, k in lines
    ]
    for k in (5, 10):
        average = np.mean([[plain[f, k], *lines[f, k]] for f in found], axis=0)
        rows.append([f"**mean, {k}-KS**", *average.tolist()])
    return Page(
        TITLE,
        f"{len(found)} sets, {span(map(len, found.values()))} splits each, lambda = 0.001.",
        [
            Picture("ks-figure1", "Test error of the kernel that k-KS chooses", draw, (8.5, 7.0)),
            Table(
                "ks-figure1",
                "Mean test error in % by eta; eta = 0 is plain cross-validation",
                ["set", "0", *[f"{eta:g}" for eta in ETAS]],
                rows,
            ),
        ],
    )
