"""The closed forms of criteria on what sampled rows tell of all pairs.

Every total over all rows is a mean over sampled rows, each exact, times the number of rows; a class
counts with its own number of rows. ||HKH||^2 is the exception: as a difference of totals it would
be one of large numbers with errors of their own, so it is a sum of variances within the sample.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..._support.arrays import FloatArray
from ...criteria import CoreCriterion
from .cells import SampledCells

# Relative to tr(K): what counts as rounding in a denominator.
_TINY = 1e-12
# The highest power of the kernel that the rows tell by themselves.
MOST_DEGREE = 2


def codings(sizes: FloatArray) -> list[FloatArray]:
    """Label vectors of the spectral measure by class, weighted and plain, (vectors, classes)."""
    n, classes = sizes.sum(), len(sizes)
    if classes < 2:
        return []
    own = np.eye(classes, dtype=bool)[: 1 if classes == 2 else classes]
    mine = sizes[: len(own), None]
    return [np.where(own, n / mine, -n / (n - mine)), np.where(own, 1.0, -1.0)]


@dataclass(frozen=True)
class Totals:
    """Estimates of all candidates' totals by the whole sample, or by each of its groups.

    The first axis is that of estimates, the second that of candidates.
    """

    cells: SampledCells
    blocks: FloatArray  # sums of E between classes
    squares: FloatArray  # ||K||^2
    powers: FloatArray  # sums of (K w)_j^2, by coding first
    forms: FloatArray  # t'K t of targets
    target_powers: FloatArray  # |K t|^2 of targets
    centred_squares: FloatArray  # ||HKH||^2

    @classmethod
    def of(cls, cells: SampledCells) -> Totals:
        """Put them together: the whole sample first, then the groups."""
        weights = cells.strata.weights(cells.counts)
        per_group = cells.counts.sum(axis=1).astype(np.float64)
        everything = np.vstack([np.ones(len(per_group)), np.eye(len(per_group))])
        rows = everything @ per_group
        n = float(cells.size)
        products, means, squares = (np.einsum("wg,kgp->wkp", everything, f) for f in cells.forms)
        # The targets add up to 0 over all rows, so their covariance with K t is what is wanted.
        spread = products - (everything @ cells.targets)[:, None] * means / rows[:, None, None]
        return cls(
            cells,
            blocks=np.einsum("wgh,kghl->wkhl", weights, cells.blocks),
            squares=np.einsum("wgh,kgh->wk", weights, cells.squares),
            powers=np.einsum("wgh,ckgh->cwk", weights, cells.powers),
            forms=spread * ((n - 1.0) / (rows - 1.0))[:, None, None],
            target_powers=squares * (n / rows)[:, None, None],
            centred_squares=(everything @ cells.variances.T) / rows[:, None],
        )

    @property
    def sizes(self) -> FloatArray:
        """Rows of each class."""
        return self.cells.strata.sizes.astype(np.float64)

    def class_forms(self, vectors: FloatArray, *, centred: bool = True) -> FloatArray:
        """Sum of a'K a over vectors a that are constant on classes, (vectors, classes)."""
        forms = np.einsum("vh,wkhl,vl->wk", vectors, self.blocks, vectors) * self.cells.sign
        if not centred:
            forms = forms + self.cells.shift * ((vectors @ self.sizes) ** 2).sum()
        return np.asarray(forms)


Formula = Callable[[CoreCriterion, Totals], FloatArray]


def _spectral(form: CoreCriterion, totals: Totals) -> FloatArray:
    """(1/n) w'N^r w of the labels w, a mean over codings or targets."""
    _, degree, entry_sum, plain, relative, _ = form
    n, trace = float(totals.cells.size), totals.cells.trace
    if totals.cells.centred.size:
        scales = n / (totals.cells.centred**2).sum(axis=1)  # to squared norm n
        own = totals.forms if degree == 1 else totals.target_powers
        powers, vectors, norms = (own * scales).sum(axis=2), len(scales), n * len(scales)
    else:
        coding = codings(totals.sizes)[int(plain)]
        if degree == 1:
            powers = totals.class_forms(coding, centred=not plain)
        else:
            powers = totals.powers[int(plain)]
        vectors, norms = len(coding), float((coding**2 @ totals.sizes).sum())
    divisor = trace
    if entry_sum:
        everything = np.ones((1, len(totals.sizes)))
        total = totals.class_forms(everything, centred=False)
        divisor = np.where(total > _TINY * trace, total, np.nan)
    value = powers / divisor**degree / (vectors * n)
    return value * (vectors * n * n**degree / norms) if relative else value


def _cosine(inner: FloatArray, squares: FloatArray, norm: float, totals: Totals) -> FloatArray:
    size = np.sqrt(np.maximum(squares, 0.0))
    return inner / (np.where(size > _TINY * abs(totals.cells.trace), size, np.nan) * norm)


def _norm(vectors: FloatArray, sizes: FloatArray) -> float:
    """||sum of w w'|| over vectors that are constant on classes."""
    return float(np.linalg.norm((vectors * sizes) @ vectors.T))


def _alignment(form: CoreCriterion, totals: Totals) -> FloatArray:
    """Cosines of K, or HKH, with the matrix of the target."""
    name, *_, variant = form
    squares = totals.centred_squares if name == "ckta" else totals.squares
    if totals.cells.centred.size:
        targets = totals.cells.centred
        norm = float(np.linalg.norm(targets @ targets.T))
        return _cosine(totals.forms.sum(axis=2), squares, norm, totals)
    sizes, c = totals.sizes, len(totals.sizes)
    if name == "kta":  # 1 within a class, -1/(c-1) between classes
        wanted = np.where(np.eye(c, dtype=bool), 1.0, -1.0 / (c - 1.0))
        both = wanted * np.outer(sizes, sizes)
        inner = (wanted * totals.blocks).sum(axis=(2, 3)) * totals.cells.sign
        norm = float(np.sqrt((wanted * both).sum()))
        return _cosine(inner + totals.cells.shift * both.sum(), squares, norm, totals)
    if name == "ekta":
        vectors = (np.eye(c) - 1.0 / c) / sizes
    else:
        vectors = np.eye(c) - sizes[:, None] / sizes.sum()
    inner, norm = totals.class_forms(vectors), _norm(vectors, sizes)
    if variant:
        inner, norm = 2.0 * inner, float(sizes.sum())
    return _cosine(inner, squares, norm, totals)


def _separability(form: CoreCriterion, totals: Totals) -> FloatArray:
    """Between-class over within-class scatter, or over their sum."""
    cells, sizes = totals.cells, totals.sizes
    n = sizes.sum()
    own = (np.einsum("wkhh->wkh", totals.blocks) / sizes).sum(axis=2)
    between = cells.sign * (own - totals.blocks.sum(axis=(2, 3)) / n)
    within = cells.trace - n * cells.shift - cells.sign * own
    whole = between + within if form[-1] else within
    return np.asarray(between / np.where(whole > _TINY * abs(cells.trace), whole, np.nan))


def _discrepancy(_: CoreCriterion, totals: Totals) -> FloatArray:
    """Squared distance of the means of two classes."""
    return totals.class_forms(np.array([[1.0, -1.0]]) / totals.sizes)


FORMULAS: dict[str, Formula] = {
    "sm": _spectral,
    "kta": _alignment,
    "ekta": _alignment,
    "ckta": _alignment,
    "kcsm": _separability,
    "mmd": _discrepancy,
}
