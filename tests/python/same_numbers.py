"""One problem and its scores: what every other form of it must give too."""

from __future__ import annotations

from numpy.testing import assert_allclose
from problems import problem

import kernelect as ke

CRITERIA = ["sm", "kta", "ckta", "stability"]
GRID = ke.gaussian_grid(-2, 3)
X, Y = problem("binary", n=70, d=4)
WANTED = ke.evaluate(X, Y, GRID, CRITERIA)


def same(table, wanted=WANTED, rtol=0.0):
    assert table.task == wanted.task
    for key, values in wanted.scores.items():
        assert_allclose(table.scores[key], values, rtol=rtol, err_msg=key)
