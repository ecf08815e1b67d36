"""How results are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._score_table import ScoreTable
    from ._selection import Selection


class Plottable:
    """A result that can be drawn."""

    def plot(
        self,
        criteria: str | Sequence[str] | None = None,
        *,
        kind: str = "curves",
        X: Any = None,
        y: Any = None,
        ax: Any = None,
    ) -> Axes:
        """Draw the result; see `kernelect.plots`.

        Parameters
        ----------
        criteria : str or list of str, optional
            Which criteria; all by default.
        kind : {"curves", "lambda_map", "spectra", "label_energy"}, default="curves"
            Criteria over the candidates (`plots.criterion_curves`), one criterion over kernels and
            lambdas (`plots.lambda_map`), or the eigenvalues of the winners' matrices
            (`plots.spectra`) and the share of the labels at each (`plots.label_energy`); on a grid
            beside the kernels half-way to its ends.
        X : array-like, optional
            The data: needed for spectra; in curves it adds the heuristics' bandwidths as lines.
        y : array-like, optional
            The target, for ``"label_energy"``.
        ax : matplotlib Axes, optional
            Where to draw.

        Returns
        -------
        matplotlib Axes
            The picture.
        """
        from ..plots._draw import draw

        return draw(cast("ScoreTable | Selection", self), kind, criteria, X=X, y=y, ax=ax)
