"""Tables of the guide, one file each, of what bench/scale.py has measured."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from scale_sets import CHOOSING

Found = dict[str, Any]
METHODS = ("kernelect", "gamma=scale", "liquidSVM", "boosted trees")


def write_tables(found: dict[str, list[Found]], folder: Path) -> None:
    """Write those tables of which there are figures."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = {
        "sizes": _sizes(found.get("sizes", [])),
        "sets": _sets(found.get("sets", [])),
        "pairs": [*_pairs(found.get("same-landmarks", [])), *_pairs(found.get("exact", []))],
        "landmarks": _landmarks(found.get("landmarks", [])),
    }
    heads = {
        "sizes": ("rows", "seconds", "MB", "model", "m_sensitivity"),
        "sets": ("set", "rows", *(f"{method}: loss, s" for method in METHODS)),
        "pairs": ("set", "rows", "beside", "loss, ours and its", "the elected pair's", "s"),
        "landmarks": ("set", "half", "m", "2m", "by itself"),
    }
    for name, lines in tables.items():
        if lines:
            with (folder / f"scale_{name}.csv").open("w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows([heads[name], *lines])


def _done(found: Iterable[Found]) -> list[Found]:
    return [each for each in found if "failed" not in each]


def _sizes(found: Sequence[Found]) -> list[list[str]]:
    return [
        [
            f"{each['rows']:,}",
            f"{each['seconds']:.3g}",
            f"{each['megabytes']:.0f}",
            "whole matrices" if each["landmarks"] is None else f"{each['landmarks']} landmarks",
            "" if each["m_sensitivity"] is None else f"{each['m_sensitivity']:.1%}",
        ]
        for each in _done(found)
        if each["lam"] == found[0]["lam"]
    ]


def _cell(each: Found | None) -> str:
    if each is None:
        return ""
    return each["failed"] if "failed" in each else f"{each['loss']:.4f}, {each['seconds']:.3g}"


def _sets(found: Sequence[Found]) -> list[list[str]]:
    lines = []
    for name in dict.fromkeys(each["name"] for each in found):
        own = {each["method"]: each for each in found if each["name"] == name}
        rows = next((f"{each['rows']:,}" for each in _done(own.values())), "")
        lines.append([name, rows, *(_cell(own.get(method)) for method in METHODS)])
    return lines


def _pairs(found: Sequence[Found]) -> list[list[str]]:
    """Ours and another way on the same rows."""
    lines = []
    ours = {each["name"]: each for each in found if each["method"] == "kernelect"}
    for each in found:
        own = ours.get(each["name"], each)
        if own is each:
            continue
        start = [each["name"], next((f"{e['rows']:,}" for e in _done([own, each])), "")]
        failed = [e["failed"] for e in (own, each) if "failed" in e]
        if failed:
            lines.append([*start, each["method"], failed[-1], "", ""])
            continue
        lines.append(
            [
                *start,
                each["method"],
                f"{own['loss']:.4f}, {each['loss']:.4f}",
                f"{own['equal']:.4f}, {each['equal']:.4f}",
                f"{own['seconds']:.3g}, {each['seconds']:.3g}",
            ]
        )
    return lines


def _landmarks(found: Sequence[Found]) -> list[list[str]]:
    lines = []
    for name in dict.fromkeys(each["name"] for each in found):
        own = [each for each in found if each["name"] == name]
        fixed = [each for each in own if each["landmarks"] != "auto"]
        cells = [_loss(each) for each in sorted(fixed, key=lambda each: each["landmarks"])]
        by_itself = [
            f"{_loss(each)} ({each['what'].rpartition(', ')[2]})" if "what" in each else _loss(each)
            for each in own
            if each["landmarks"] == "auto"
        ]
        half = "choosing" if name in CHOOSING else "judging"
        lines.append([name, half, *cells, *by_itself])
    return lines


def _loss(each: Found) -> str:
    return each["failed"] if "failed" in each else f"{each['loss']:.4f}"
