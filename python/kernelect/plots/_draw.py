"""The pictures of one result by name, as `plot` of results and the command line ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..kernels._order import order_of
from ..results import ScoreTable, Selection
from ._curves import criterion_curves
from ._lambda_map import lambda_map
from ._spectra import label_energy, spectra
from ._style import keys_of, scores_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..kernels import Kernel

KINDS = ("curves", "lambda_map", "spectra", "label_energy")


def draw(
    result: ScoreTable | Selection,
    kind: str,
    criteria: str | Sequence[str] | None = None,
    *,
    X: Any = None,
    y: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw one of `KINDS`.

    Parameters
    ----------
    result : ScoreTable or Selection
        What to draw.
    kind : str
        How.
    criteria : str or list of str, optional
        Which criteria; all by default.
    X, y : array-like, optional
        The data.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes
        The picture.
    """
    if kind == "curves":
        return criterion_curves(result, criteria, X=X, ax=ax)
    if kind == "lambda_map":
        named = [] if criteria is None else keys_of(scores_of(result), criteria)
        if len(named) > 1:
            raise ValueError(f"a map of lambdas shows one criterion, not {len(named)}")
        return lambda_map(result, named[0] if named else None, ax=ax)
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
    if X is None or (y is None and kind == "label_energy"):
        wanted = "X=X" if kind == "spectra" else "X=X, y=y"
        raise ValueError(f"results do not keep the data; call plot(kind={kind!r}, {wanted})")
    kernels = elected(result, criteria)
    if kind == "spectra":
        return spectra(kernels, X, ax=ax)
    return label_energy(kernels, X, y, task=scores_of(result).task, ax=ax)


def elected(
    result: ScoreTable | Selection, criteria: str | Sequence[str] | None = None
) -> list[Kernel]:
    """Find the winners of the criteria, for comparison with the kernels half-way to the grid's ends.

    Parameters
    ----------
    result : ScoreTable or Selection
        Of an election only the winner counts.
    criteria : str or list of str, optional
        Which criteria; all by default.

    Returns
    -------
    list of Kernel
        In the order of the candidates, without repetition.
    """
    table = scores_of(result)
    if isinstance(result, Selection) and criteria is None:
        places: set[int] = {result.index}
    else:
        found = [table.winner(key) for key in keys_of(table, criteria)]
        places = {place for place in found if place is not None}
    if order_of(table.kernels) is not None or not places:
        last = len(table.kernels) - 1
        low, high = min(places, default=0), max(places, default=last)
        places |= {low // 2, (high + last + 1) // 2}
    return [table.kernels[place] for place in sorted(places)]
