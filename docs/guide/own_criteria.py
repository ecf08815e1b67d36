"""Criteria of one's own: one of ridge systems, one of eigenvalues, one of sums."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kernelect import criteria


@criteria.register
@dataclass(frozen=True, repr=False)
class MedianResidual(criteria.RidgeCriterion):
    """Median absolute leave-one-out residual, which a few wild rows do not move."""

    name: ClassVar[str] = "median_residual"
    direction: ClassVar[int] = -1

    def needs(self):
        return criteria.Needs(loo=True, outputs=True)

    def column(self, evidence):
        residuals = evidence.target.columns() - evidence.ridge.loo.outputs
        return self.scored(np.median(np.abs(residuals), axis=(2, 3)))


@criteria.register
@dataclass(frozen=True, repr=False)
class FirstShare(criteria.SpectrumCriterion):
    """Share of the largest eigenvalue in the trace: near 1, all rows look alike to the kernel."""

    name: ClassVar[str] = "first_share"
    direction: ClassVar[int] = -1

    def needs(self):
        return criteria.Needs(leading=1)

    def column(self, evidence):
        return self.scored(evidence.spectrum.leading[:, 0] / evidence.spectrum.trace)


@criteria.register
@dataclass(frozen=True, repr=False)
class SM3(criteria.SM):
    """The spectral measure of degree three."""

    name: ClassVar[str] = "sm3"
    r: int = 3
