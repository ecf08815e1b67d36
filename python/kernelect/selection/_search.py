"""Search for a kernel and a lambda together, by few exact held-out losses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from .._evidence.work import CallOptions
from .._support.progress import Tick, part_of, share
from ..criteria import CV, LOO, Column
from ..kernels._order import order_of
from ..results import NOT_VERIFIED, ScoreTable
from ._least_gain import LEAST_GAIN, least_gain
from ._problem import Problem

# Grids of up to about this many kernels and lambdas are walked in single steps, finer ones in
# longer steps first.
_KERNELS, _LAMBDAS = 31, 21
# Half of the rows must be fewer than this share of all to be worth a search of their own.
_FEWER = 0.75
# A pair whose loss on half of the rows is larger by this share is not looked at on all of them.
# Chosen with six sets of classes at 1,000 rows in view, none kept back: about 30 % less work,
# the loss found at most 0.9 % larger; with half this share it was 18 % larger on one of them.
_CLEARLY = 0.01
# Where all rows lose more than this share of what half of them do with its best pair, rows are
# enough for that pair, and nothing else is looked at on all of them. On five splits of 1,000 rows
# of the sets that `_least_gain` names a support vector machine lost 30.2 %, with 0.8 in place of
# this share 30.5 %; of a made-up set with little noise (0.3 to 0.4) walking on lost 5.8, not 6.7 %.
_FALLEN = 0.5
# By how many places a search leaps to a narrower kernel, and with how many more ranks of lambda. On
# 2,000 rows of protein the walk alone ended at tau = 2^5 and a loss of 0.64, with 0.55 at 2^-1.
_LEAP, _WITH_MORE = 5, (2, 4, 6)

Pair = tuple[int, int]  # the place of a kernel, the rank of a lambda


class Search:
    """Losses of pairs of a kernel and a lambda, computed as they are asked for.

    On an ordered grid the losses form a valley that runs from narrow kernels with a large lambda to
    wide ones with a small one: of a wide kernel only the terms of low order show, and a smaller
    lambda brings the others back. So besides the four neighbours of a pair the two along the valley
    are looked at, wider with less lambda and narrower with more. Pairs of the same kernel are
    computed in one call, which makes the matrix only once.

    Attributes
    ----------
    MANY : int
        From this many rows on, the search begins on half of them.
    FEW : int
        Up to this many rows the whole grid takes milliseconds, and tiny samples have several
        valleys, so that everything is computed.
    """

    MANY: ClassVar[int] = 800
    FEW: ClassVar[int] = 64

    def __init__(
        self,
        problem: Problem,
        screen: ScoreTable,
        verifying: LOO | CV,
        options: CallOptions,
        tick: Tick | None,
    ) -> None:
        self._on_half: Search | None = None
        self._wider = 0  # to which side of an ordered grid kernels are wider
        self._problem, self._screen, self._verifying = problem, screen, verifying
        self._options, self._tick = options, tick
        self._lams = options.regularisation.values
        self._rank = np.argsort(self._lams, kind="stable")  # places of lambdas by size
        self._looks = 0
        shape = (len(screen.kernels), len(self._lams))
        self._known = np.zeros(shape, dtype=bool)
        self._found = Column.blank(
            verifying.key, verifying.direction, shape, NOT_VERIFIED, label=verifying.label
        )
        self._quantities: dict[str, Any] = {}
        self._reasons: dict[int, str | None] = {}

    def run(self, listed: Sequence[int]) -> tuple[Column, list[int]]:
        """Search; return the losses found, and the places looked at."""
        widths = order_of(self._screen.kernels)
        if self._problem.target.size <= self.FEW:
            self._compute(list(range(len(self._known))), self._rank)
        elif widths is None:
            self._alternate(listed)
        else:
            self._descend(1 if widths[-1] > widths[0] else -1)
        return self._column(), sorted(self._reasons)

    def _descend(self, wider: int) -> Pair:
        """Walk on all rows; where there are many, from where the walk on half of them ended.

        Half of the rows cost an eighth, and what is best for them is close to what is best for all.
        """
        self._wider, size = wider, self._problem.target.size
        if self._problem.candidates.rows is None or size < self.MANY:
            return self._walk(wider)
        half = self._half()
        # Classes of one or two rows stay whole; where most rows are in such, nothing is saved.
        if half._problem.target.size >= _FEWER * size:
            return self._walk(wider)
        self._on_half = half
        here = half._descend(wider)
        if self._problem.target.task == "regression":
            here = half._leap(wider, here)
            if not self._falls(here):
                return here
        return self._walk(wider, here)

    def _falls(self, here: Pair) -> bool:
        """Whether a pair loses so much less on all rows than on half that others may be better."""
        assert self._on_half is not None
        if self._verifying.scoring is not None:
            return True
        now, before = (each._order(each._best_of([here]))[0] for each in (self, self._on_half))
        return not now > _FALLEN * before

    def _leap(self, wider: int, here: Pair) -> Pair:
        """Look beyond a rise, at a kernel much narrower with more lambda, and walk on from there.

        Numbers may have a second valley of narrow kernels, which is the deeper one once rows lie so
        close that the next ones tell.
        """
        place = here[0] - wider * _LEAP
        there = self._best_of([self._inside(place, here[1] + more) for more in _WITH_MORE])
        return self._walk(wider, there) if self._gains(there, here) else here

    def _half(self) -> Search:
        """Make the same search on half of the rows of each class, taken at random.

        Two rows of a class are left where there are as many: some scores need all classes.
        """
        problem, options = self._problem, self._options
        order = problem.target.shuffled_by_class()
        codes, places = problem.target.codes[order], np.arange(len(order))
        begins = np.diff(codes, prepend=-1) != 0  # a class
        within = places - np.maximum.accumulate(np.where(begins, places, 0))
        places = np.sort(order[(within % 2 == 0) | (np.bincount(codes)[codes] == 2)])
        regularisation = options.regularisation
        if regularisation.mean:  # the same ridge m lambda for fewer rows
            factor = len(order) / len(places)
            regularisation = replace(regularisation, values=factor * regularisation.values)
        splits = options.splits.of_part(problem.target, places)
        options = replace(options, regularisation=regularisation, splits=splits)
        return Search(problem.part(places), self._screen, self._verifying, options, None)

    def _walk(self, wider: int, start: Pair | None = None) -> Pair:
        """Go down the valley, by default from the winner of SM of degree 1 and a medium lambda."""
        kernels, lams = self._known.shape
        step, lam_step = max(kernels // _KERNELS, 1), max(lams // _LAMBDAS, 1)
        apart = 2 * lam_step if start is None else lam_step
        if start is None:
            middle = max(lams // 2 - lam_step, 0)
            start = self._inside(int(self._screen.ranking("sm(r=1)")[0]), middle)
        else:
            step = lam_step = 1
        near = [self._inside(start[0], start[1] + shift) for shift in (-apart, apart)]
        here = self._best_of([start, *(pair for pair in near if self._open(pair, start))])
        ways = ["wider", "lambda", "narrower"]
        while True:
            for way in ways:
                place, rank = here
                near = {
                    "wider": [
                        self._inside(place + wider * step, rank),
                        self._inside(place + wider * step, rank - lam_step),
                    ],
                    "lambda": [
                        self._inside(place, rank - lam_step),
                        self._inside(place, rank + lam_step),
                    ],
                    "narrower": [
                        self._inside(place - wider * step, rank),
                        self._inside(place - wider * step, rank + lam_step),
                    ],
                }[way]
                best = self._best_of([here, *(pair for pair in near if self._open(pair, here))])
                if self._gains(best, here):
                    here = best
                    ways = [way, *(other for other in ways if other != way)]
                    break
            else:
                here = self._least()
                if step == lam_step == 1:
                    return here
                step, lam_step = max(step // 2, 1), max(lam_step // 2, 1)

    def _alternate(self, listed: Sequence[int]) -> None:
        """Take the best candidate at one lambda and the best lambda for it, until neither moves."""
        lams = self._known.shape[1]
        here = (listed[0], max(lams // 2 - 1, 0))
        while True:
            best = self._best_of([(place, here[1]) for place in listed])
            step = lams // 5
            if step < 2:  # so few lambdas that a plateau between two of them would hide the others
                best = self._best_of([(best[0], rank) for rank in range(lams)])
            while step > 0:
                near = [self._inside(best[0], best[1] + shift) for shift in (-step, step)]
                found = self._best_of(near)
                if self._gains(found, best):
                    best = found
                else:
                    step //= 2
            if best[1] == here[1] or self._known[list(listed), self._rank[best[1]]].all():
                return
            here = best

    def _inside(self, place: int, rank: int) -> Pair:
        kernels, lams = self._known.shape
        return min(max(place, 0), kernels - 1), min(max(rank, 0), lams - 1)

    def _order(self, pair: Pair) -> tuple[float, float]:
        """By what pairs are compared: the loss, and the squared loss on ties.

        Where there is no value a larger lambda is the way to one.
        """
        at = pair[0], self._rank[pair[1]]
        loss = -self._verifying.direction * float(self._found.values[at])
        if not np.isfinite(loss):
            return loss, -1.0 - pair[1]
        ties = self._quantities.get("ties")
        return loss, np.inf if ties is None else float(ties[at])

    def _gains(self, new: Pair, old: Pair) -> bool:
        """Whether a step is worth taking; any is from where there is no value."""
        for after, before in zip(self._order(new), self._order(old), strict=True):
            if after != before:
                share = self._least_gain(new, old)
                return before - after > (share * abs(before) if np.isfinite(before) else 0.0)
        return False

    def _least_gain(self, new: Pair, old: Pair) -> float:
        """By which share a step must lower the loss."""
        if self._problem.target.task != "regression" or self._wider == 0:
            return LEAST_GAIN
        return least_gain(self._wider * (new[0] - old[0]), new[1] - old[1])

    def _open(self, new: Pair, old: Pair) -> bool:
        """Whether a step may gain on all rows, as far as half of them tell.

        Of a score that counts rows, half of them tell too little; and in a regression with little
        noise the best width moves with the number of rows.
        """
        half = self._on_half
        numbers = self._problem.target.task == "regression"
        if half is None or numbers or self._verifying.scoring is not None:
            return True
        if not all(half._known[i, half._rank[j]] for i, j in (new, old)):
            return True
        after, before = half._order(new)[0], half._order(old)[0]
        return not after - before > _CLEARLY * abs(before)

    def _least(self) -> Pair:
        ranks = np.argsort(self._rank)
        return min(((int(i), int(ranks[j])) for i, j in np.argwhere(self._known)), key=self._order)

    def _best_of(self, pairs: Sequence[Pair]) -> Pair:
        """Compute what is not known yet and return the best of some pairs."""
        fresh = {pair for pair in pairs if not self._known[pair[0], self._rank[pair[1]]]}
        # Either several lambdas of one kernel or several kernels at one lambda.
        if fresh:
            places, ranks = ({pair[axis] for pair in fresh} for axis in (0, 1))
            self._compute(sorted(places), self._rank[sorted(ranks)])
        return min(pairs, key=self._order)

    def _compute(self, places: list[int], columns: np.ndarray) -> None:
        regularisation = replace(self._options.regularisation, values=self._lams[columns])
        options = replace(self._options, regularisation=regularisation)
        part = part_of(self._tick, share(self._looks, None), share(self._looks + 1, None))
        self._looks += 1
        table = self._problem.score([self._verifying], options, part, places)
        found = table.columns[self._verifying.key]
        at = np.ix_(np.array(places), columns)
        self._known[at] = True
        self._found.values[at] = found.values
        for name, empty in Column.quantities().items():
            array = getattr(found, name)
            if array is not None and name != "lams":
                own = self._quantities.setdefault(name, np.full(self._known.shape, empty))
                own[at] = array
        # One lambda of a candidate tells what all of them are for it; where time was up, none does.
        assert found.lams is not None
        reached = np.isfinite(found.lams[:, 0])
        absolute = found.lams[reached, :1] / self._lams[columns[0]] * self._lams
        lams = self._quantities.setdefault("lams", np.full(self._known.shape, np.nan))
        lams[np.array(places)[reached]] = absolute
        for place, reason in zip(places, found.reasons, strict=True):
            if reason is None or self._reasons.get(place, reason) is not None:
                self._reasons[place] = reason

    def _column(self) -> Column:
        """Column of the losses that were computed."""
        count = len(self._screen.kernels)
        reasons = [self._reasons.get(place, NOT_VERIFIED) for place in range(count)]
        return replace(self._found, reasons=reasons, **self._quantities)
