"""What goes beyond an elected kernel as a picture: loss against time, a panel for each task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...picture import label  # type: ignore[import-not-found]
from ..tools.pages import COLOURS, Picture, Table
from ..tools.pictures import plain
from .beyond_models import OURS
from .regret_picture import TITLES


def picture(tables: Sequence[Table]) -> Picture:
    """Draw the tables of the tasks, in which "auto" is the measure of loss and of time."""

    def draw(figure: Any) -> None:
        from matplotlib.ticker import LogLocator

        axes = figure.subplots(len(tables), 1, squeeze=False)[:, 0] if tables else []
        labelled = []
        for ax, table in zip(axes, tables, strict=True):
            time, loss = table.columns.index("median time / auto"), 2
            places = {row[0]: (float(row[time]), float(row[loss])) for row in table.rows}
            ax.axhline(0.0, color="#cccccc", linewidth=0.8)
            for name, (across, up) in places.items():
                mark, size, colour = ("*", 13, 1) if name in OURS else ("o", 7, 0)
                ax.plot(across, up, mark, color=COLOURS[colour], ms=size)
            task = table.name.removeprefix("beyond-")
            most = max(int(row[1]) for row in table.rows)
            ax.set_title(f"{TITLES[task]}, {most} sets", loc="left", fontsize="medium")
            ax.set_xscale("log")
            ax.xaxis.set_major_formatter("{x:g}")
            ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            ax.set_ylabel("loss, % more" if task == "regression" else "error, points more")
            ax.margins(0.16, 0.16)
            plain(ax)
            labelled.append((ax, places))
        if not labelled:
            return
        axes[-1].set_xlabel("median time relative to one elected kernel")
        figure.draw_without_rendering()  # only now the axes have their places
        for ax, places in labelled:
            label(ax, list(places.values()), list(places), [{}] * len(places))

    caption = (
        "Test loss beside that of one elected kernel (auto), mean over sets, against time; down "
        "and left is better; stars are ways of kernelect"
    )
    return Picture("beyond", caption, draw, (7.2, 3.4 * max(len(tables), 1)))
