"""How far to trust an election: agreement of criteria, rivals of the winner, memory beforehand."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from .._data.rows import is_sparse
from .._evidence.landmarks.cost import most_landmarks
from .._evidence.landmarks.counts import WHOLE_ROWS
from .._evidence.regularisation import check_regularisation
from .._evidence.sampled.evidence import SCREEN_ALL
from .._support.arguments import check_whole, is_number, is_whole, shown
from .._support.notebooks import rows_html
from .._support.threads import resolve_threads
from ..criteria import Needs, resolve
from ._choice import Choice
from ._memory import Call
from ._score_table import ScoreTable
from ._selection import Selection
from ._text import in_columns

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, repr=False)
class Agreement:
    """Rank correlations between criteria.

    Attributes
    ----------
    names : list of str
        Keys of the criteria.
    matrix : ndarray of shape (n_criteria, n_criteria)
        Spearman correlations of the rankings: 1 for the same order, -1 for the reverse; NaN where
        fewer than three candidates have both values, or where all tie.
    """

    names: list[str]
    matrix: NDArray[np.float64]

    def to_frame(self) -> pandas.DataFrame:
        """Convert to a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            Criteria by criteria.
        """
        import pandas as pd

        return pd.DataFrame(self.matrix, index=self.names, columns=self.names)

    def __repr__(self) -> str:
        least = max(6, *(len(name) for name in self.names))
        return in_columns([["", *self.names], *self._rows()], right=True, least=least)

    def _repr_html_(self) -> str:
        return rows_html(("", *self.names), [tuple(row) for row in self._rows()])

    def _rows(self) -> list[list[str]]:
        return [
            [name, *("-" if np.isnan(value) else f"{value:.2f}" for value in row)]
            for name, row in zip(self.names, self.matrix, strict=True)
        ]


def agreement(table: ScoreTable | Selection) -> Agreement:
    """Measure how far the criteria of a table agree on the order of the candidates.

    Parameters
    ----------
    table : ScoreTable or Selection
        Scores by at least two criteria with a direction; each candidate counts at its best lambda.

    Returns
    -------
    Agreement
        Spearman's rank correlations.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_iris(return_X_y=True)
    >>> X = StandardScaler().fit_transform(X)
    >>> ke.agreement(ke.evaluate(X, y, ke.gaussian_grid(-5, 5), ["sm", "kta", "loo"]))
                sm     kta     loo
    sm        1.00    0.49    0.86
    kta       0.49    1.00    0.84
    loo       0.86    0.84    1.00
    """
    scores = table.table if isinstance(table, Selection) else table
    if not isinstance(scores, ScoreTable):
        raise TypeError(
            f"agreement needs a result of evaluate or select, not a {type(scores).__name__}"
        )
    names = [key for key, column in scores.columns.items() if column.direction != 0]
    if len(names) < 2:
        raise ValueError("agreement needs at least two criteria that rank candidates")
    columns = [scores.columns[key].at_best_lambda() for key in names]
    losses, known = [column.loss for column in columns], [column.known for column in columns]
    matrix = np.full((len(names), len(names)), np.nan)
    for a in range(len(names)):
        for b in range(len(names)):
            both = known[a] & known[b]
            ranks = [rankdata(losses[c][both]) for c in (a, b)]
            if both.sum() >= 3 and all(np.ptp(rank) > 0 for rank in ranks):
                matrix[a, b] = np.asarray(np.corrcoef(ranks))[0, 1]
    return Agreement(names, matrix)


def rivals(chosen: Selection, standard_errors: float = 1.0) -> list[Choice]:
    """Find the candidates that the data cannot tell from the winner.

    Parameters
    ----------
    chosen : Selection
        By a criterion with standard errors: "auto", "loo", "cv" or "ks".
    standard_errors : float, default=1.0
        How far a held-out loss may be above the winner's, in standard errors of the winner's.

    Returns
    -------
    list of Choice
        The winner first, then its rivals from best to worst. A long list says that the choice
        hardly matters, or that the data are too few to make it.

    Examples
    --------
    >>> import kernelect as ke
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = load_iris(return_X_y=True)
    >>> X = StandardScaler().fit_transform(X)
    >>> [rival.kernel.tau for rival in ke.rivals(ke.select(X, y, criterion="loo"))]
    [1.0, 2.0, 0.5]
    """
    if not isinstance(chosen, Selection):
        raise TypeError(f"rivals needs a result of select, not a {type(chosen).__name__}")
    table = chosen.table
    key = chosen.decisive
    column = table.columns[key].at_best_lambda()
    if column.errors is None:
        raise ValueError(
            f"{chosen.criterion!r} has no standard error to compare by; elect with 'auto', 'loo', "
            "'cv' or 'ks' and no scoring"
        )
    limit = column.loss[chosen.index] + standard_errors * column.errors[chosen.index]
    near = column.known & (column.loss <= limit)
    others = [int(i) for i in table.ranking(key) if i != chosen.index and near[i]]
    return [table.choice(key, i) for i in (chosen.index, *others)]


def memory_estimate(
    shape: Any,
    kernels: Any = 31,
    criteria: Any = "loo",
    *,
    n_classes: int = 2,
    lam: Any = 1.0,
    landmarks: Any = "auto",
    n_threads: int | None = None,
    n_jobs: int | None = None,
) -> int:
    """Estimate the memory an `evaluate` or `select` will need beyond the data, before it starts.

    Parameters
    ----------
    shape : tuple (n, n_features), or array-like with a shape
        Size of the data; of sparse rows, given as they are, their stored entries count.
    kernels : int or list, default=31
        Candidates, or how many.
    criteria : str, Criterion or list of these, default="loo"
        What is to be computed; "auto" and "all" count as "loo".
    n_classes : int, default=2
        Number of classes, or of targets of a regression.
    lam : float, list of float or "auto", default=1.0
        As for `evaluate`: a path of lambdas needs eigenvectors.
    landmarks : int, "auto" or None, default="auto"
        As for `select`: ``"auto"`` counts some for the criteria "auto" and more than 10,000 rows,
        as many as there may be at last.
    n_threads, n_jobs : int, optional
        As for `evaluate`: candidates that are factored side by side each hold a matrix.

    Returns
    -------
    int
        Bytes, right to about a third for more than two thousand rows; for sm_hinge at most that.

    Examples
    --------
    >>> import kernelect as ke
    >>> f"{ke.memory_estimate((100_000, 20), criteria='sm') / 1e9:.1f} GB"
    '0.1 GB'
    >>> f"{ke.memory_estimate((20_000, 20), criteria='loo', n_threads=4) / 1e9:.0f} GB"
    '15 GB'
    >>> f"{ke.memory_estimate((200_000, 20), criteria='auto', n_threads=2) / 1e9:.1f} GB"
    '0.6 GB'
    """
    rows, columns = _sides(getattr(shape, "shape", shape))
    if kernels is None or isinstance(kernels, str):
        kernels = 31
    count = len(kernels) if isinstance(kernels, Sized) else kernels
    if not is_whole(count) or count < 1:
        wrong = ValueError if is_whole(count) else TypeError
        raise wrong(
            f"kernels must be a list of candidates or their number, at least 1, not {shown(count)}"
        )
    n_classes = check_whole(n_classes, "n_classes", least=1)
    asked = resolve(
        "loo" if isinstance(criteria, str) and criteria in ("auto", "all") else criteria
    )
    lams = len(check_regularisation(lam, "sum", True).values)
    if isinstance(landmarks, str) and landmarks == "auto":
        by_size = isinstance(criteria, str) and criteria == "auto" and rows > WHOLE_ROWS
        landmarks = most_landmarks(rows) if by_size else None
    elif landmarks is not None:
        landmarks = check_whole(landmarks, "landmarks", least=1)
    entries = int(shape.nnz) if is_sparse(shape) else None
    threads = resolve_threads(n_threads, n_jobs)
    call = Call(rows, columns, entries, count, n_classes, lams, threads, landmarks)
    needs = Needs.of(asked)
    if landmarks is None or not (isinstance(criteria, str) and criteria == "auto"):
        return round(call.needs(needs))
    # The default election screens all candidates and looks at some of them, one at a time.
    screening = call.screening(sampled=rows > SCREEN_ALL)
    return round(max(screening, replace(call, kernels=1).needs(needs)))


def _sides(shape: Any) -> tuple[int, int]:
    pair = isinstance(shape, (tuple, list)) and len(shape) == 2
    if not pair or not all(is_number(side) and 1 <= side < np.inf for side in shape):
        raise ValueError(
            f"shape must be (rows, columns), or an array that has them, not {shown(shape)}"
        )
    return int(shape[0]), int(shape[1])


__all__ = ["Agreement", "agreement", "memory_estimate", "rivals"]
