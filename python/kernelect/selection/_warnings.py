"""What an election warns about: a grid too narrow, no evidence, time that was up."""

from __future__ import annotations

from .._support.remedy import advised
from .._support.warning import warn_caller
from ..kernels._order import order_of
from ..results import ScoreTable, Selection
from ._deadline import Deadline

# A measure this little above that of the identity kernel tells nothing.
_NOTHING = 1e-3


def warn_if_late(deadline: Deadline | None, table: ScoreTable) -> bool:
    """Warn where time was up, with how far the work got; return whether it was."""
    if deadline is None or not deadline.reached:
        return False
    counts = [f"{column.known.sum()} by {key}" for key, column in table.columns.items()]
    warn_caller(
        f"time_limit={deadline.seconds:g} seconds was reached; of {len(table.kernels)} candidates "
        f"were scored: {', '.join(counts)}"
    )
    return True


def warn_at_edge(chosen: Selection) -> None:
    """Say how to go on when the winner is the widest or narrowest of an ordered grid."""
    kernels, index = chosen.table.kernels, chosen.index
    widths = order_of(kernels)
    if widths is None or 0 < index < len(kernels) - 1:
        return
    advice = chosen.kernel._beyond(kernels, wide=bool(widths[index] == widths.max()))
    if advice is not None:
        fault = f"the winner {chosen.kernel} stands at the edge of the grid"
        warn_caller(advised(UserWarning, fault, advice))


def warn_without_evidence(chosen: Selection, relative: float) -> None:
    """Warn where the winner tells hardly more than the identity kernel, whose value is 1."""
    if relative <= 1.0 + _NOTHING:
        warn_caller(
            f"no evidence: by {chosen.criterion} the best candidate {chosen.kernel} tells no "
            "more about y than the identity kernel does; try other candidates, a higher degree r, "
            "or criterion 'auto'"
        )
