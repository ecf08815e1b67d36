"""CSV text as cells: numbers where they are numbers, text beside, and what is wrong by name."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TextIO

import numpy as np

from .._support.arrays import FloatArray
from .._support.remedy import Remedy, advised
from ._cells import block_of_numbers, fault_of, number_of
from ._columns import Places, listed, numbered
from ._files import shortened

_ROWS_AT_ONCE = 8192

# Beyond this a quote that is never closed has swallowed the table.
_LONGEST_HEADER = 2**22
_QUOTED = re.compile(r'"[^"]*"')


@dataclass(frozen=True)
class Cells:
    """The cells of a table that matter.

    Attributes
    ----------
    names : list of str
        The feature columns.
    numbers : ndarray
        Their cells as numbers, NaN where one is none.
    texts : list of list of str
        The same cells as text, row by row, where text may turn up.
    labels, groups : list of str or None
        The cells of the target and of the groups, where there is such a column.
    header : list of str
        All columns of the table.
    """

    names: list[str]
    numbers: FloatArray
    texts: list[list[str]]
    labels: list[str] | None
    groups: list[str] | None
    header: list[str]

    def without_first(self) -> Cells:
        """Leave out the first feature."""
        numbers = np.ascontiguousarray(self.numbers[:, 1:])
        texts = [row[1:] for row in self.texts]
        return replace(self, names=self.names[1:], numbers=numbers, texts=texts)


@dataclass(frozen=True)
class CellReader:
    """Reads cells of one file, which messages call `name`.

    Attributes
    ----------
    name : str
        What messages call the file.
    decimal, header
        As for `read_csv`.
    split : callable
        Says of the names of all columns which are features, target and groups.
    are_names : callable
        Whether a first line of nothing but numbers holds the names of columns.
    allows : callable
        Whether a fault of a column ("missing", "text ...", "infinite") may be there.
    texts : bool
        Whether the text of cells is wanted.
    least : int
        Fewest columns that make a table.
    """

    name: str
    decimal: str
    header: bool
    split: Callable[[list[str]], Places]
    are_names: Callable[[list[str]], bool]
    allows: Callable[[str, str], bool]
    texts: bool
    least: int = 2

    def read(self, text: TextIO) -> Cells:
        """Read the cells; the caller opens the file."""
        first = _first_record(text)
        marks = ",;\t" if self.decimal == "." else ";\t"
        separator = next((mark for mark in marks if mark in _QUOTED.sub("", first)), ",")
        cells = csv.reader(chain(first.splitlines(keepends=True), text), delimiter=separator)
        header, cells = self._header(cells)
        places = self.split(header)
        features = places.features
        names = [header[i] for i in features]
        blocks: list[FloatArray] = []
        texts: list[list[str]] = []
        others: dict[int, list[str]] = {place: [] for place in places.others}
        faults: dict[str, str] = {}
        every = [*features, places.target] == list(range(len(header)))
        before = 0
        for rows in self._blocks(cells, len(header)):
            for place, cells_there in others.items():
                cells_there += [row[place].strip() for row in rows]
            kept = [row[:-1] if every else [row[i] for i in features] for row in rows]
            block, bad = block_of_numbers(kept, len(features), self.decimal)
            blocks.append(block)
            if self.texts:
                texts += kept
            for i, j in bad:
                fault = fault_of(kept[i][j], self.decimal)
                if not self.allows(names[j], fault):
                    faults.setdefault(names[j], f"{fault} in row {before + i + 1}")
            before += len(rows)
        if not before:
            raise ValueError(f"{self.name} has a header but no rows")
        if faults:
            raise self._fault(faults)
        labels, groups = (
            None if place is None else others[place] for place in (places.target, places.groups)
        )
        return Cells(names, np.concatenate(blocks), texts, labels, groups, header)

    def _header(self, cells: Iterator[list[str]]) -> tuple[list[str], Iterator[list[str]]]:
        first = next(cells, [])
        if len(first) < self.least:
            raise ValueError(
                f"{self.name} has a single column; it needs {'a header, ' * self.header}features "
                "and a target, separated by commas"
            )
        if not self.header:
            return numbered(len(first)), chain([first], cells)
        header = [" ".join(cell.split()) for cell in first]
        numbers = all(number_of(cell, self.decimal) is not None for cell in header)
        if numbers and not self.are_names(header):
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
        mark = "," if self.decimal == "." else "."
        if any(re.search(rf"text '-?\d+\{mark}\d+'", fault) for fault in faults.values()):
            in_python, option = f"{in_python}, decimal='{mark}'", f"{option}, --decimal {mark}"
        in_python, option = f"{remedy}: {in_python}", f"{remedy}: {option}"
        if not self.header and all(re.search("text .* row 1$", why) for why in faults.values()):
            named_by = "if the first line names the columns, or"
            in_python = f"leave out header=False {named_by} {in_python}"
            option = f"leave out --no-header {named_by} {option}"
        return advised(
            ValueError,
            f"{self.name}: {'column' if one else 'columns'} {named} {'is' if one else 'are'} not "
            "numeric throughout",
            Remedy(in_python, option),
        )


def _first_record(text: TextIO) -> str:
    """Read the header: lines until its quotes are closed."""
    record = text.readline()
    while (
        record.count('"') % 2 == 1 and len(record) < _LONGEST_HEADER and (line := text.readline())
    ):
        record += line
    return record
