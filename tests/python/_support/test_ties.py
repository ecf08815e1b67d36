"""Equally good lambdas: the larger one wins, whatever rounding makes of them."""

import numpy as np
import pytest

import kernelect as ke
from kernelect._support.ties import best_lambda

LAMS = np.array([1.0, 10.0, 100.0])


@pytest.mark.parametrize(
    ("loss", "ties", "place"),
    [
        ([1.0, 1.0, 1.0], None, 2),
        ([1.0, 1.0 + 1e-15, 2.0], None, 1),
        ([1.0 + 1e-14, 1.0, 1.0 - 1e-14], None, 2),
        ([1.0 - 1e-6, 1.0, 1.0], None, 0),
        ([-1.0, -1.0 - 1e-15, -1.0], None, 2),
        ([0.0, 0.0, 1e-300], None, 1),
        ([np.nan, 2.0, 3.0], None, 1),
        ([np.nan, np.inf, np.nan], None, 2),
        ([-np.inf, 0.0, 1.0], None, 0),
        ([1.0, 1.0, 1.0], [3.0, 1.0, 1.0 + 1e-14], 2),
        ([1.0, 1.0, 0.5], [3.0, 1.0, 9.0], 2),
    ],
)
def test_the_larger_lambda_wins(loss, ties, place):
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        given = None if ties is None else np.array(ties)[order]
        assert order[best_lambda(np.array(loss)[order], LAMS[order], given)] == place


def test_a_kernel_that_fits_as_well_at_every_lambda():
    """With balanced classes the identity predicts the other class, whatever lambda is."""
    y = np.arange(40) % 2
    lams = [0.01, 1.0, 100.0]
    for order in (lams, lams[::-1]):
        table = ke.evaluate(None, y, [np.eye(40)], "loo", lam=order)
        assert order[table.best_lambda("loo")[0]] == 100.0
    fitted = ke.LSSVMClassifier("precomputed", lam="auto").fit(np.eye(40), y)
    assert fitted.lam_ > 1.0
