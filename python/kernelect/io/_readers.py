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

from .._support.arguments import check_choice, check_flag
from .._support.remedy import Remedy, advised
from ._columns import Names
from ._csv import learn_csv, read_csv, read_csv_again
from ._dataset import Dataset
from ._files import is_standard_input, name_of, plain_suffix
from ._npz import learn_npz, read_npz, read_npz_again
from ._recipe import Recipe
from ._svmlight import learn_svmlight, read_svmlight, read_svmlight_again

FORMATS: dict[str, Callable[..., Dataset]] = {
    "csv": read_csv,
    "npz": read_npz,
    "svmlight": read_svmlight,
}

_LEARNERS: dict[str, Callable[..., tuple[Dataset, Recipe]]] = {
    "csv": learn_csv,
    "npz": learn_npz,
    "svmlight": learn_svmlight,
}
_AGAIN: dict[str, Callable[[Recipe, Path], Dataset]] = {
    "csv": read_csv_again,
    "npz": read_npz_again,
    "svmlight": read_svmlight_again,
}
_FLAGS = ("encode", "impute", "header")

# Formats that the ending of a file's name tells; all others are svmlight text.
_ENDINGS = {".csv": "csv", ".tsv": "csv", ".npz": "npz"}


def read(
    path: str | os.PathLike[str],
    *,
    target: str | int | None = None,
    format: str | None = None,
    groups: str | int | None = None,
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
    groups : str, optional
        The column (CSV) or the array (npz) that says which rows belong together, such as those of
        one patient; the data set's ``groups`` then, and no feature.
    columns, drop : list of str, optional
        The columns to learn from, or those to leave out, by name (CSV with a header) or by place,
        counted from 1; not both.
    encode, impute, decimal, header
        As for `read_csv`; `impute` goes for dense rows of npz too.

    Returns
    -------
    Dataset
        ``X``, ``y`` and ``feature_names``; ``groups`` where they were named.

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
    return learn(
        path,
        target=target,
        format=format,
        groups=groups,
        columns=columns,
        drop=drop,
        encode=encode,
        impute=impute,
        decimal=decimal,
        header=header,
    )[0]


def learn(
    path: str | os.PathLike[str],
    *,
    target: str | int | None = None,
    format: str | None = None,
    groups: str | int | None = None,
    columns: Names = None,
    drop: Names = None,
    encode: bool = False,
    impute: bool = False,
    decimal: str = ".",
    header: bool = True,
) -> tuple[Dataset, Recipe]:
    r"""Read a data file to learn from, and remember how its rows were made.

    Parameters
    ----------
    path, target, format, groups, columns, drop, encode, impute, decimal, header
        As for `read`.

    Returns
    -------
    Dataset
        What `read` gives.
    Recipe
        How it came about, for `read_like`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "old.csv").write_text("age,town,tall\n31,Ulm,1\n,Bonn,0\n35,Ulm,1\n")
    >>> data, recipe = learn(folder / "old.csv", encode=True, impute=True)
    >>> data.feature_names, data.X.tolist()
    (['age', 'town=Ulm'], [[31.0, 1.0], [33.0, 0.0], [35.0, 1.0]])
    >>> _ = (folder / "new.csv").write_text("town,age\nUlm,\n")
    >>> read_like(recipe, folder / "new.csv").X.tolist()
    [[33.0, 1.0]]
    """
    path = Path(path)
    kind = _format(path, format)
    defaults = {"encode": False, "impute": False, "decimal": ".", "header": True}
    given = {
        "target": target,
        "groups": groups,
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
    flags = {name: check_flag(value, name) for name, value in asked.items() if name in _FLAGS}
    if "decimal" in asked:
        check_choice(decimal, "decimal", (".", ","))
    return _LEARNERS[kind](path, **{**asked, **flags})


def read_like(
    recipe: Recipe, path: str | os.PathLike[str], *, format: str | None = None
) -> Dataset:
    """Read another file into the columns that a model was fitted with.

    Columns are found by name, others are passed over, and the target may be missing. A text that
    was not there before has 0 in all of its column's places, and is warned of.

    Parameters
    ----------
    recipe : Recipe
        What `learn` gave.
    path : str or path
        The file; ``"-"`` for standard input.
    format : {"csv", "npz", "svmlight"}, optional
        What the file is, if its name does not say.

    Returns
    -------
    Dataset
        With ``y`` None where the file has no target, or not in all rows.

    Raises
    ------
    ValueError
        If a column is missing, or holds what it did not hold before.
    """
    path = Path(path)
    kind = recipe.format if format is None and is_standard_input(path) else _format(path, format)
    if kind != recipe.format:
        raise ValueError(
            f"{name_of(path)} is read as {kind}, and the model was fitted on {recipe.format}: give "
            "a file of the same kind"
        )
    return _AGAIN[kind](recipe, path)


def _format(path: Path, given: str | None) -> str:
    if given is not None:
        return check_choice(given, "format", FORMATS)
    if is_standard_input(path):
        raise advised(
            ValueError,
            "standard input has no name to show its format",
            Remedy("pass format='csv', 'npz' or 'svmlight'", "pass --format csv, npz or svmlight"),
        )
    return _ENDINGS.get(plain_suffix(path), "svmlight")
