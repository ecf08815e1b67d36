"""Evidence from ridge systems of landmark models: O(n m^2) where whole matrices take O(n^3).

The model is that of K ~ K_nm K_mm^-1 K_mn, and exact for it: a left-out row leaves the fit and,
where it is a landmark, the landmarks too. With folds the landmarks stay, as a new row would find
them, and landmark rows are not scored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ..._dispatch import core
from ..._support.arrays import FloatArray, IntArray
from ..._support.blas_memory import take_blas_memory
from ..._support.progress import part_of
from ...criteria import Folds, HeldOut, Likelihood, Needs, RidgeEvidence, Series, Systems
from ..work import CallOptions, Work
from .folds import Scored, fold_residuals
from .landmark_work import LandmarkWork, ScoredRows
from .likelihood import likelihood
from .model import LandmarkRidge
from .series import off_diagonal, series_residuals

# Rows on which models of all landmarks and of half of them are compared.
_COMPARED = 4096
# A sum of squared residuals below this share of all squares has lost its digits.
_LOST = 1e-9


@dataclass
class _Answers:
    """What is known of one candidate, each array by lambda first."""

    lams: FloatArray
    failures: list[str]
    landmarks: int = 0
    rank_error: float = np.nan
    pivoted: float = np.nan
    sensitivities: FloatArray | None = None
    gcv: FloatArray | None = None
    log_determinant: FloatArray | None = None
    energies: FloatArray | None = None
    residuals: FloatArray | None = None
    compared: FloatArray | None = None
    loo: core._HeldOut | None = None
    folds: dict[Folds, list[core._HeldOut]] = field(default_factory=dict)
    series: dict[Series, list[core._HeldOut]] = field(default_factory=dict)
    off_diagonal: tuple[float, float] = (np.nan, np.nan)


def landmark_evidence(work: Work, needs: Needs, options: CallOptions) -> RidgeEvidence:
    """Solve the systems of landmark models, one candidate after the other."""
    assert options.landmarks is not None
    take_blas_memory(work.threads)
    scored = ScoredRows.of(work.target, options.landmarks.seed)
    answers = []
    for place in range(len(work.kernels)):
        part = part_of(work.tick, place / len(work.kernels), (place + 1) / len(work.kernels))
        candidate = _Candidate(work.take([place], part), needs, options, scored)
        try:
            answers.append(candidate.answer())
        except core.Undefined as reason:
            answers.append(candidate.nothing(str(reason)))
    systems = Systems(
        lams=np.array([found.lams for found in answers]),
        jitter=np.zeros((len(answers), len(options.regularisation.values))),
        failures=[found.failures for found in answers],
        single=options.regularisation.single,
        landmarks=np.array([found.landmarks for found in answers], dtype=np.float64),
        rank_errors=np.array([found.rank_error for found in answers]),
        pivoted=np.array([found.pivoted for found in answers]),
        sensitivities=_stacked([found.sensitivities for found in answers]),
    )
    return RidgeEvidence(
        systems,
        residuals=_stacked([found.residuals for found in answers]) if needs.fit else None,
        gcv=_stacked([found.gcv for found in answers]) if needs.gcv else None,
        likelihood=_likelihood(work, answers, options) if needs.evidence else None,
        loo=_held_out([found.loo for found in answers if found.loo]) if needs.loo else None,
        folds={
            request: [
                _held_out(list(parts))
                for parts in zip(*(found.folds[request] for found in answers), strict=True)
            ]
            for request in needs.folds
        },
        series={
            request: [
                _held_out(list(parts))
                for parts in zip(*(found.series[request] for found in answers), strict=True)
            ]
            for request in needs.series
        },
        off_diagonal=np.array([found.off_diagonal[0] for found in answers]),
        off_diagonal_squares=np.array([found.off_diagonal[1] for found in answers]),
        scored=scored.target,
    )


class _Candidate:
    """The answers of one kernel."""

    def __init__(self, work: Work, needs: Needs, options: CallOptions, scored: ScoredRows) -> None:
        self._work = LandmarkWork(work, options)
        self._needs, self._options, self._scored = needs, options, scored
        self._compared = slice(None, None, -(-len(scored.numbers) // _COMPARED))
        self._fold_sets = {
            request: options.splits.sets(
                work.target,
                request.splits,
                stratified=request.stratified,
                shuffled=request.shuffled,
            )
            for request in needs.folds
        }
        self._series_sets = {
            series: options.splits.sets(work.target, series.folds.splits) for series in needs.series
        }

    def answer(self) -> _Answers:
        """Gather all that is needed."""
        work, chosen = self._work, self._options.regularisation
        landmarks = work.choose(work.tick(0.0, 0.2))
        sums = work.sums(landmarks, work.tick(0.2, 0.6))
        scale = sums.centred_trace
        # As for whole matrices: a kernel that is constant is left as it is.
        usable = scale > 1e-300
        lams = chosen.values * (scale if chosen.relative and usable else 1.0)
        found = _Answers(lams, [""] * len(lams), landmarks.size, pivoted=float(landmarks.pivoted))
        if usable:
            found.rank_error = max(sums.left, 0.0) / scale
        place = work.place_of(landmarks)
        scored = Scored(self._scored.numbers, place)
        model = work.ridge(landmarks, sums, work.tick(0.6, 0.7))
        self._add_whole(found, model, place)
        found.sensitivities = self._sensitivities(found, model, sums, place)
        for request, sets in self._fold_sets.items():
            found.folds[request] = [
                self._part(fold_residuals(work, landmarks, lams, scored, folds)) for folds in sets
            ]
        for series, sets in self._series_sets.items():
            ridges = lams * (work.size if chosen.mean else 1.0)
            found.series[series] = [
                self._part(
                    series_residuals(work, model, ridges, scored, folds, order=series.order),
                    zero_one=series.zero_one,
                )
                for folds in sets
            ]
        if self._needs.series:
            found.off_diagonal = off_diagonal(work)
        return found

    def nothing(self, reason: str) -> _Answers:
        """Answer for a kernel that has no landmark model."""
        count, width = len(self._options.regularisation.values), self._work.columns.shape[1]
        found = _Answers(np.full(count, np.nan), [reason] * count)
        found.sensitivities = np.full(count, np.nan)
        found.residuals = np.full((count, len(self._scored.numbers), width), np.nan)
        found.gcv = found.energies = np.full((count, width), np.nan)
        found.log_determinant = np.full(count, np.nan)
        found.loo = part = self._part(found.residuals)
        found.folds = {request: [part for _ in sets] for request, sets in self._fold_sets.items()}
        found.series = {
            series: [self._part(found.residuals, zero_one=series.zero_one) for _ in sets]
            for series, sets in self._series_sets.items()
        }
        if self._needs.variances:
            found.loo = {**part, "variances": np.full(found.residuals.shape[:2], np.nan)}
        return found

    def _add_whole(self, found: _Answers, model: LandmarkRidge, place: IntArray) -> None:
        """Add what the model on all rows tells."""
        n, rows = self._work.size, self._scored.numbers
        mean = self._options.regularisation.mean
        ridges = found.lams * (n if mean else 1.0)
        if self._needs.loo:
            shorter = found.lams * (n - 1.0) if mean else ridges
            left_out, found.failures = self._work.left_out(
                model, rows, shorter, place, self._work.tick(0.7, 0.8)
            )
            found.loo = self._part(left_out.residuals)
            if self._needs.variances:
                found.loo["variances"] = left_out.variances(shorter, self._work.weights(rows))
            found.compared = self._mean_squares(left_out.residuals[:, self._compared])
        if self._needs.fit or self._needs.gcv:
            squares, total, freedom = model.model.spread(list(ridges))
            lost = (squares < _LOST * total).any(axis=1)
            if self._needs.fit or lost.any():
                found.residuals = self._work.residuals(
                    model, rows, ridges, self._work.tick(0.7, 0.8)
                )
                weights = self._scored.target.weights
                each = np.average(found.residuals**2, axis=1, weights=weights)
                squares[lost] = self._work.total_weight * each[lost]
            found.gcv = n * squares / (n - freedom[:, None]) ** 2
        if self._needs.evidence:
            found.log_determinant, found.energies = likelihood(
                self._work, model, ridges, bias=self._options.regularisation.bias
            )

    def _sensitivities(
        self, found: _Answers, model: LandmarkRidge, sums: core.LandmarkSums, place: IntArray
    ) -> FloatArray:
        """By what share half of the landmarks, the first ones, predict left-out rows worse.

        Nothing is missing where a kernel has no more landmarks than it was given.
        """
        landmarks = model.landmarks
        if landmarks.complete or landmarks.size < 2:
            return np.zeros(len(found.lams))
        mean = self._options.regularisation.mean
        ridges = found.lams * (self._work.size - 1.0 if mean else 1.0)
        rows, tick = self._scored.numbers[self._compared], self._work.tick(0.8, 0.9)

        def loss(of: LandmarkRidge) -> FloatArray:
            return self._mean_squares(
                self._work.left_out(of, rows, ridges, place, tick)[0].residuals
            )

        half = loss(self._work.ridge(landmarks, sums, tick, order=landmarks.size // 2))
        whole = loss(model) if found.compared is None else found.compared
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(half / whole - 1.0)

    def _mean_squares(self, residuals: FloatArray) -> FloatArray:
        """Mean of squares for each ridge, of the rows that are compared."""
        weights = self._scored.target.weights
        own = None if weights is None else weights[self._compared]
        return np.asarray(np.average(residuals**2, axis=1, weights=own).mean(axis=1))

    def _part(self, residuals: FloatArray, *, zero_one: bool | None = None) -> core._HeldOut:
        """Losses of residuals, as whole matrices have them."""
        zero_one = self._needs.zero_one if zero_one is None else zero_one
        targets = self._scored.target.columns()
        classes = self._scored.target.task == "classification"
        part = core.held_out_losses(residuals, targets, zero_one=zero_one and classes)
        if self._needs.outputs:
            part["outputs"] = targets - residuals
        return part


def _likelihood(work: Work, answers: list[_Answers], options: CallOptions) -> Likelihood:
    return Likelihood(
        _stacked([found.log_determinant for found in answers]),
        _stacked([found.energies for found in answers]),
        work.target.size - options.regularisation.bias,
    )


def _stacked(arrays: Sequence[FloatArray | None]) -> FloatArray:
    return np.array([array for array in arrays if array is not None])


def _held_out(parts: list[core._HeldOut]) -> HeldOut:
    return HeldOut(
        np.array([part["point_squared"] for part in parts]),
        sums=np.array([part["squared"] for part in parts]),
        zero_one=_together([part.get("point_zero_one") for part in parts]),
        outputs=_together([part.get("outputs") for part in parts]),
        variances=_together([part.get("variances") for part in parts]),
    )


def _together(arrays: Sequence[FloatArray | None]) -> FloatArray | None:
    """Stack what was asked for of all candidates, or of none."""
    return None if arrays[0] is None else _stacked(arrays)
