"""Read CSV tables with a header."""

from __future__ import annotations

import os
from io import TextIOWrapper
from pathlib import Path

from ._csv_table import parse
from ._dataset import Dataset
from ._files import DAMAGED, cause, open_once


def read_csv(path: str | os.PathLike[str], *, target: str | None = None) -> Dataset:
    r"""Read a CSV table with a header; every column but the target must be numeric.

    Parameters
    ----------
    path : str or path
        The file, as it is or compressed. Cells are separated by commas, or, where the header has
        no comma, by semicolons or tabs.
    target : str, optional
        The name of the column to predict; by default the last one. It may hold text.

    Returns
    -------
    Dataset
        With the names of the feature columns.

    Raises
    ------
    ValueError
        If the file is not there, damaged, has no header, lacks the target, or has text or missing
        cells in the features; the columns are named.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "people.csv")
    >>> _ = path.write_text("age,town\n31,Ulm\n,Bonn\n")
    >>> read_csv(path)
    Traceback (most recent call last):
    ...
    ValueError: people.csv: column 'age' (missing in row 2) is not numeric ...
    """
    path = Path(path)
    with (
        open_once(path) as file,
        TextIOWrapper(file, encoding="utf-8-sig", newline="") as text,
    ):
        try:
            return Dataset(*parse(path.name, text, target))
        except UnicodeDecodeError:
            raise ValueError(f"{path.name} is not UTF-8 text: save it as CSV in UTF-8") from None
        except DAMAGED as error:
            raise ValueError(f"{path.name} cannot be read as CSV: {cause(error)}") from None
