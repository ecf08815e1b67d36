"""Whatever small data come: no crash, no NaN, and a reason beside every worst value."""

from __future__ import annotations

import warnings

import numpy as np
import scipy.sparse as sp
from catalogue import MOMENTS, criteria_for
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import kernelect as ke

KERNELS = [
    *ke.gaussian_grid(-12, 12, 4),
    ke.Gaussian(1e300),
    ke.Gaussian(1e-300),
    ke.Laplacian(0.5),
    ke.Laplacian(1e-12),
    ke.Matern(0.5, 1e-9),
    ke.Matern(1.5, 2.0),
    ke.Matern(2.5, 1e9),
    ke.Polynomial(3),
    ke.Polynomial(20, 2.0, 0.0),
    ke.Linear(),
    ke.normalized(ke.Polynomial(2)),
    ke.normalized(ke.Linear()),
    0.0 * ke.Linear(),
    1e-300 * ke.Gaussian(1.0),
    1e300 * ke.Gaussian(1.0) + ke.Linear(),
    ke.Gaussian(1.0) * ke.Polynomial(2),
]
SM = ke.criteria.SM
# Powers so large that they leave the range of numbers, beside all of the catalogue.
LARGE = [SM(r=7, normalization="sum"), SM(r=200), SM(r=200, relative=True)]


def criteria_of(task):
    return [*LARGE, *(criterion.build() for criterion in criteria_for(task, MOMENTS))]


@st.composite
def problems(draw):
    """Few rows of few features: some of them equal, constant, huge or tiny."""
    n, d = draw(st.integers(2, 12)), draw(st.sampled_from([1, 2, 3, 30]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    x = rng.normal(size=(n, d))
    x *= 10.0 ** draw(st.sampled_from([0, 0, 3, -3, 100, 150, 200, 300, -100, -150, -200, -300]))
    x += draw(st.sampled_from([0.0, 0.0, 1.0, -1e6, 1e15, 1e150]))
    for column in draw(st.sets(st.integers(0, d - 1), max_size=2)):
        x[:, column] = draw(st.sampled_from([0.0, 1.0, 0.1, -1e150, 1e-150]))
    for row in draw(st.sets(st.integers(0, n - 1), max_size=n)):
        x[row] = x[0]
    if draw(st.booleans()):
        x = np.where(rng.random(size=x.shape) < 0.5, 0.0, x)
    classes = draw(st.integers(2, max(2, min(4, n))))
    if draw(st.booleans()):
        y = np.arange(n) % classes
        rng.shuffle(y)
        task = "classification"
    else:
        y = rng.normal(size=n) * 10.0 ** draw(st.sampled_from([0, 150, -150, 300, -300]))
        y += draw(st.sampled_from([0.0, 1.0]))
        task = "regression"
    sparse = draw(st.booleans())
    return x, y, task, sparse


def check(table):
    for key, values in table.scores.items():
        assert not np.isnan(values).any(), key
        for value, reason in zip(values, table.reasons[key], strict=True):
            if reason is not None:
                assert "not a number" not in reason, key
                assert value == (-np.inf if table.direction[key] > 0 else np.inf), (key, reason)
            elif np.isinf(value):
                # Only kcsm reaches its best value, infinity.
                assert key == "kcsm", (key, value)
                assert value > 0


@given(problems())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example((np.full((2, 1), 1e308) * [[1.0], [-1.0]], np.array([0, 1]), "classification", False))
@example((np.full((3, 30), 1e-320), np.array([0, 1, 1]), "classification", False))
@example((np.zeros((2, 1)), np.array([0, 1]), "classification", True))
@example((np.eye(4) * 5e-324, np.array([0.0, 1.0, 2.5, -1.0]), "regression", False))
def test_any_small_data(given):
    x, y, task, sparse = given
    if task == "regression" and np.ptp(y) == 0:
        return
    kind = task if task == "regression" else "binary" if len(set(y)) == 2 else "multiclass"
    criteria = criteria_of(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "columns have very different scales", UserWarning)
        rows = sp.csr_matrix(x) if sparse else x
        check(ke.evaluate(rows, y, KERNELS, criteria, task=task, n_threads=1))
        try:
            check(ke.evaluate(rows, y, "auto", criteria, task=task, n_threads=2))
        except ValueError as error:  # differences that vanish when squared span no grid
            assert "needs rows that differ" in str(error)  # noqa: PT017


@given(
    st.integers(2, 9),
    st.integers(0, 2**32 - 1),
    st.sampled_from([1.0, 1e-300, 1e300, 1e-160, 1e160]),
    st.integers(0, 9),
)
@settings(max_examples=80, deadline=None)
def test_any_small_matrix(n, seed, scale, rank):
    """Positive semidefinite matrices of any rank and scale, and some that are not."""
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(n, rank))
    k = scale * (factor @ factor.T)
    crooked = scale * np.diag(rng.normal(size=n))
    y = np.arange(n) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        criteria = criteria_of("binary")
        check(ke.evaluate(None, y, [k, crooked, -k], criteria, task="classification"))
