"""Parse CSV text into numbers and a target, and say what is wrong by name."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from .._support.remedy import Remedy, advised
from .._support.warning import warn_caller
from ._cells import FloatArray, block_of_numbers, encoded, fault_of, fill_in, is_missing, number_of
from ._columns import Names, listed, numbered, split
from ._dataset import Dataset, two_rows, whole_numbers
from ._files import shortened

_ROWS_AT_ONCE = 8192

# Beyond this a quote that is never closed has swallowed the table.
_LONGEST_HEADER = 2**22
_QUOTED = re.compile(r'"[^"]*"')

# What pandas calls the index of a frame: nothing when it writes it, this when it reads it again.
_INDEX_NAMES = ("", "Unnamed: 0")


@dataclass(frozen=True)
class Table:
    """How a table is to be read; the arguments of `read_csv`."""

    name: str
    target: str | int | None = None
    columns: Names = None
    drop: Names = None
    encode: bool = False
    impute: bool = False
    decimal: str = "."
    header: bool = True

    def parse(self, text: TextIO) -> Dataset:
        """Read features, target and feature names; the caller opens the file and names it."""
        first = _first_record(text)
        marks = ",;\t" if self.decimal == "." else ";\t"
        separator = next((mark for mark in marks if mark in _QUOTED.sub("", first)), ",")
        cells = csv.reader(chain(first.splitlines(keepends=True), text), delimiter=separator)
        header, cells = self._header(cells)
        features, place = split(
            self.name, header, target=self.target, columns=self.columns, drop=self.drop
        )
        names = [header[i] for i in features]
        blocks: list[FloatArray] = []
        texts: list[list[str]] = []  # all cells, where text may turn up and is to be encoded
        labels: list[str] = []
        faults: dict[str, str] = {}
        every = [*features, place] == list(range(len(header)))
        for rows in self._blocks(cells, len(header)):
            before = len(labels)
            labels += [row[place].strip() for row in rows]
            kept = [row[:-1] if every else [row[i] for i in features] for row in rows]
            block, bad = block_of_numbers(kept, len(features), self.decimal)
            blocks.append(block)
            if self.encode:
                texts += kept
            for i, j in bad:
                fault = fault_of(kept[i][j], self.decimal)
                if not (self.impute and fault == "missing") and not (
                    self.encode and fault.startswith("text")
                ):
                    faults.setdefault(names[j], f"{fault} in row {before + i + 1}")
        if not labels:
            raise ValueError(f"{self.name} has a header but no rows")
        missing = next((i for i, label in enumerate(labels) if is_missing(label)), None)
        if missing is not None:
            raise ValueError(
                f"{self.name}: the target {header[place]!r} is missing in row {missing + 1}: drop "
                "the rows without a target"
            )
        if faults:
            raise self._fault(faults)
        two_rows(self.name, len(labels))
        X, names = np.concatenate(blocks), list(names)
        X, names, texts = self._without_index(X, names, features[0] == 0, texts)
        if self.encode:
            X, names = self._encoded(X, names, texts)
        if self.impute:
            X = fill_in(X, names, self.name)
        return Dataset(X, _labels(labels, self.decimal), names)

    def _header(self, cells: Iterator[list[str]]) -> tuple[list[str], Iterator[list[str]]]:
        first = next(cells, [])
        if len(first) < 2:
            raise ValueError(
                f"{self.name} has a single column: {'a header, ' * self.header}features and a "
                "target, separated by commas, are wanted"
            )
        if not self.header:
            return numbered(len(first)), chain([first], cells)
        header = [" ".join(cell.split()) for cell in first]
        if all(number_of(cell, self.decimal) is not None for cell in header):
            remedy = "add a line of column names, or pass "
            raise advised(
                ValueError,
                f"{self.name} has no header, its first line is all numbers",
                Remedy(f"{remedy}header=False", f"{remedy}--no-header"),
            )
        repeated = sorted(column for column, count in Counter(header).items() if count > 1)
        if repeated:
            raise ValueError(
                f"{self.name} has several columns named {listed(repeated)}: rename them"
            )
        return header, cells

    def _blocks(self, cells: Iterator[list[str]], width: int) -> Iterator[list[list[str]]]:
        """Yield rows in blocks, so that the text of a large file is never in memory at once."""
        rows_of_cells = (row for row in cells if row)
        said = "header" if self.header else "first row"
        row_number = 0
        while rows := list(islice(rows_of_cells, _ROWS_AT_ONCE)):
            for row in rows:
                row_number += 1
                if len(row) != width:
                    raise ValueError(
                        f"{self.name}: row {row_number} has {len(row)} cells where the {said} has "
                        f"{width}"
                    )
            yield rows

    def _without_index(
        self, X: FloatArray, names: list[str], first: bool, texts: list[list[str]]
    ) -> tuple[FloatArray, list[str], list[list[str]]]:
        """Leave out the index of a saved frame: a first column without a name that counts rows."""
        if not (self.header and first and names[0] in _INDEX_NAMES and self.columns is None):
            return X, names, texts
        if X[0, 0] not in (0, 1) or not np.array_equal(X[:, 0] - X[0, 0], np.arange(len(X))):
            return X, names, texts
        if len(names) == 1:
            raise ValueError(f"{self.name} has no columns to learn from but the index of its rows")
        warn_caller(
            f"{self.name}: the first column has no name and counts the rows from {X[0, 0]:g}, as "
            "the index of a saved data frame does; it is left out"
        )
        return np.ascontiguousarray(X[:, 1:]), names[1:], [row[1:] for row in texts]

    def _encoded(
        self, X: FloatArray, names: list[str], texts: list[list[str]]
    ) -> tuple[FloatArray, list[str]]:
        """Put columns of 0 and 1 in place of each column that holds text."""
        columns: dict[str, FloatArray] = {}
        gaps = np.isnan(X)
        for place, column in enumerate(names):
            cells = [row[place] for row in texts] if gaps[:, place].any() else []
            if all(is_missing(cells[i]) for i in np.flatnonzero(gaps[:, place])):
                columns[column] = X[:, place]
            else:
                columns.update(encoded(cells, column, self.name, self.impute))
        return np.column_stack(list(columns.values())), list(columns)

    def _fault(self, faults: dict[str, str]) -> ValueError:
        most = 4
        named = ", ".join(
            f"{shortened(column)!r} ({why})" for column, why in list(faults.items())[:most]
        )
        if len(faults) > most:
            named += f" and {len(faults) - most} more"
        one = len(faults) == 1
        remedy = "encode text as numbers, fill in missing cells, or drop the columns"
        in_python, option = (
            "encode=True, impute=True, drop=[...]",
            "--encode, --impute, --drop NAMES",
        )
        if any(re.search(r"text '-?\d+,\d+'", fault) for fault in faults.values()):
            in_python, option = f"{in_python}, decimal=','", f"{option}, --decimal ,"
        return advised(
            ValueError,
            f"{self.name}: {'column' if one else 'columns'} {named} {'is' if one else 'are'} not "
            "numeric throughout",
            Remedy(f"{remedy}: {in_python}", f"{remedy}: {option}"),
        )


def _first_record(text: TextIO) -> str:
    """Read the header: lines until its quotes are closed."""
    record = text.readline()
    while (
        record.count('"') % 2 == 1 and len(record) < _LONGEST_HEADER and (line := text.readline())
    ):
        record += line
    return record


def _labels(labels: list[str], decimal: str) -> NDArray[Any]:
    numbers = [number_of(label, decimal) for label in labels]
    if any(number is None for number in numbers):
        return np.array(labels)
    return whole_numbers(np.array(numbers, dtype=np.float64))
