"""Kernels, results and fitted models in files: JSON and NumPy's .npz, from which nothing runs."""

from ._files import MODEL_FORMAT, load, save

__all__ = ["MODEL_FORMAT", "load", "save"]
