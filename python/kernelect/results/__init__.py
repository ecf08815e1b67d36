"""What `evaluate` and `select` give back, and what can be asked of it."""

from . import diagnostics, serialization
from ._tables import NOT_REACHED, NOT_VERIFIED, Choice, ScoreTable, Selection

__all__ = [
    "NOT_REACHED",
    "NOT_VERIFIED",
    "Choice",
    "ScoreTable",
    "Selection",
    "diagnostics",
    "serialization",
]
