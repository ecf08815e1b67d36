"""The two functions: `evaluate` scores candidates, `select` elects one."""

from ._functions import DEFAULT_CRITERIA, evaluate, select

__all__ = ["DEFAULT_CRITERIA", "evaluate", "select"]
