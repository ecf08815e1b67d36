"""What the commands work on: rows of a file, by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse

from ._file_options import FILE_OPTIONS

if TYPE_CHECKING:
    from argparse import Namespace

    from numpy.typing import NDArray

    from ..io import Dataset


@dataclass(frozen=True)
class _NamedRows:
    """Rows with the names of their columns, which the library's messages use."""

    rows: NDArray[np.float64]
    columns: list[str]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self.rows, dtype=dtype)


def read(options: Namespace) -> Dataset:
    """Read the file that was named, standardised where that was asked for."""
    from ..io import read as read_file

    data = read_file(options.file, **{name: getattr(options, name) for name in FILE_OPTIONS})
    if not options.standardize:
        return data
    from sklearn.preprocessing import StandardScaler

    # Only differences of rows enter a Gaussian, so sparse rows need not be centred.
    scaler = StandardScaler(with_mean=not scipy.sparse.issparse(data.X))
    return data._replace(X=scaler.fit_transform(data.X))


def named(data: Dataset) -> Any:
    """Return rows with the names of their columns, where they have some."""
    if data.feature_names is None or not isinstance(data.X, np.ndarray):
        return data.X
    return _NamedRows(data.X, data.feature_names)
