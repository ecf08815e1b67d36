"""Criteria: formulas on evidence about a kernel matrix, by name or as objects with parameters."""

from ._base import Criterion, Evidence
from ._moments import CKTA, EKTA, FSM, KCSM, KTA, MMD, SM, MomentCriterion, Ncut, Stability
from ._registry import get, names, register, resolve
from ._ridge import BIF, BR, CV, GCV, KS, LOO, RidgeCriterion
from ._spectrum import EP, ER, PEP, ERRatio, SMHinge, SMPhi, SpectrumCriterion

__all__ = [
    "BIF",
    "BR",
    "CKTA",
    "CV",
    "EKTA",
    "EP",
    "ER",
    "FSM",
    "GCV",
    "KCSM",
    "KS",
    "KTA",
    "LOO",
    "MMD",
    "PEP",
    "SM",
    "Criterion",
    "ERRatio",
    "Evidence",
    "MomentCriterion",
    "Ncut",
    "RidgeCriterion",
    "SMHinge",
    "SMPhi",
    "SpectrumCriterion",
    "Stability",
    "get",
    "names",
    "register",
    "resolve",
]
