"""Evidence that is the kernel matrices themselves, made one at a time."""

from __future__ import annotations

from collections.abc import Callable

from .._dispatch import core
from .._support.arrays import FloatArray
from .work import Work


def matrix_evidence(work: Work) -> Callable[[int], FloatArray]:
    """Return the function that makes the matrix of the kernel at a place."""
    count = len(work.kernels)

    def made(place: int) -> FloatArray:
        if work.tick is not None:
            work.tick(place / count)
        matrix = work.matrix
        if matrix is None:
            matrix = core.gram(
                work.programs[place], work.as_given, None, threads=work.threads, progress=None
            )
        seen = matrix.view()  # the caller's own matrix stays writable for the caller
        seen.flags.writeable = False
        return seen

    return made
