"""Kernels on columns of very wide tables."""

from __future__ import annotations

import time

import numpy as np
import pytest

import kernelect as ke

pd = pytest.importorskip("pandas")


def test_names_are_found_in_linear_time() -> None:
    count = 20_000
    names = [f"c{i}" for i in range(count)]
    frame = pd.DataFrame(np.ones((2, count)), columns=names)
    started = time.process_time()
    kernel = ke.on_columns(names, ke.Gaussian(1.0))
    assert kernel(frame).shape == (2, 2)
    assert (
        time.process_time() - started < 3.0
    )  # 6 s and more when each name was looked up in a list
