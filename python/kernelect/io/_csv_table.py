"""Parse CSV text with a header into numbers and a target, and say what is wrong by name."""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from .._support.arguments import did_you_mean
from ._dataset import whole_numbers
from ._files import shortened

_ROWS_AT_ONCE = 8192

# Beyond this a quote that is never closed has swallowed the table.
_LONGEST_HEADER = 2**22
_QUOTED = re.compile(r'"[^"]*"')

_MISSING = frozenset({"", "?", "na", "n/a", "nan", "none", "null"})


def parse(
    name: str, text: TextIO, target: str | None
) -> tuple[NDArray[np.float64], NDArray[Any], list[str]]:
    """Read features, target and feature names; the caller opens the file and names it."""
    first = _first_record(text)
    separator = next((mark for mark in ",;\t" if mark in _QUOTED.sub("", first)), ",")
    cells = csv.reader(chain(first.splitlines(keepends=True), text), delimiter=separator)
    header = [" ".join(cell.split()) for cell in next(cells, [])]
    place = _target_place(name, header, target)
    features = [column for i, column in enumerate(header) if i != place]
    blocks: list[NDArray[np.float64]] = []
    labels: list[str] = []
    faults: dict[str, str] = {}
    for rows in _blocks(name, cells, len(header)):
        for row in rows:
            labels.append(row.pop(place).strip())
            if labels[-1].lower() in _MISSING:
                faults.setdefault(header[place], f"missing in row {len(labels)}")
        blocks.append(_numbers(rows, features, len(labels) - len(rows), faults))
    if not labels:
        raise ValueError(f"{name} has a header but no rows")
    if faults:
        raise ValueError(_fault_sentence(name, faults, header[place]))
    return np.concatenate(blocks), _labels(labels), features


def _first_record(text: TextIO) -> str:
    """Read the header: lines until its quotes are closed."""
    record = text.readline()
    while (
        record.count('"') % 2 == 1 and len(record) < _LONGEST_HEADER and (line := text.readline())
    ):
        record += line
    return record


def _target_place(name: str, header: list[str], target: str | None) -> int:
    if len(header) < 2:
        raise ValueError(
            f"{name} has a single column: a header, features and a target, separated by commas, "
            "are wanted"
        )
    if all(_is_number(cell) for cell in header):
        raise ValueError(
            f"{name} has no header, its first line is all numbers: add a line of column names"
        )
    repeated = sorted(column for column, count in Counter(header).items() if count > 1)
    if repeated:
        raise ValueError(f"{name} has several columns named {listed(repeated)}: rename them")
    if target is None:
        return len(header) - 1
    if target in header:
        return header.index(target)
    hint = did_you_mean(target, header, f"it has {listed(header)}")
    raise ValueError(f"{name} has no column {target!r}: {hint}")


def _blocks(name: str, cells: Iterator[list[str]], width: int) -> Iterator[list[list[str]]]:
    """Yield rows in blocks, so that the text of a large file is never in memory at once."""
    numbered = (row for row in cells if row)
    row_number = 0
    while rows := list(islice(numbered, _ROWS_AT_ONCE)):
        for row in rows:
            row_number += 1
            if len(row) != width:
                raise ValueError(
                    f"{name}: row {row_number} has {len(row)} cells where the header has {width}"
                )
        yield rows


def _numbers(
    rows: list[list[str]], features: list[str], before: int, faults: dict[str, str]
) -> NDArray[np.float64]:
    """Turn a block into numbers; note in ``faults`` the first bad cell of each bad column."""
    try:
        block = np.array(rows, dtype=np.float64)
    except ValueError:
        block = np.full((len(rows), len(features)), np.nan)
    if np.isfinite(block).all():
        return block
    for i, column in enumerate(features):
        for j, row in enumerate(rows):
            cell = row[i].strip()
            if cell.lower() in _MISSING:
                faults.setdefault(column, f"missing in row {before + j + 1}")
            elif not _is_number(cell):
                faults.setdefault(column, f"text {shortened(cell)!r} in row {before + j + 1}")
            elif not math.isfinite(float(cell)):
                faults.setdefault(column, f"infinite in row {before + j + 1}")
    return block


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _fault_sentence(name: str, faults: dict[str, str], target: str) -> str:
    if target in faults:
        return f"{name}: the target {target!r} is {faults[target]}: drop the rows without a target"
    most = 4
    named = ", ".join(
        f"{shortened(column)!r} ({why})" for column, why in list(faults.items())[:most]
    )
    if len(faults) > most:
        named += f" and {len(faults) - most} more"
    one = len(faults) == 1
    return (
        f"{name}: {'column' if one else 'columns'} {named} {'is' if one else 'are'} not numeric "
        "throughout: encode text as numbers, fill in missing cells, or drop the columns"
    )


def _labels(labels: list[str]) -> NDArray[Any]:
    try:
        numbers = np.array(labels, dtype=np.float64)
    except ValueError:
        return np.array(labels)
    return whole_numbers(numbers)


def listed(names: list[str], most: int = 6) -> str:
    """Quote the first few names for a message."""
    first = ", ".join(repr(shortened(name)) for name in names[:most])
    return f"{first} and {len(names) - most} more" if len(names) > most else first
