"""Criteria: formulas on evidence about a kernel matrix, by name or as objects with parameters."""

from ._base import Criterion, Evidence
from ._moments import CKTA, EKTA, FSM, KCSM, KTA, MMD, SM, MomentCriterion, Ncut, Stability
from ._registry import get, names, register, resolve

__all__ = [
    "CKTA",
    "EKTA",
    "FSM",
    "KCSM",
    "KTA",
    "MMD",
    "SM",
    "Criterion",
    "Evidence",
    "MomentCriterion",
    "Ncut",
    "Stability",
    "get",
    "names",
    "register",
    "resolve",
]
