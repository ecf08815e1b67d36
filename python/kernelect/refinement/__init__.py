"""Refinement of kernels: `refine` follows the derivatives of a criterion in their parameters."""

from ._refine import refine

__all__ = ["refine"]
