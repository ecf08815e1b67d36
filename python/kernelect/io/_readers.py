"""Read a data file; the ending of its name decides how.

``.csv`` and ``.tsv`` are tables with a header, ``.npz`` is a NumPy archive, anything else is
svmlight (LIBSVM) text, as those files carry many endings or none. Text may be compressed (``.gz``,
``.bz2``, ``.xz``). Nothing but NumPy, SciPy and scikit-learn is needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ._csv import read_csv
from ._dataset import Dataset
from ._files import plain_suffix
from ._npz import read_npz
from ._svmlight import read_svmlight

# Formats whose target has a name, by the ending of the file's; all others are svmlight text.
_NAMED: dict[str, Callable[..., Dataset]] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".npz": read_npz,
}


def read(path: str | os.PathLike[str], *, target: str | None = None) -> Dataset:
    r"""Read a data file; the ending of its name decides how.

    Parameters
    ----------
    path : str or path
        ``.csv`` or ``.tsv``: a table with a header (`read_csv`); ``.npz``: a NumPy archive
        (`read_npz`); anything else: svmlight text (`read_svmlight`).
    target : str, optional
        The column (CSV) or the array (npz) to predict: by default the last column, or ``y``.

    Returns
    -------
    Dataset
        ``X``, ``y`` and ``feature_names``.

    Raises
    ------
    ValueError
        If the file is not there, damaged, or not what its name says.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "flowers.csv")
    >>> _ = path.write_text("length,width,kind\n1.5,0.2,small\n4.7,1.4,large\n")
    >>> X, y, names = read(path)
    >>> X.shape, y.tolist(), names
    ((2, 2), ['small', 'large'], ['length', 'width'])
    """
    path = Path(path)
    reader = _NAMED.get(plain_suffix(path))
    if reader is not None:
        return reader(path, target=target)
    if target is not None:
        raise ValueError(
            f"{path.name} is read as svmlight text, where the target comes first on each line and "
            f"has no name, so target={target!r} cannot be looked up: leave it out, or name the "
            "file .csv or .npz if it is one"
        )
    return read_svmlight(path)
