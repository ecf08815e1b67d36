r"""The ridge system of the whole kernel by conjugate gradients, with landmarks as preconditioner.

With weights w, s = sqrt(w) and S = diag(s), the machine with coefficients alpha = S x is

.. math:: A x + b\,s = S y, \quad s'x = 0, \qquad A = SKS + \rho I

(without a bias b = 0 and nothing is said of s'x). The preconditioner is that of the landmark model
[1]_: P = F F' + rho I with F = S G, G = k(X, Z) L'^-1, so that

.. math:: P^{-1} r = \big(r - F (F'F + \rho I)^{-1} F'r\big) / \rho

takes n m kernel values beside the n^2 of a pass, and no matrix of n rows. Directions stay where
s'x = 0, as :math:`z = P^{-1}(r - \beta s)` does with :math:`\beta = s'P^{-1}r / s'P^{-1}s`. All
columns of a target are solved together, so that one pass over the kernel serves them. How many it
takes depends on what landmarks do not see of the kernel, against rho.

References
----------
.. [1] M. Diaz, E. N. Epperly, Z. Frangella, J. A. Tropp, R. J. Webber, "Robust, randomized
   preconditioning for kernel ridge regression", arXiv 2304.12465, 2023.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from ..._support.arrays import FloatArray
from ..._support.deadline import TimeUp
from ..._support.progress import Tick, part_of, share
from ..._support.threads import limit_blas
from .cholesky import lower_factor
from .streamed_kernel import StreamedKernel

# A target that differs from its mean by less than this share is constant.
_ROUNDING = 1e-13


@dataclass(frozen=True)
class Solved:
    """Coefficients, columns x rows, the bias of each, and what it took.

    `unexplained` is what the system leaves of each target, y - f - rho S^-2 alpha; None where the
    coefficients are those of a landmark model.
    """

    alpha: FloatArray
    bias: FloatArray
    unexplained: FloatArray | None
    passes: int = 0
    residual: float = np.inf
    late: bool = False


class Preconditioner:
    """The inverse of F F' + rho I, for any rho."""

    def __init__(self, kernel: StreamedKernel, roots: FloatArray) -> None:
        self._kernel, self._roots = kernel, roots
        landmarks = kernel.landmarks
        gram = landmarks.kernel(landmarks.rows)
        self._factor = lower_factor(gram)
        squares = np.zeros((landmarks.size, landmarks.size))
        with limit_blas(kernel.threads):
            for part, g in kernel.coordinates():
                seen = roots[part, None] * g
                squares += seen.T @ seen
            self._values, self._vectors = np.linalg.eigh(squares)

    def solve(self, vectors: FloatArray, rho: float) -> FloatArray:
        """Return P^-1 r for every vector r."""
        seen = self._kernel.to_landmarks(vectors * self._roots).T
        g = scipy.linalg.solve_triangular(self._factor, seen, lower=True, check_finite=False)
        inside = (self._vectors.T @ g) / (np.maximum(self._values, 0.0) + rho)[:, None]
        back = scipy.linalg.solve_triangular(
            self._factor, self._vectors @ inside, lower=True, trans="T", check_finite=False
        )
        return (vectors - self._roots * self._kernel.from_landmarks(back.T)) / rho


@dataclass
class System:
    """One ridge system, and how far it is to be solved.

    Attributes
    ----------
    kernel : StreamedKernel
        The kernel on the training rows.
    preconditioner : Preconditioner
        Of its landmarks.
    roots : ndarray of shape (n,)
        Roots of the weights of the rows.
    bias : bool
        Whether there is one.
    tol : float
        The largest relative residual, that of S (y - f) - rho S^-1 alpha against S y.
    most : int
        The most passes over the kernel.
    tick : callable or None
        Progress.
    """

    kernel: StreamedKernel
    preconditioner: Preconditioner
    roots: FloatArray
    bias: bool
    tol: float
    most: int
    tick: Tick | None = None
    _passes: int = 0
    _worst: float = np.inf

    def solve(self, columns: FloatArray, rho: float) -> Solved:
        """Solve for the columns of a target, which are rows here."""
        self._passes, late, before = 0, False, np.inf
        means = self._bias(columns * self.roots)
        right = (columns - means[:, None]) * self.roots
        lengths = np.linalg.norm(right, axis=1)
        constant = lengths <= _ROUNDING * np.linalg.norm(columns * self.roots, axis=1)
        right[constant], self._sizes = 0.0, np.where(constant, 1.0, lengths)
        solved, rest, found = np.zeros_like(right), right.copy(), np.zeros(len(right))
        self._constant = self.preconditioner.solve(self.roots[None], rho)[0]
        self._worst = self.residual(rest)
        while self._worst > self.tol and self._worst < 0.5 * before and self._passes < self.most:
            kept, before = (solved.copy(), rest.copy(), found.copy()), self._worst
            try:
                self._iterate(solved, rest, found, rho)
                if self._passes < self.most:
                    # What was updated along the way is rounded: the residual itself decides.
                    rest = right - self._times(solved, rho)
                    found[:] = 0.0
            except TimeUp:
                late = True
                break
            self._worst = self.residual(rest)
            if self._worst > before:
                (solved, rest, found), self._worst = kept, before
        last = self._bias(rest)
        unexplained = rest / self.roots - last[:, None]
        bias = means + found + last
        return Solved(solved * self.roots, bias, unexplained, self._passes, self._worst, late)

    def _times(self, vectors: FloatArray, rho: float) -> FloatArray:
        tick = part_of(self.tick, share(self._passes, None), share(self._passes + 1, None))
        found = self.roots * self.kernel.times(vectors * self.roots, tick) + rho * vectors
        self._passes += 1
        return np.asarray(found)

    def _iterate(self, solved: FloatArray, r: FloatArray, found: FloatArray, rho: float) -> None:
        """Move solution, residual and bias, in place, until the residual is small by recursion.

        The bias is taken out of the residual, which would else be small against it. A column that
        is solved stays as it is: beyond that there is nothing but rounding.
        """
        self._move_bias(r, found)
        direction = self._direction(r, rho)
        product = _inner(r, direction)
        todo = np.flatnonzero(self._each(r) > self.tol)
        while len(todo) and self._passes < self.most:
            image = self._times(direction[todo], rho)
            step = _ratio(product[todo], _inner(direction[todo], image))
            solved[todo] += step * direction[todo]
            r[todo] -= step * image
            self._move_bias(r, found)
            each = self._each(r)
            self._worst, todo = float(each.max()), todo[each[todo] > self.tol]
            if len(todo):
                z = self._direction(r[todo], rho)
                following = _inner(r[todo], z)
                kept = _ratio(following, product[todo])
                direction[todo] = z + kept * direction[todo]
                product[todo] = following

    def _direction(self, r: FloatArray, rho: float) -> FloatArray:
        z = self.preconditioner.solve(r, rho)
        if not self.bias:
            return z
        part = (z @ self.roots) / float(self._constant @ self.roots)
        return np.asarray(z - part[:, None] * self._constant)

    def _bias(self, rest: FloatArray) -> FloatArray:
        """Return the number for each column that leaves the smallest residual."""
        if not self.bias:
            return np.zeros(len(rest))
        return np.asarray(rest @ self.roots / float(self.roots @ self.roots))

    def _move_bias(self, r: FloatArray, found: FloatArray) -> None:
        own = self._bias(r)
        r -= own[:, None] * self.roots
        found += own

    def residual(self, rest: FloatArray) -> float:
        """Return the largest relative residual of all columns."""
        return float(self._each(rest).max())

    def _each(self, rest: FloatArray) -> FloatArray:
        unexplained = rest - self._bias(rest)[:, None] * self.roots
        return np.asarray(np.linalg.norm(unexplained, axis=1) / self._sizes)


def _inner(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("ij,ij->i", a, b)[:, None])


def _ratio(a: FloatArray, b: FloatArray) -> FloatArray:
    """Divide; 0 where there is nothing left to do."""
    return np.divide(a, b, out=np.zeros_like(a), where=(b > 0.0) & np.isfinite(b))
