"""The linear kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._data.rows import Rows, Tables
from .._base import Kernel

if TYPE_CHECKING:
    from ..._data.rows import Program


@dataclass(frozen=True, repr=False)
class Linear(Kernel):
    r"""Linear kernel :math:`x \cdot x'`.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.Linear()([[1.0, 2.0]])
    array([[5.]])
    """

    _names: ClassVar[tuple[str, ...]] = ("linear",)

    def _program(self, tables: Tables) -> Program:
        return [("linear", 0.0, 0.0, 0, tables.whole())]

    @classmethod
    def _of_data(cls, rows: Rows, weights: NDArray[np.float64] | None) -> Kernel:
        return cls()

    def _params_for(self, names: set[str]) -> dict[str, Any]:
        return {"kernel": "linear"} if "degree" in names else {}
