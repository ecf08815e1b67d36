"""A Python function of a kernel matrix and the target as a criterion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._data.target import Target
from .._support.arguments import is_whole, shown
from ._base import Criterion
from ._column import Column
from ._evidence import Evidence
from ._needs import Needs


@dataclass(frozen=True, repr=False)
class OfMatrix(Criterion):
    """A criterion given as a function of the kernel matrix and the target.

    Every candidate's whole matrix is made, one at a time: O(n^2) memory. `evaluate` and `select`
    take the bare function as well.

    Parameters
    ----------
    function : callable
        ``function(K, y)`` gives a number: of the kernel matrix, which must not be changed, and y as
        it was given (labels of their own type). What is not a number has the worst value.
    direction : {1, -1, 0}, default=1
        Larger is better, smaller is better, or a diagnostic.
    called : str, optional
        Name in results; that of the function by default.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> def contrast(K, y):
    ...     same = y[:, None] == y
    ...     return K[same].mean() - K[~same].mean()
    >>> X, y = load_iris(return_X_y=True)
    >>> ke.select(X, y, ke.gaussian_grid(-2, 4), contrast)
    Gaussian(tau=2.0) elected by contrast = 0.590436 (candidate 4 of 7, classification)
    """

    name: ClassVar[str] = "function"
    regression: ClassVar[bool] = True
    function: Callable[..., Any]
    direction: int = 1
    called: str | None = None

    def __post_init__(self) -> None:
        if not callable(self.function) or isinstance(self.function, type):
            raise TypeError(f"OfMatrix needs a function of K and y, not {shown(self.function)}")
        if not is_whole(self.direction) or self.direction not in (1, -1, 0):
            raise ValueError(f"OfMatrix: direction must be 1, -1 or 0, not {shown(self.direction)}")

    @property
    def key(self) -> str:
        """Name in results."""
        return self.called or getattr(self.function, "__name__", None) or repr(self.function)

    def needs(self) -> Needs:
        return Needs(matrices=True)

    def column(self, evidence: Evidence) -> Column:
        y = _as_given(evidence.target)
        values = [
            self._value(kernel, evidence.matrix(place), y)
            for place, kernel in enumerate(evidence.kernels)
        ]
        return self.scored(np.array(values))

    def _value(self, kernel: Any, matrix: Any, y: Any) -> float:
        try:
            found = self.function(matrix, y)
        except Exception as error:
            kind, sentence = type(error).__name__, " ".join(str(error).split())
            raise ValueError(
                f"criterion {self.key!r} failed on the matrix of {kernel!r} ({kind}: {sentence})"
            ) from error
        try:
            if isinstance(found, (str, bytes)) or np.ndim(found) != 0:
                raise TypeError
            value = float(found)
        except (TypeError, ValueError):
            raise TypeError(
                f"criterion {self.key!r} must give a number, but gave {shown(found)} for {kernel!r}"
            ) from None
        return value

    def __repr__(self) -> str:
        return f"OfMatrix({self.key})"


def _as_given(target: Target) -> Any:
    """Return labels, or numbers: one per row, or one row of them."""
    if target.task == "classification":
        return target.classes[target.codes]
    return target.values[0] if len(target.values) == 1 else target.values.T
