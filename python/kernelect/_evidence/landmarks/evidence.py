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
from ...criteria import Folds, HeldOut, Likelihood, Needs, RidgeEvidence, Systems
from ..work import CallOptions, Work
from .landmark_work import LandmarkWork, ScoredRows
from .likelihood import likelihood
from .model import LandmarkRidge

# Rows on which models of all landmarks and of half of them are compared.
_COMPARED = 4096
# A sum of squared residuals below this share of all squares has lost its digits.
_LOST = 1e-9

Part = dict[str, FloatArray]  # held-out predictions, each array by lambda first


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
    loo: Part = field(default_factory=dict)
    folds: dict[Folds, list[Part]] = field(default_factory=dict)


def landmark_evidence(work: Work, needs: Needs, options: CallOptions) -> RidgeEvidence:
    """Solve the systems of landmark models, one candidate after the other."""
    assert options.landmarks is not None
    if needs.series:
        raise ValueError(
            "bif needs whole kernel matrices, and landmarks take their place; ask for cv, or "
            "pass landmarks=None"
        )
    if needs.variances:
        raise ValueError(
            "log_probability takes variances of left-out rows from whole kernel matrices, which "
            "landmarks replace; ask for loo or evidence, or pass landmarks=None"
        )
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
        loo=_held_out([found.loo for found in answers]) if needs.loo else None,
        folds={
            request: [
                _held_out(list(parts))
                for parts in zip(*(found.folds[request] for found in answers), strict=True)
            ]
            for request in needs.folds
        },
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
        model = work.ridge(landmarks, sums, work.tick(0.6, 0.7))
        self._add_whole(found, model, place)
        found.sensitivities = self._sensitivities(found, model, sums, place)
        for request, sets in self._fold_sets.items():
            found.folds[request] = [
                self._part(work.fold_residuals(landmarks, lams, self._scored.numbers, place, folds))
                for folds in sets
            ]
        return found

    def nothing(self, reason: str) -> _Answers:
        """Answer for a kernel that has no landmark model."""
        count, width = len(self._options.regularisation.values), self._work.columns.shape[1]
        found = _Answers(np.full(count, np.nan), [reason] * count)
        found.sensitivities = np.full(count, np.nan)
        found.residuals = np.full((count, len(self._scored.numbers), width), np.nan)
        found.gcv = found.energies = np.full((count, width), np.nan)
        found.log_determinant = np.full(count, np.nan)
        found.loo = self._part(found.residuals)
        found.folds = {
            request: [found.loo for _ in sets] for request, sets in self._fold_sets.items()
        }
        return found

    def _add_whole(self, found: _Answers, model: LandmarkRidge, place: IntArray) -> None:
        """Add what the model on all rows tells."""
        n, rows = self._work.size, self._scored.numbers
        mean = self._options.regularisation.mean
        ridges = found.lams * (n if mean else 1.0)
        if self._needs.loo:
            shorter = found.lams * (n - 1.0) if mean else ridges
            residuals, found.failures = self._work.left_out(
                model, rows, shorter, place, self._work.tick(0.7, 0.8)
            )
            found.loo = self._part(residuals)
            found.compared = _mean_squares(residuals[:, self._compared])
        if self._needs.fit or self._needs.gcv:
            squares, total, freedom = model.model.spread(list(ridges))
            lost = (squares < _LOST * total).any(axis=1)
            if self._needs.fit or lost.any():
                found.residuals, _ = self._work.residuals(
                    model, rows, ridges, tick=self._work.tick(0.7, 0.8)
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
            return _mean_squares(self._work.residuals(of, rows, ridges, place, tick)[0])

        half = loss(self._work.ridge(landmarks, sums, tick, order=landmarks.size // 2))
        whole = loss(model) if found.compared is None else found.compared
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(half / whole - 1.0)

    def _part(self, residuals: FloatArray) -> Part:
        """Losses of residuals, as whole matrices have them."""
        targets = self._scored.target.columns()
        classes = self._scored.target.task == "classification"
        found = core.held_out_losses(residuals, targets, zero_one=self._needs.zero_one and classes)
        part: Part = {**found}  # type: ignore[dict-item]
        if self._needs.outputs:
            part["outputs"] = targets - residuals
        return part


def _mean_squares(residuals: FloatArray) -> FloatArray:
    """Mean of squares for each ridge."""
    return np.asarray(np.mean(residuals**2, axis=(1, 2)))


def _likelihood(work: Work, answers: list[_Answers], options: CallOptions) -> Likelihood:
    return Likelihood(
        _stacked([found.log_determinant for found in answers]),
        _stacked([found.energies for found in answers]),
        work.target.size - options.regularisation.bias,
    )


def _stacked(arrays: Sequence[FloatArray | None]) -> FloatArray:
    return np.array([array for array in arrays if array is not None])


def _held_out(parts: list[Part]) -> HeldOut:
    whole = {name: np.array([part[name] for part in parts]) for name in parts[0]}
    return HeldOut(
        whole["point_squared"],
        sums=whole["squared"],
        zero_one=whole.get("point_zero_one"),
        outputs=whole.get("outputs"),
    )
