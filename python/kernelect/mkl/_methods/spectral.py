r"""Weights that maximise the spectral measure of the sum of kernels.

.. math:: F(\mu) = \tfrac1n\, \bar y' N_\mu^r\, \bar y, \qquad N_\mu = K_\mu / C_\mu

with C the trace, or the sum of all entries, of :math:`K_\mu = \sum_q \mu_q K_q`, and

.. math:: \frac{\partial F}{\partial \mu_q} = \frac{1}{nC} \sum_{j=0}^{r-1} u_j' K_q u_{r-1-j}
    - \frac{r c_q}{C} F, \qquad u_j = N_\mu^j \bar y .

F does not depend on the length of :math:`\mu`, so weights are searched on the simplex and scaled to
:math:`\|\mu\|_p = 1`. **This method mostly selects one kernel**: for r = 1 and r = 2 F is
quasi-convex, so that its maximum over a simplex is at a corner, and for larger r mixtures rarely
win [1]_. Under the trace it prefers kernels whose spectrum is concentrated, such as a linear kernel
of few features, whether or not the machine separates the classes well with them.

References
----------
.. [1] J. Li, Y. Liu, H. Lin, Y. Yue and W. Wang, "Efficient kernel selection via spectral
   analysis", IJCAI 2017, remark 3.
"""

from __future__ import annotations

import numpy as np

from ..._support.arguments import check_choice, check_whole
from ..._support.arrays import TINY, FloatArray
from ..._support.deadline import TimeUp
from .._clock import check, half_of_the_rest
from .._solvers.convex import Learned
from .._solvers.descent import best_end, descend
from .._solvers.simplex import check_norm
from .weight_problem import WeightProblem

# Entries add up to nothing where their sum is no more than this share of the trace.
_NOTHING = 1e-12


class _Measure:
    """The measure and its gradient as functions of the weights."""

    def __init__(self, problem: WeightProblem) -> None:
        self.stack, self.r = problem.stack, check_whole(problem.settings.r, "r", least=1)
        check_choice(problem.settings.normalization, "normalization", ("trace", "sum"))
        self.labels = _weighted_labels(problem)
        self.scales = self.stack.traces()
        if problem.settings.normalization == "sum":
            ones = np.ones((1, self.stack.n))
            self.scales = self.stack.products(ones)[:, 0, :].sum(axis=1)
            if (self.scales <= _NOTHING * self.stack.traces()).any():
                raise ValueError(
                    "a kernel has entries that add up to nothing, so normalization='sum' is "
                    "undefined; use normalization='trace'"
                )

    def value(self, weights: FloatArray) -> float:
        """Measure a sum, mean over the columns of the target."""
        return self._powers(weights)[0]

    def with_gradient(self, weights: FloatArray) -> tuple[float, FloatArray]:
        """Measure a sum and give the gradient in its weights."""
        value, powers, K, scale = self._powers(weights)
        r = self.r
        while len(powers) < r:
            powers.append(powers[-1] @ K / scale)
        # G = sum_j u_j u_{r-1-j}' over columns; the sum is symmetric as a whole.
        G = np.concatenate(powers).T @ np.concatenate(powers[::-1])
        check()
        inner = self.stack.inner(0.5 * (G + G.T))
        size = self.stack.n * len(self.labels) * scale
        return value, inner / size - r * self.scales / scale * value

    def _powers(self, weights: FloatArray) -> tuple[float, list[FloatArray], FloatArray, float]:
        """Return the measure, u_j = N^j y up to half of its degree, the sum and its scale."""
        r, K = self.r, self.stack.combine(weights)
        check()
        scale = float(weights @ self.scales)
        powers = [self.labels]
        while len(powers) <= r // 2:
            powers.append(powers[-1] @ K / scale)
        # y'N^r y from the middle: u_{r//2}' u_{r - r//2}.
        last = powers[r // 2] if r % 2 == 0 else powers[r // 2] @ K / scale
        value = float((powers[r // 2] * last).sum()) / (self.stack.n * len(self.labels))
        return value, powers, K, scale


def _weighted_labels(problem: WeightProblem) -> FloatArray:
    """``n/n+`` and ``-n/n-`` for classes; centred and of squared length n for numbers."""
    targets = problem.machine.targets
    n = targets.shape[1]
    if problem.target.task == "regression":
        centred = targets - targets.mean(axis=1, keepdims=True)
        if np.ptp(targets) == 0.0:
            raise ValueError(
                "y is constant, so the spectral measure says nothing about kernels; use another "
                "method, for example method='average'"
            )
        return np.asarray(centred * np.sqrt(n / (centred**2).sum(axis=1, keepdims=True)))
    positive = targets > 0
    counts = positive.sum(axis=1, keepdims=True)
    return np.asarray(np.where(positive, n / counts, -n / (n - counts)))


def learn_sm(problem: WeightProblem) -> Learned:
    """Maximise the spectral measure; the machine comes after that and wants its time too."""
    with half_of_the_rest():
        return _maximise(problem)


def _maximise(problem: WeightProblem) -> Learned:
    p = check_norm(problem.settings.p, 1.0)
    measure = _Measure(problem)
    corners = np.eye(problem.stack.size)
    singles: list[float] = []
    late = False
    try:
        for corner in corners:
            singles.append(measure.value(corner))
    except TimeUp:
        if not singles:
            raise
        late = True
    best = int(np.argmax(singles))
    top = singles[best]
    if measure.r <= 2 or problem.stack.size == 1 or late:
        return Learned(corners[best], [top], 0.0, len(singles), not late, late=late)
    unit = max(abs(top), TINY)

    def function(mu: FloatArray) -> tuple[float, FloatArray, None]:
        value, gradient = measure.with_gradient(mu)
        return -value / unit, -gradient / unit, None

    starts = problem.uniform(), corners[best]
    end, made = best_end(
        descend(function, start, simplex=True, tol=problem.tol, max_iter=problem.max_iter)
        for start in starts
    )
    path = [-unit * value for value in end.path]
    weights = end.x / np.linalg.norm(end.x, ord=p)
    return Learned(
        weights,
        path,
        end.length,
        len(singles) + made,
        end.converged,
        stuck=end.stuck,
        late=end.late,
    )
