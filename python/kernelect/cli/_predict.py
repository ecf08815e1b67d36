"""The command ``kernelect predict MODEL FILE``."""

from __future__ import annotations

import csv
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._support.files import write_text
from ..results import _text as text_table
from ..storage._files import load_archive
from ._output import data_name, save_picture, write_json
from ._streams import print_out, say

if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace, warned: list[str]) -> None:
    """Predict the rows of the file, and say how good that is where it has the target."""
    from sklearn.base import is_classifier

    from ..io import read_like

    try:
        parts = load_archive(options.model)
    except OSError as error:
        raise ValueError(f"cannot read {options.model}: {error.strerror or error}") from None
    model = parts["model"]
    if "recipe" not in parts:
        raise ValueError(
            f"{options.model} does not say how a table becomes its rows, as models saved by "
            "'kernelect fit' do; fit it that way, or use it in Python with ke.load"
        )
    data = read_like(parts["recipe"], options.file, format=options.format)
    classifies = is_classifier(model)
    columns = _columns(model, data.X, options, classifies)
    score = None if data.y is None else _score(model, data, data_name(options), classifies)
    rows = list(zip(*(column.tolist() for column in columns.values()), strict=True))
    if options.json != "-":
        _write_csv(options.output, list(columns), rows)
    name = "accuracy" if classifies else "R2"
    if score is not None and not options.quiet:
        say(f"{data_name(options)}: {name} {text_table.number(score)} on {len(rows)} rows")
    if options.output != "-" and options.json != "-" and not options.quiet:
        say(f"{options.output}: {len(rows)} predictions written")
    if options.plot is not None:
        _draw(options, columns, data, model if classifies else None)
    facts = {
        "command": "predict",
        "model": options.model,
        "file": options.file,
        "rows": len(rows),
        "predictions": {name: column.tolist() for name, column in columns.items()},
        "score": score if score is not None and np.isfinite(score) else None,
        "warnings": warned,
    }
    write_json(options, facts)


def _score(model: Any, data: Any, name: str, classifies: bool) -> float:
    """Return how good predictions are, by a target that is of the model's kind."""
    numbers = np.asarray(data.y).dtype.kind in "biuf"
    if classifies and np.asarray(data.y).dtype.kind == "f" and (np.mod(data.y, 1.0) != 0.0).any():
        kinds = "numbers with fractions as a target, and the model predicts classes"
    elif not classifies and not numbers:
        kinds = "text as a target, and the model predicts numbers"
    else:
        return float(model.score(data.X, data.y))
    raise ValueError(f"{name} has {kinds}; leave that column out, or take another model")


def _columns(model: Any, X: Any, options: Namespace, classifies: bool) -> dict[str, NDArray[Any]]:
    """Return what is written, by the names of the columns."""
    if options.probabilities and not classifies:
        raise ValueError(
            "the model predicts numbers, which have no probabilities; --deviations says how sure "
            "it is"
        )
    if options.deviations and classifies:
        raise ValueError(
            "the model predicts classes, which have no deviations; --probabilities says how sure "
            "it is"
        )
    if options.deviations:
        mean, deviation = model.predict(X, return_std=True)
        return {"prediction": mean, "deviation": deviation}
    columns = {"prediction": np.asarray(model.predict(X))}
    if options.probabilities:
        found = model.predict_proba(X)
        columns |= {
            f"probability of {label}": found[:, k]
            for k, label in enumerate(model.classes_.tolist())
        }
    return columns


def _write_csv(path: str, header: list[str], rows: list[tuple[Any, ...]]) -> None:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    if path == "-":
        print_out(text.getvalue())
    else:
        write_text(path, text.getvalue())


def _draw(options: Namespace, columns: dict[str, NDArray[Any]], data: Any, model: Any) -> None:
    """Draw predictions beside the truth, or how sure they are where that is not known."""
    from ..plots._predictions import confusion, observed_and_predicted, ordered, sureness

    predicted = columns["prediction"]
    if model is not None:
        axes = (
            sureness(model.predict_proba(data.X))
            if data.y is None
            else confusion(data.y, predicted, np.union1d(model.classes_, data.y))
        )
    else:
        spread = columns.get("deviation")
        axes = (
            ordered(predicted, spread)
            if data.y is None
            else observed_and_predicted(data.y, predicted, spread)
        )
    save_picture(options.plot, axes, data_name(options))
