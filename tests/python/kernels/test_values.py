"""Kernels as values: equal, hashed, pickled, printed, never changed."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from kernel_catalogue import EVERY_KERNEL

import kernelect as ke

KERNELS = [pytest.param(entry.build(), id=str(entry)) for entry in EVERY_KERNEL]


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_are_values(kernel):
    loaded = pickle.loads(pickle.dumps(kernel))
    names = {name: getattr(ke, name) for name in ke.__all__}
    for twin in (loaded, copy.copy(kernel), copy.deepcopy(kernel), eval(repr(kernel), names)):
        assert twin == kernel
        assert hash(twin) == hash(kernel)
        assert repr(twin) == repr(kernel)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert b"kernelect._core" not in pickle.dumps(kernel, protocol)
    assert "\n" not in repr(kernel)
    assert kernel != 3
    assert len({kernel, loaded, ke.Gaussian(17.0)}) == 2


@pytest.mark.parametrize(
    "written",
    [
        "3.0 * (2.0 * Gaussian(tau=1.0))",
        "2.0 * (Gaussian(tau=1.0) * Linear())",
        "(2.0 * Gaussian(tau=1.0)) * Linear()",
        "Gaussian(tau=1.0) * (2.0 * Linear())",
        "2.0 * (Gaussian(tau=1.0) + Linear())",
        "(Gaussian(tau=1.0) + Linear()) * Laplacian(gamma=0.5)",
        "2.0 * Gaussian(tau=1.0) + Linear() * Polynomial(degree=2, gamma=0.5)",
        "normalized(Polynomial(degree=2, coef0=0.0) + 1e-05 * Matern(nu=1.5, length_scale=3.0))",
    ],
)
def test_kernels_print_as_they_are_written(written):
    kernel = eval(written, vars(ke))
    assert repr(kernel) == written
    assert eval(repr(kernel), vars(ke)) == kernel


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_are_immutable(kernel):
    for name in (*vars(kernel), "anything"):
        with pytest.raises(FrozenInstanceError):
            setattr(kernel, name, 1.0)
    for name in vars(kernel):
        with pytest.raises(FrozenInstanceError):
            delattr(kernel, name)


def test_parametrisations_of_the_gaussian():
    for tau in (1e-300, 0.1, 1.0, 8.0, 1e300):
        kernel = ke.Gaussian(tau)
        assert kernel.gamma == 0.5 / tau
        assert kernel.sigma == tau**0.5
        assert ke.Gaussian(gamma=kernel.gamma).tau == pytest.approx(tau, rel=1e-15)
        assert ke.Gaussian(sigma=kernel.sigma).tau == pytest.approx(tau, rel=1e-15)
    assert ke.Gaussian(sigma=3) == ke.Gaussian(9) == ke.Gaussian(tau=np.float32(9.0))
    assert isinstance(ke.Gaussian(np.int64(4)).tau, float)
    assert ke.Gaussian(gamma=0.5) == ke.Gaussian(1.0)
    assert ke.Gaussian(0.5) != ke.Laplacian(0.5)
