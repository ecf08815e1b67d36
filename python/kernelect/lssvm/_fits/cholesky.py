"""Cholesky factors of what lambda is to make positive definite."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from ..._support.arrays import FloatArray


def lower_factor(matrix: FloatArray, *, overwrite: bool = False) -> FloatArray:
    """Return the lower factor, or say what keeps a matrix from having one."""
    try:
        return np.asarray(
            scipy.linalg.cholesky(matrix, lower=True, overwrite_a=overwrite, check_finite=False)
        )
    except scipy.linalg.LinAlgError:
        raise ValueError(
            "lam is so small beside the kernel and the weights that it is lost in rounding; give a "
            "larger lam"
        ) from None
