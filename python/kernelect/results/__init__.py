"""What `evaluate` and `select` give back, and what can be asked of it."""

from . import diagnostics, serialization
from ._choice import Choice
from ._committee import Committee
from ._contest import Contest
from ._landmark_map import LandmarkMap
from ._refinement import Refinement
from ._ridge_model import RidgeModel
from ._score_table import NOT_REACHED, NOT_VERIFIED, ScoreTable
from ._selection import Selection

__all__ = [
    "NOT_REACHED",
    "NOT_VERIFIED",
    "Choice",
    "Committee",
    "Contest",
    "LandmarkMap",
    "Refinement",
    "RidgeModel",
    "ScoreTable",
    "Selection",
    "diagnostics",
    "serialization",
]
