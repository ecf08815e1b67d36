"""What a file is read into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from .._data.rows import with_short_indices

if TYPE_CHECKING:
    from typing_extensions import Self

# From this share of non-zero entries on, dense rows are both smaller than three times the sparse
# ones and much faster: a dense tile is one matrix product.
_DENSE_FROM = 0.25


class _Parts(NamedTuple):
    X: NDArray[np.float64] | scipy.sparse.csr_array[np.float64]
    y: Any
    feature_names: list[str] | None = None


class Dataset(_Parts):
    """Rows, their targets, and the names of the columns where the file has them.

    It unpacks into these three: ``X, y, names = read(path)``.

    Attributes
    ----------
    X : ndarray or sparse array of shape (n_samples, n_features)
        The features, float64; sparse rows stay sparse.
    y : ndarray of shape (n_samples,)
        The target: integers where all values are whole numbers, else float64; text stays text.
        None where new rows come without one (`read_like`).
    feature_names : list of str or None
        The columns of ``X`` by name, or None where the format has no names.
    groups : ndarray of shape (n_samples,) or None
        The group of each row, where a column of them was named.
    """

    groups: NDArray[Any] | None

    def __new__(
        cls,
        X: Any,
        y: Any,
        feature_names: list[str] | None = None,
        groups: NDArray[Any] | None = None,
    ) -> Self:
        """Put the parts together."""
        made = super().__new__(cls, X, y, feature_names)
        made.groups = groups
        return made

    def _replace(self, **parts: Any) -> Dataset:  # named tuples would forget the groups
        return Dataset(**{**self._asdict(), "groups": self.groups, **parts})


def dense_if_full(
    X: scipy.sparse.csr_array[np.float64],
) -> NDArray[np.float64] | scipy.sparse.csr_array[np.float64]:
    """Make rows dense that have few zeros; others stay sparse, with short indices."""
    cells = X.shape[0] * X.shape[1]
    if cells and X.nnz >= _DENSE_FROM * cells:
        return X.toarray()
    found: scipy.sparse.csr_array[np.float64] = with_short_indices(X)
    return found


def two_rows(name: str, count: int) -> None:
    """Refuse a file of a single row: nothing can be elected on one."""
    if count < 2:
        raise ValueError(
            f"{name} has a single row: at least two are needed, and many more are better"
        )


def whole_numbers(y: NDArray[np.float64]) -> NDArray[Any]:
    """Make integers of a target whose values are all whole numbers."""
    if np.all(np.abs(y) < 2.0**53) and np.all(y == np.rint(y)):
        return y.astype(np.int64)
    return y
