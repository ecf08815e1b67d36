"""Criteria: formulas on evidence about a kernel matrix, by name or as objects with parameters."""

from ._base import Criterion
from ._column import Column
from ._eigenvalues import SpectrumCriterion
from ._evidence import (
    Evidence,
    HeldOut,
    LabelForms,
    MomentScores,
    OperatorSpectra,
    RidgeEvidence,
    Rules,
    SpectrumEvidence,
    Systems,
)
from ._held_out import RidgeCriterion
from ._moments import CKTA, EKTA, FSM, KCSM, KTA, MMD, SM, MomentCriterion, Ncut, Stability
from ._needs import Above, CoreCriterion, Folds, Needs, Quadrature, Series
from ._registry import get, names, register, resolve
from ._ridge import BIF, BR, CV, GCV, KS, LOO
from ._spectrum import EP, ER, PEP, ERRatio, SMHinge, SMPhi

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
    "Above",
    "Column",
    "CoreCriterion",
    "Criterion",
    "ERRatio",
    "Evidence",
    "Folds",
    "HeldOut",
    "LabelForms",
    "MomentCriterion",
    "MomentScores",
    "Ncut",
    "Needs",
    "OperatorSpectra",
    "Quadrature",
    "RidgeCriterion",
    "RidgeEvidence",
    "Rules",
    "SMHinge",
    "SMPhi",
    "Series",
    "SpectrumCriterion",
    "SpectrumEvidence",
    "Stability",
    "Systems",
    "get",
    "names",
    "register",
    "resolve",
]
