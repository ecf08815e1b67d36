"""The pictures of one result by name, as `plot` of results and the command line ask for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from .._support.arguments import check_choice
from .._support.pictures import PICTURES
from ..kernels._order import order_of
from ..results import ScoreTable, Selection
from ._curves import criterion_curves
from ._lambda_map import lambda_map
from ._spectra import label_energy, spectra
from ._style import keys_of, scores_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..kernels import Kernel

Result: TypeAlias = ScoreTable | Selection
Criteria: TypeAlias = str | Sequence[str] | None


def _curves(result: Result, criteria: Criteria, *, X: Any, y: Any, ax: Axes | None) -> Axes:
    """Criteria over the candidates."""
    return criterion_curves(result, criteria, X=X, ax=ax)


def _lambda_map(result: Result, criteria: Criteria, *, X: Any, y: Any, ax: Axes | None) -> Axes:
    """Kernels by lambdas."""
    return lambda_map(result, criteria, ax=ax)


def _spectra(result: Result, criteria: Criteria, *, X: Any, y: Any, ax: Axes | None) -> Axes:
    """Eigenvalues of the winners."""
    if X is None:
        raise ValueError("results do not keep the data; call plot(kind='spectra', X=X)")
    kernels, notes = elected(result, criteria)
    return spectra(kernels, X, notes=notes, ax=ax)


def _label_energy(result: Result, criteria: Criteria, *, X: Any, y: Any, ax: Axes | None) -> Axes:
    """Share of the labels at each eigenvalue."""
    if X is None or y is None:
        raise ValueError("results do not keep the data; call plot(kind='label_energy', X=X, y=y)")
    kernels, notes = elected(result, criteria)
    return label_energy(kernels, X, y, notes=notes, task=scores_of(result).task, ax=ax)


# In the order of the one list of pictures, which the command line offers too.
KINDS: dict[str, Callable[..., Axes]] = dict(
    zip(PICTURES, (_curves, _lambda_map, _spectra, _label_energy), strict=True)
)


def draw(
    result: Result,
    kind: str,
    criteria: Criteria = None,
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
    return KINDS[check_choice(kind, "kind", KINDS)](result, criteria, X=X, y=y, ax=ax)


def elected(result: Result, criteria: Criteria = None) -> tuple[list[Kernel], list[str]]:
    """Find the winners of the criteria, and beside them the kernels half-way to the grid's ends.

    Parameters
    ----------
    result : ScoreTable or Selection
        Of an election only the winner counts.
    criteria : str or list of str, optional
        Which criteria; all by default.

    Returns
    -------
    kernels : list of Kernel
        In the order of the candidates, without repetition.
    notes : list of str
        For the legend: which of them nobody elected.
    """
    table = scores_of(result)
    if isinstance(result, Selection) and criteria is None:
        won: set[int] = {result.index}
    else:
        found = [table.winner(key) for key in keys_of(table, criteria)]
        won = {place for place in found if place is not None}
    places = set(won)
    if order_of(table.kernels) is not None or not won:
        last = len(table.kernels) - 1
        low, high = min(won, default=0), max(won, default=last)
        places |= {low // 2, (high + last + 1) // 2}
    shown = sorted(places)
    notes = ["" if place in won else "for contrast" for place in shown]
    return [table.kernels[place] for place in shown], notes
