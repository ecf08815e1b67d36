"""Read a data file; the ending of its name decides how, or its format as it is given.

``.csv`` and ``.tsv`` are tables, ``.npz`` is a NumPy archive, anything else is svmlight (LIBSVM)
text, as those files carry many endings or none. Text may be compressed (``.gz``, ``.bz2``,
``.xz``). Nothing but NumPy, SciPy and scikit-learn is needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from inspect import signature
from pathlib import Path

from .._support.arguments import check_choice
from .._support.remedy import Remedy, advised
from ._columns import Names
from ._csv import read_csv
from ._dataset import Dataset
from ._files import is_standard_input, name_of, plain_suffix
from ._npz import read_npz
from ._svmlight import read_svmlight

FORMATS: dict[str, Callable[..., Dataset]] = {
    "csv": read_csv,
    "npz": read_npz,
    "svmlight": read_svmlight,
}

# Formats that the ending of a file's name tells; all others are svmlight text.
_ENDINGS = {".csv": "csv", ".tsv": "csv", ".npz": "npz"}


def read(
    path: str | os.PathLike[str],
    *,
    target: str | int | None = None,
    format: str | None = None,
    columns: Names = None,
    drop: Names = None,
    encode: bool = False,
    impute: bool = False,
    decimal: str = ".",
    header: bool = True,
) -> Dataset:
    r"""Read a data file; the ending of its name decides how.

    Parameters
    ----------
    path : str or path
        ``.csv`` or ``.tsv``: a table (`read_csv`); ``.npz``: a NumPy archive (`read_npz`); anything
        else: svmlight text (`read_svmlight`). ``"-"`` is standard input.
    target : str, optional
        The column (CSV) or the array (npz) to predict: by default the last column, or ``y``.
    format : {"csv", "npz", "svmlight"}, optional
        What the file is, whatever its name; standard input has none and needs it.
    columns, drop : list of str, optional
        The columns to learn from, or those to leave out, by name (CSV with a header) or by place,
        counted from 1; not both.
    encode, impute, decimal, header
        As for `read_csv`; `impute` goes for dense rows of npz too.

    Returns
    -------
    Dataset
        ``X``, ``y`` and ``feature_names``.

    Raises
    ------
    ValueError
        If the file is not there, damaged, of a single row, or not what its name says, or if an
        option does not fit its format.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "flowers.csv")
    >>> _ = path.write_text("length,width,kind\n1.5,0.2,small\n4.7,1.4,large\n")
    >>> X, y, names = read(path)
    >>> X.shape, y.tolist(), names
    ((2, 2), ['small', 'large'], ['length', 'width'])
    >>> read(path, drop=["width"]).feature_names
    ['length']
    """
    path = Path(path)
    kind = _format(path, format)
    defaults = {"encode": False, "impute": False, "decimal": ".", "header": True}
    given = {
        "target": target,
        "columns": columns,
        "drop": drop,
        "encode": encode,
        "impute": impute,
        "decimal": decimal,
        "header": header,
    }
    asked = {name: value for name, value in given.items() if value is not defaults.get(name)}
    reader = FORMATS[kind]
    for name, value in asked.items():
        if name in signature(reader).parameters:
            continue
        if name == "target":
            raise ValueError(
                f"{name_of(path)} is read as svmlight text, where the target comes first on each "
                f"line and has no name, so target={value!r} cannot be looked up: leave it out, or "
                "name the file .csv or .npz, or give its format, if it is one"
            )
        fit = [known for known, other in FORMATS.items() if name in signature(other).parameters]
        raise ValueError(
            f"{name_of(path)} is read as {kind}, and {name} is for {' and '.join(fit)}: leave it "
            "out, or give the file's format"
        )
    return reader(path, **asked)


def _format(path: Path, given: str | None) -> str:
    if given is not None:
        return check_choice(given, "format", FORMATS)
    if is_standard_input(path):
        raise advised(
            ValueError,
            "standard input has no name to tell its format",
            Remedy("pass format='csv', 'npz' or 'svmlight'", "pass --format csv, npz or svmlight"),
        )
    return _ENDINGS.get(plain_suffix(path), "svmlight")
