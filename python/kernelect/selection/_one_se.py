"""The rule of one standard error: the widest kernel that is hardly worse than the best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..criteria import Criterion
from ..kernels import Kernel
from ..kernels._candidates import Candidates
from ..kernels._order import order_of
from ..results import Selection


def check_standard_errors(decisive: Criterion) -> None:
    """Raise unless the values of a criterion come with standard errors."""
    if not decisive.standard_errors:
        raise ValueError(
            "rule='one_se' needs a held-out loss with a standard error, which "
            f"{decisive.key!r} does not have; use criterion 'auto', 'loo', 'cv', 'bif' or 'ks' "
            "without scoring"
        )


def check_ordered(candidates: Candidates) -> None:
    """Raise unless candidates are an ordered grid; those of a generator are not known yet."""
    if not candidates.one_shot:
        _widths([kernel for _, kernel in sorted(candidates.core + candidates.others())])


def _widths(kernels: list[Kernel]) -> NDArray[np.float64]:
    widths = order_of(kernels)
    if widths is None:
        raise ValueError(
            "rule='one_se' needs an ordered grid of three or more kernels of one family, which the "
            "candidates are not; pass one such as gaussian_grid(), or rule='best'"
        )
    return widths


def one_standard_error(chosen: Selection) -> Selection:
    """Move to the widest kernel within one standard error of the winner."""
    table = chosen.table
    widths = _widths(table.kernels)
    column = table.columns[chosen.decisive].at_best_lambda()
    if column.errors is None or column.reasons[chosen.index] is not None:
        return chosen  # time was up before the errors were known: the best decision so far
    limit = column.loss[chosen.index] + column.errors[chosen.index]
    within = np.flatnonzero(column.loss <= limit)
    place = int(within[np.argmax(widths[within])])
    return chosen.moved_to(table.choice(chosen.decisive, place))
