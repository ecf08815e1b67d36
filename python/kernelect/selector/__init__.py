"""`KernelSelector`, a meta-estimator for every scikit-learn estimator that has a kernel."""

from ._estimator import KernelSelector

__all__ = ["KernelSelector"]
