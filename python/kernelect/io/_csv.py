"""Read CSV tables with a header."""

from __future__ import annotations

import os
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO, TypeVar

from .._support.arguments import check_choice, check_flag
from ._columns import Names
from ._csv_table import Table, read_again
from ._dataset import Dataset
from ._files import DAMAGED, cause, name_of, open_once
from ._recipe import Recipe

Read = TypeVar("Read")


def read_csv(
    path: str | os.PathLike[str],
    *,
    target: str | int | None = None,
    groups: str | int | None = None,
    columns: Names = None,
    drop: Names = None,
    encode: bool = False,
    impute: bool = False,
    decimal: str = ".",
    header: bool = True,
) -> Dataset:
    r"""Read a CSV table; every column but the target must be numeric, or be made so.

    A first column without a name that counts the rows, as the index of a saved data frame does, is
    left out with a warning.

    Parameters
    ----------
    path : str or path
        The file, as it is or compressed; ``"-"`` for standard input. Cells are separated by commas,
        or, where the first line has no comma, by semicolons or tabs.
    target : str, optional
        The name of the column to predict; by default the last one. It may hold text.
    groups : str, optional
        The name of a column that says which rows belong together, such as those of one patient: it
        is no feature, and becomes the data set's ``groups``.
    columns, drop : list of str, optional
        The columns to learn from, or those to leave out; not both.
    encode : bool, default=False
        Make columns of 0 and 1 of those that hold text, one for each value, named
        ``column=value``; one alone where there are two.
    impute : bool, default=False
        Fill in missing cells of the features: with the column's median, in an encoded column as a
        value of their own.
    decimal : {".", ","}, default="."
        The decimal mark; with a comma cells are separated by semicolons or tabs.
    header : bool, default=True
        Whether the first line holds the names of the columns; otherwise they are called by their
        places, ``"1"``, ``"2"`` and so on.

    Returns
    -------
    Dataset
        With the names of the feature columns.

    Raises
    ------
    ValueError
        If the file is not there, damaged, of a single row, has no header, lacks a column that was
        named, or has text or missing cells in the features; the columns are named.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "people.csv")
    >>> _ = path.write_text("age,town\n31,Ulm\n,Bonn\n")
    >>> read_csv(path)
    Traceback (most recent call last):
    ...
    ValueError: people.csv: column 'age' (missing in row 2) is not numeric ...
    >>> read_csv(path, impute=True).X.tolist()
    [[31.0], [31.0]]
    """
    options = {
        "encode": check_flag(encode, "encode"),
        "impute": check_flag(impute, "impute"),
        "decimal": check_choice(decimal, "decimal", (".", ",")),
        "header": check_flag(header, "header"),
    }
    asked = {"target": target, "groups": groups, "columns": columns, "drop": drop}
    return learn_csv(Path(path), **asked, **options)[0]


def learn_csv(path: Path, **options: Any) -> tuple[Dataset, Recipe]:
    """Read a table with the arguments of `read_csv`, and remember how."""
    table = Table(name_of(path), **options)
    return _parsed(path, table.learn)


def read_csv_again(recipe: Recipe, path: Path) -> Dataset:
    """Read a table as a recipe says."""
    return _parsed(path, lambda text: read_again(recipe, name_of(path), text))


def _parsed(path: Path, parse: Callable[[TextIO], Read]) -> Read:
    """Open a table, and say what is wrong where it is none."""
    name = name_of(path)
    with open_once(path) as file:
        text = TextIOWrapper(file, encoding="utf-8-sig", newline="")
        try:
            return parse(text)
        except UnicodeDecodeError:
            raise ValueError(f"{name} is not UTF-8 text: save it as CSV in UTF-8") from None
        except DAMAGED as error:
            raise ValueError(f"{name} cannot be read as CSV: {cause(error)}") from None
        finally:
            text.detach()  # who opened the file closes it; standard input stays open
