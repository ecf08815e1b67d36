"""Requests of ridge systems: what is refused, progress and interrupts."""

import numpy as np
import pytest
import twins
from ridge_core import ridge, rows_targets_folds

from kernelect._dispatch import core


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"folds": [[[0, 1], []]]}, "fold 1 is empty"),
        ({"folds": [[]]}, "every set needs a fold"),
        # The process ended, as there was nothing to take the maximum of.
        ({"folds": [[]], "bif_order": 1, "mean": True, "lambdas": [1e308]}, "every set needs"),
        ({"folds": [[[0, 1], [1, 2]]]}, "point 1 is held out twice"),
        ({"folds": [[[0, 99]]]}, "holds out point 99"),
        ({"folds": [[list(range(10))]]}, "leave at least one"),
        ({"weights": np.zeros(10)}, "positive"),
        ({"weights": np.ones(3)}, "3 weights for 10 points"),
        ({"lambdas": [np.inf]}, "finite"),
        ({"zero_one": True}, r"\+1 and -1"),
        ({"bif_order": 3}, "mean convention"),
        ({"bif_order": -1, "mean": True}, "negative"),
    ],
)
def test_bad_requests(options, words):
    with pytest.raises(ValueError, match=words):
        ridge([np.eye(10)], np.arange(10.0), **options)


def test_bad_arrays():
    with pytest.raises(ValueError, match="NaN"):
        ridge([np.eye(3)], [0.0, np.nan, 1.0])
    with pytest.raises(ValueError, match="square"):
        ridge([np.eye(4)], [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="two rows"):
        ridge([np.eye(1)], [0.0])
    request = core.RidgeRequest(targets=np.ones((3, 1)), lambdas=[1.0], loo=True)
    with pytest.raises(TypeError):
        core.ridge([np.eye(3, dtype=np.float32)], request, threads=1, progress=None)


def test_progress_is_told_and_can_stop_the_work():
    x, y, _ = rows_targets_folds(300, seed=10)
    heard = []
    ridge([twins.gaussian(x, 1.0)] * 60, y, progress=heard.append)
    assert heard == sorted(heard)
    assert all(0.0 <= fraction <= 1.0 for fraction in heard)

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ridge([twins.gaussian(x, 1.0)] * 2000, y, progress=stop, threads=2)
