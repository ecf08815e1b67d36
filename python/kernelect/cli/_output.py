"""What the commands give back: text, JSON and pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse

from ._input import named
from ._streams import print_out

if TYPE_CHECKING:
    from argparse import Namespace

    from ..io import Dataset
    from ..results import ScoreTable, Selection


def draw(options: Namespace, result: ScoreTable | Selection, data: Dataset) -> None:
    """Draw the result where a picture was asked for."""
    if options.plot is not None:
        axes = result.plot(kind=options.plot_kind or "curves", X=data.X, y=data.y)
        save_picture(options.plot, axes, data_name(options))


def save_picture(path: str, axes: Any, name: str) -> None:
    """Write a picture, with the name of what it shows above; whole or not at all."""
    from .._support.files import written

    title = axes.get_title(loc="left")  # a map of lambdas names its winner there
    axes.set_title(f"{name}: {title}" if title else name, loc="left", fontsize="medium", pad=16)
    kind = Path(path).suffix.lstrip(".") or "png"
    with written(path) as file:
        axes.get_figure(root=True).savefig(file, dpi=150, format=kind)


def write_page(options: Namespace, data: Dataset, reported: Any, warned: list[str]) -> None:
    """Write the report on an election, or on a learner that has held one."""
    from .._pages import write_report

    write_report(
        reported,
        options.report,
        X=named(data),
        y=data.y,
        title=data_name(options),
        command=options.typed,
        scaler=_scaler(options, data),
        warnings=warned,
    )


def headline(options: Namespace, data: Dataset, task: str) -> str:
    """Say in one line what the data are."""
    rows, columns = data.X.shape
    classes = ""
    if task == "classification":
        found = np.unique(data.y)
        classes = f" with {len(found)} classes"
        if options.task == "auto" and len(found) > 2 and found.dtype.kind in "iu":
            classes += " (whole numbers; --task regression predicts them as numbers)"
    scaled = ", standardised" if options.standardize else ""
    return f"{data_name(options)}: {rows} rows, {columns} columns{scaled}, {task}{classes}"


def in_pipeline(options: Namespace, data: Dataset, estimator: str) -> str:
    """Write an estimator for the rows as they are in the file."""
    scaler = _scaler(options, data)
    return estimator if scaler is None else f"make_pipeline({scaler}, {estimator})"


def _scaler(options: Namespace, data: Dataset) -> str | None:
    """Write what --standardize has done to the rows; see `_input.read`."""
    if not options.standardize:
        return None
    return f"StandardScaler({'with_mean=False' if scipy.sparse.issparse(data.X) else ''})"


def data_name(options: Namespace) -> str:
    """Return what the file is called."""
    return "standard input" if options.file == "-" else Path(options.file).name


def facts(options: Namespace, data: Dataset, task: str) -> dict[str, Any]:
    """Say the same for JSON."""
    rows, columns = data.X.shape
    return {
        "data": {
            "file": options.file,
            "rows": rows,
            "columns": columns,
            "feature_names": data.feature_names,
            "sparse": scipy.sparse.issparse(data.X),
            "standardized": options.standardize,
            "task": task,
        }
    }


def write(options: Namespace, report: str, facts: dict[str, Any]) -> None:
    """Print the report, and write the facts as JSON where that was asked for."""
    if options.json != "-" and not options.quiet:
        print(report)
    write_json(options, facts)


def write_json(options: Namespace, facts: dict[str, Any]) -> None:
    """Write the facts as JSON where that was asked for."""
    from .._support.files import write_text
    from .._version import __version__

    if options.json is None:
        return
    content = json.dumps({"kernelect": __version__, **facts}, indent=2, allow_nan=False) + "\n"
    if options.json == "-":
        print_out(content)
    else:
        write_text(options.json, content)
