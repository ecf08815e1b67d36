"""The two functions: `evaluate` scores candidates, `select` elects one."""

from ._evaluate import DEFAULT_CRITERIA, evaluate
from ._select import select

__all__ = ["DEFAULT_CRITERIA", "evaluate", "select"]
