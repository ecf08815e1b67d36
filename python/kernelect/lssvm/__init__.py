"""LSSVM and kernel ridge regression that elect their kernel and lambda."""

from ._classifier import LSSVMClassifier
from ._regressor import LSSVMRegressor

__all__ = ["LSSVMClassifier", "LSSVMRegressor"]
