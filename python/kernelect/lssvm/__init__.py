"""LSSVM and kernel ridge regression that elect their kernel and lambda."""

from ._estimators import LSSVMClassifier, LSSVMRegressor

__all__ = ["LSSVMClassifier", "LSSVMRegressor"]
