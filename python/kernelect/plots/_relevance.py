"""How relevant each column is to a kernel with widths of their own for columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .._support.arguments import check_whole, shown
from ..results import Refinement, Selection
from ._labels import fit_text
from ._style import COLOURS, new_axes, thin

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INCHES = 0.28  # of a bar
_LEAST_INCHES = 0.12  # of a bar with a small name
_LETTERS = 40  # of a name


def relevance(
    refined: Selection | Refinement | Mapping[str, float],
    *,
    most: int = 30,
    ax: Axes | None = None,
) -> Axes:
    """Draw the relevance of each column, the largest on top.

    Parameters
    ----------
    refined : Selection, Refinement or mapping of str to float
        What `refine` gave, or shares of columns by their names.
    most : int, default=30
        Of more columns, these are drawn and the others added up; small Axes have room for fewer.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes
        With a bar for every column.

    Examples
    --------
    >>> import kernelect as ke
    >>> ax = ke.plots.relevance({"age": 0.7, "weight": 0.3})
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['age', 'weight']
    """
    most = check_whole(most, "most", least=1)
    shares = _shares(refined)
    names = sorted(shares, key=lambda name: -shares[name])
    values = [shares[name] for name in names]
    if ax is not None:
        most = min(most, _room_for(ax))
    if len(names) > most:
        rest = sum(values[most:])
        names = [*names[:most], f"{len(names) - most} others"]
        values = [*values[:most], rest]
    names = [name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…" for name in names]
    axes = new_axes(ax, (5.0, 1.3 + _INCHES * len(names)))
    places = list(range(len(names)))
    axes.barh(places, [100.0 * value for value in values], color=COLOURS[0], height=0.7)
    axes.set_yticks(places, names)
    axes.set_ylim(len(names) - 0.4, -0.6)  # the first on top
    axes.set_xlim(left=0.0)
    axes.set_xlabel("share in squared distances, %")
    thin(axes, grid="x")
    fit_text(axes)
    return axes


def _room_for(axes: Axes) -> int:
    """Return how many bars Axes have room for that somebody else has made."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    return max(int(axes.get_window_extent().height / figure.dpi / _LEAST_INCHES) - 1, 2)


def _shares(refined: object) -> Mapping[str, float]:
    found = refined.refinement if isinstance(refined, Selection) else refined
    if isinstance(found, Refinement):
        found = found.relevance
        if not found:
            raise ValueError(
                "the kernel has no widths for single columns, so that all count alike; refine with "
                "per_column=True, and see whether that was adopted (chosen.refinement.adopted)"
            )
    if not isinstance(found, Mapping) or not found:
        raise TypeError(
            "relevance draws what refine gave, or shares of columns by their names, not "
            f"{shown(refined)}"
        )
    return found
