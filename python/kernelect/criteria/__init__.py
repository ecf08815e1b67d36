"""Criteria: formulas on evidence about a kernel matrix, by name or as objects with parameters."""

from ._base import Criterion
from ._bif import BIF
from ._column import Column
from ._eigenvalues import SpectrumCriterion
from ._evidence import (
    Evidence,
    LabelForms,
    MomentScores,
    OperatorSpectra,
    RidgeEvidence,
    Rules,
    SpectrumEvidence,
)
from ._goal import Goal
from ._held_out import RidgeCriterion
from ._likelihood import MarginalLikelihood
from ._moments import CKTA, EKTA, FSM, KCSM, KTA, MMD, SM, MomentCriterion, Ncut, Stability
from ._needs import Above, CoreCriterion, Folds, Needs, Quadrature, Series
from ._of_matrix import OfMatrix
from ._predictions import HeldOut
from ._registry import get, names, register, resolve
from ._ridge import BR, CV, GCV, KS, LOO
from ._spectrum import EP, ER, PEP, ERRatio, SMHinge, SMPhi
from ._systems import Likelihood, Systems

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
    "Goal",
    "HeldOut",
    "LabelForms",
    "Likelihood",
    "MarginalLikelihood",
    "MomentCriterion",
    "MomentScores",
    "Ncut",
    "Needs",
    "OfMatrix",
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
