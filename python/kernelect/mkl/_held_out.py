"""Outputs of a machine for rows that it has not seen, on the learned kernel."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import StratifiedKFold

from .._data.outputs import LogisticProbabilities
from .._data.target import Target
from .._support.arrays import FloatArray
from .._support.quiet import quietly
from ._machines import LOOSE, LeastSquaresMachine, Machine, ridge_left_out

_FOLDS = 5


def fit_probabilities(machine: Machine, target: Target, K: FloatArray) -> LogisticProbabilities:
    """Fit a logistic curve to outputs on held-out rows.

    The least-squares machine leaves out one row at a time, exactly; an SVM is trained anew on five
    stratified folds, in which rows that are alone in their class are never held out. The kernel is
    the one learned from all rows.
    """
    if isinstance(machine, LeastSquaresMachine):
        return LogisticProbabilities.fit(
            ridge_left_out(K, machine.targets, machine.rho), target.codes
        )
    rows = np.arange(target.size)
    sizes = np.bincount(target.codes)
    tested = np.flatnonzero(sizes[target.codes] > 1)
    outputs = np.empty((target.size, len(machine.targets)))
    if not len(tested):  # every class is a single row, and the fit's own outputs are all there is
        tested, tests = rows, []
        solution = machine.solve(K, LOOSE)
        outputs[:] = (solution.z @ K + solution.bias[:, None]).T
    else:
        codes = target.codes[tested]
        splitter = StratifiedKFold(min(_FOLDS, int(sizes.max())), shuffle=True, random_state=0)
        with quietly(UserWarning):  # about classes with fewer members than folds
            tests = [tested[test] for _, test in splitter.split(codes, codes)]
    for test in tests:
        train = np.setdiff1d(rows, test)
        solution = machine.subset(train).solve(K[np.ix_(train, train)], LOOSE)
        outputs[test] = (solution.z @ K[np.ix_(train, test)] + solution.bias[:, None]).T
    return LogisticProbabilities.fit(outputs[tested], target.codes[tested])
