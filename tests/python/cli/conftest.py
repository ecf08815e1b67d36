"""Data and the file that holds them, for every test of the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 30)
    return rng.normal(size=(60, 3)) + 1.5 * y[:, None], y


@pytest.fixture
def table(tmp_path, data) -> Path:
    """A CSV file; the target comes first and is text."""
    X, y = data
    lines = ["kind,a,b,c"]
    lines += [
        f"{'odd' if k else 'even'},{a!r},{b!r},{c!r}"
        for k, (a, b, c) in zip(y, X.tolist(), strict=True)
    ]
    path = tmp_path / "data.csv"
    path.write_text("\n".join(lines) + "\n")
    return path
