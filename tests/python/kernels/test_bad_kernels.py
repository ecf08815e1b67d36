"""Kernels that cannot be made, each refused with one sentence."""

from __future__ import annotations

import numpy as np
from refusals import X, cases, refuses

import kernelect as ke
from kernelect.kernels import Function, Normalized, Precomputed, Product, Scaled, Sum


@cases(
    ("zero", lambda: ke.Gaussian(0), ValueError, "tau must be a positive finite number, not 0"),
    ("negative", lambda: ke.Gaussian(-1.0), ValueError, "positive finite number, not -1.0"),
    ("nan", lambda: ke.Gaussian(np.nan), ValueError, "Gaussian: tau must be"),
    ("infinite", lambda: ke.Gaussian(np.inf), ValueError, "Gaussian: tau must be"),
    ("text", lambda: ke.Gaussian("1"), TypeError, "Gaussian: tau must be a number, not '1'"),
    ("truth", lambda: ke.Gaussian(True), TypeError, "Gaussian: tau must be a number, not True"),
    ("list", lambda: ke.Gaussian([1.0]), TypeError, "Gaussian: tau must be a number, not [1.0]"),
    ("nothing", ke.Gaussian, TypeError, "exactly one of tau, gamma and sigma"),
    ("two", lambda: ke.Gaussian(1.0, gamma=0.5), TypeError, "exactly one of tau, gamma and sigma"),
    ("gamma", lambda: ke.Gaussian(gamma=-1), ValueError, "Gaussian: gamma must be a positive"),
    ("sigma", lambda: ke.Gaussian(sigma=0), ValueError, "Gaussian: sigma must be a positive"),
    ("wide", lambda: ke.Gaussian(sigma=1e200), ValueError, "too extreme for floating point"),
    ("narrow", lambda: ke.Gaussian(sigma=1e-200), ValueError, "too extreme for floating point"),
    ("tiny", lambda: ke.Gaussian(5e-324), ValueError, "tau = 5e-324 is too extreme"),
    ("laplacian", lambda: ke.Laplacian(0.0), ValueError, "Laplacian: gamma must be a positive"),
    ("steep", lambda: ke.Laplacian(1e308), ValueError, "Laplacian: gamma = 1e+308 is too large"),
    ("nu", lambda: ke.Matern(2.0), ValueError, "Matern: nu must be 0.5, 1.5 or 2.5, not 2.0"),
    ("nu text", lambda: ke.Matern("a"), TypeError, "Matern: nu must be a number, not 'a'"),
    ("nu array", lambda: ke.Matern(np.ones(2)), TypeError, "Matern: nu must be a number, not"),
    ("length", lambda: ke.Matern(1.5, -1), ValueError, "Matern: length_scale must be a positive"),
    ("short", lambda: ke.Matern(1.5, 1e-308), ValueError, "length_scale = 1e-308 is too small"),
    ("degree", lambda: ke.Polynomial(0), ValueError, "degree must be from 1 to 1000, not 0"),
    (
        "part degree",
        lambda: ke.Polynomial(1.5),
        TypeError,
        "degree must be a whole number, not 1.5",
    ),
    ("coef0", lambda: ke.Polynomial(2, 1.0, -1), ValueError, "coef0 must be zero or a positive"),
    ("factor", lambda: ke.Polynomial(2, 0.0), ValueError, "Polynomial: gamma must be a positive"),
    ("weight", lambda: -1 * ke.Linear(), ValueError, "weight must be zero or a positive finite"),
    ("array", lambda: ke.Linear() * np.ones(2), TypeError, "Linear"),
    ("plus one", lambda: ke.Linear() + 1, TypeError, "unsupported operand"),
    ("normalized", lambda: ke.normalized(3), TypeError, "normalized needs a kernel, not 3"),
    ("sum of nothing", lambda: Sum(()), ValueError, "Sum needs at least two kernels, not 0"),
    ("product of one", lambda: Product([ke.Linear()]), ValueError, "at least two kernels, not 1"),
    ("sum of numbers", lambda: Sum((1, 2)), TypeError, "Sum needs a kernel, not 1"),
    ("scaled number", lambda: Scaled(2.0, 3), TypeError, "Scaled needs a kernel, not 3"),
    ("normalized number", lambda: Normalized(3), TypeError, "normalized needs a kernel, not 3"),
    ("no callable", lambda: Function(3), TypeError, "Function needs a callable, not 3"),
    ("no index", lambda: Precomputed("a"), TypeError, "index must be a whole number, not 'a'"),
    (
        "stored",
        lambda: Precomputed(0)(X),
        TypeError,
        "is a stored matrix and has no values on rows",
    ),
    ("stored part", lambda: (Precomputed(0) + ke.Linear())(X), TypeError, "is a stored matrix"),
    ("grid", lambda: ke.gaussian_grid(3, 1), ValueError, "low = 3 must not exceed high = 1"),
    ("step", lambda: ke.gaussian_grid(0, 1, 0), ValueError, "step must be positive, not 0"),
    ("base", lambda: ke.gaussian_grid(0, 1, base=1), ValueError, "base must be above 1, not 1"),
    ("grid text", lambda: ke.gaussian_grid("a"), TypeError, "low must be a number, not 'a'"),
    ("grid nan", lambda: ke.gaussian_grid(np.nan), ValueError, "low must be finite, not nan"),
    ("grid range", lambda: ke.gaussian_grid(0, 5000), ValueError, "leaves the range of floating"),
    ("grid size", lambda: ke.gaussian_grid(0, 1, 1e-9), ValueError, "take a larger step"),
    ("degrees", lambda: ke.polynomial_grid(3, 1), ValueError, "low = 3 must not exceed high = 1"),
)
def test_kernels(given, kind, said):
    refuses(given, kind, said)


def test_a_process_needs_a_function_of_rows():
    from sklearn.gaussian_process import GaussianProcessRegressor

    refuses(
        lambda: Precomputed(0).params_for(GaussianProcessRegressor),
        ValueError,
        "a Gaussian process needs a function of rows, not Precomputed(0)",
    )
