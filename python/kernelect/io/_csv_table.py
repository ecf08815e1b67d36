"""CSV tables as numbers and a target: what is learned from one, and done again with others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from .._support.remedy import Remedy, advised
from .._support.warning import warn_caller
from ._cells import is_missing, number_of, texts_of
from ._columns import Names, Places, listed, split
from ._csv_cells import CellReader, Cells
from ._dataset import Dataset, two_rows, whole_numbers
from ._recipe import Recipe, medians_of

# What pandas calls the index of a frame: nothing when it writes it, this when it reads it again.
_INDEX_NAMES = ("", "Unnamed: 0")


@dataclass(frozen=True)
class Table:
    """How a table is to be read; the arguments of `read_csv`."""

    name: str
    target: str | int | None = None
    groups: str | int | None = None
    columns: Names = None
    drop: Names = None
    encode: bool = False
    impute: bool = False
    decimal: str = "."
    header: bool = True

    def learn(self, text: TextIO) -> tuple[Dataset, Recipe]:
        """Read features, target and feature names, and remember how; the caller opens the file."""
        split_as_asked = self._split
        ways = split_as_asked, self._counts_columns, self._allows
        cells = CellReader(self.name, self.decimal, self.header, *ways, self.encode).read(text)
        labels, groups = cells.labels or [], cells.groups
        places = split_as_asked(cells.header)
        target = cells.header[places.others[0]]
        self._refuse_gap(labels, f"target {target!r}", "drop the rows without a target")
        self._refuse_gap(groups or [], f"group {self.groups!r}", "give every row a group")
        two_rows(self.name, len(labels))
        cells = self._without_index(cells)
        if self.header:
            self._warn_of_data(cells)
        y = labels_as(labels, self.decimal)
        values = self._values(cells) if self.encode else {}
        numeric = [k for k, column in enumerate(cells.names) if column not in values]
        names = [cells.names[k] for k in numeric]
        medians = medians_of(cells.numbers[:, numeric], names, self.name) if self.impute else {}
        recipe = Recipe(
            "csv",
            len(cells.header),
            tuple(cells.names),
            target,
            y.dtype.kind == "U",
            values,
            medians,
            self.impute,
            self.decimal,
            self.header,
        )
        X = _numbers(recipe, cells, self.name)
        named = None if groups is None else np.array(groups)
        return Dataset(X, y, recipe.feature_names, named), recipe

    def _split(self, header: list[str]) -> Places:
        return split(
            self.name,
            header,
            target=self.target,
            groups=self.groups,
            columns=self.columns,
            drop=self.drop,
        )

    def _refuse_gap(self, cells: Sequence[str], what: str, remedy: str) -> None:
        missing = next((i for i, cell in enumerate(cells) if is_missing(cell)), None)
        if missing is not None:
            raise ValueError(f"{self.name}: the {what} is missing in row {missing + 1}: {remedy}")

    def _allows(self, column: str, fault: str) -> bool:
        return (self.impute and fault == "missing") or (self.encode and fault.startswith("text"))

    def _without_index(self, cells: Cells) -> Cells:
        """Leave out the index of a saved frame: a first column without a name that counts rows."""
        first = cells.names[0] == cells.header[0] in _INDEX_NAMES
        if not (self.header and first and self.columns is None):
            return cells
        numbers = cells.numbers[:, 0]
        if numbers[0] not in (0, 1) or not np.array_equal(
            numbers - numbers[0], np.arange(len(numbers))
        ):
            return cells
        if len(cells.names) == 1:
            raise ValueError(f"{self.name} has no columns to learn from but the index of its rows")
        warn_caller(
            f"{self.name}: the first column has no name and counts the rows from {numbers[0]:g}, "
            "as the index of a saved data frame does; it is left out"
        )
        return cells.without_first()

    def _counts_columns(self, header: list[str]) -> bool:
        """Whether numbers are names as a data frame without names is saved with: 0, 1, 2, ..."""
        if header != [str(place) for place in range(len(header))]:
            return False
        self._warn_of_header("counts the columns from 0, as saved data frames do, and names them")
        return True

    def _warn_of_data(self, cells: Cells) -> None:
        """Say so where the names of all features are numbers, and none that count the columns."""
        if any(number_of(name, self.decimal) is None for name in cells.names):
            return
        numbers = [name for name in cells.header if number_of(name, self.decimal) is not None]
        counted = all(name.isdigit() for name in numbers)
        if counted and np.all(np.diff([int(name) for name in numbers]) == 1):
            return
        self._warn_of_header("is taken for names of columns, and has numbers")

    def _warn_of_header(self, seen: str) -> None:
        told = (f"if it is a row, pass {word}" for word in ("header=False", "--no-header"))
        fault = f"{self.name}: the first line {seen}"
        warn_caller(advised(UserWarning, fault, Remedy(*told)))

    def _values(self, cells: Cells) -> dict[str, tuple[str, ...]]:
        """Return the texts of each column that holds text."""
        values: dict[str, tuple[str, ...]] = {}
        gaps = np.isnan(cells.numbers)
        for place, column in enumerate(cells.names):
            texts = [row[place] for row in cells.texts] if gaps[:, place].any() else []
            if not all(is_missing(texts[i]) for i in np.flatnonzero(gaps[:, place])):
                values[column] = texts_of(texts, column, self.name, self.impute)
        return values


def read_again(recipe: Recipe, name: str, text: TextIO) -> Dataset:
    """Read a table into the columns of a recipe, with the target where it is there."""

    def split_as_before(header: list[str]) -> Places:
        if recipe.header:
            return _by_name(recipe, name, header)
        return _by_place(recipe, name, header)

    def allows(column: str, fault: str) -> bool:
        return (recipe.impute and fault == "missing") or (
            column in recipe.values and fault != "missing"
        )

    def are_known(header: list[str]) -> bool:
        return {*recipe.columns} <= {*header}

    ways = split_as_before, are_known, allows
    text_wanted = bool(recipe.values)
    cells = CellReader(name, recipe.decimal, recipe.header, *ways, text_wanted, least=1).read(text)
    y = None
    if cells.labels is not None and not any(is_missing(label) for label in cells.labels):
        y = (
            np.array(cells.labels)
            if recipe.text_target
            else labels_as(cells.labels, recipe.decimal)
        )
    return Dataset(_numbers(recipe, cells, name), y, recipe.feature_names)


def _by_name(recipe: Recipe, name: str, header: list[str]) -> Places:
    at = {column: place for place, column in enumerate(header)}
    lacking = [column for column in recipe.columns if column not in at]
    if lacking:
        raise ValueError(
            f"{name} has no column {listed(lacking)}, which the model was fitted with; it has "
            f"{listed(header)}"
        )
    target = None if recipe.target is None else at.get(recipe.target)
    return Places([at[column] for column in recipe.columns], target)


def _by_place(recipe: Recipe, name: str, header: list[str]) -> Places:
    """Find columns without names: all that there were, or all but the target."""
    places = [int(column) - 1 for column in recipe.columns]
    target = None if recipe.target is None else int(recipe.target) - 1
    if len(header) == recipe.width:
        return Places(places, target)
    if target is not None and len(header) == recipe.width - 1:
        return Places([place - (place > target) for place in places], None)
    raise ValueError(
        f"{name} has {len(header)} columns, and the model was fitted with {recipe.width}, the "
        "target among them; give as many, or all but the target"
    )


def _numbers(recipe: Recipe, cells: Cells, name: str) -> NDArray[np.float64]:
    """Make numbers of cells as a recipe says."""
    if not recipe.values:
        return recipe.fill_in(cells.numbers, cells.names)
    columns: list[NDArray[np.float64]] = []
    filled = recipe.fill_in(cells.numbers, cells.names)
    for place, column in enumerate(cells.names):
        if column in recipe.values:
            columns += recipe.encoded([row[place] for row in cells.texts], column, name)
        else:
            columns.append(filled[:, place])
    return np.column_stack(columns)


def labels_as(labels: Sequence[str], decimal: str) -> NDArray[Any]:
    """Return a target as numbers where all its cells are, else as text."""
    numbers = [number_of(label, decimal) for label in labels]
    if any(number is None for number in numbers):
        return np.array(labels)
    return whole_numbers(np.array(numbers, dtype=np.float64))
