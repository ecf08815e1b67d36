"""Every family of the catalogue, in all that a family has to do beside its values."""

from __future__ import annotations

import pickle
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from kernel_catalogue import FAMILIES
from numpy.testing import assert_allclose
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.svm import SVC

import kernelect as ke
from kernelect.kernels import _families
from kernelect.kernels._gaussian_process import FixedKernel
from kernelect.kernels._order import order_of

RNG = np.random.default_rng(3)
X = RNG.normal(size=(30, 3))
X[RNG.random(X.shape) < 0.3] = 0.0
ONE = X[:, :1]  # not every family is positive semidefinite on several columns
Z = RNG.normal(size=(7, 3))
CLASSES = np.where(X[:, 0] > np.median(X[:, 0]), "yes", "no")
NUMBERS = np.sin(3 * X[:, 0]) + X[:, 1]
EVERY = [pytest.param(kernel.build(), id=str(kernel)) for kernel in FAMILIES]
ORDERED = [entry for entry in EVERY if entry.values[0]._axis is not None]


def grid(kernel, factors=(0.25, 0.5, 1.0, 2.0, 4.0)):
    """Kernels that differ in the parameter on the axis alone, from narrow to wide."""
    name, base = kernel._axis.parameter, kernel._axis.base
    value = getattr(kernel, name)
    values = [value * f for f in factors] if base else [value + k for k in range(len(factors))]
    made = [replace(kernel, **{name: value}) for value in values]
    return made if made[0]._width < made[-1]._width else made[::-1]


def test_the_catalogue_has_every_family():
    there = {type(entry.values[0]) for entry in EVERY}
    # Rates per feature are no number of features of the catalogue's problems.
    assert there == set(_families.FAMILIES) - {ke.ARDGaussian}


@pytest.mark.parametrize("kernel", EVERY)
def test_values_are_those_of_scikit_learn(kernel):
    own = kernel.params_for(GaussianProcessRegressor)["kernel"]
    if isinstance(own, FixedKernel):
        assert own.kernel == kernel
        return
    assert own.theta.size == 0  # nothing is left to be fitted
    for rows in (X, sp.csr_matrix(X)):
        other = sp.csr_matrix(Z) if sp.issparse(rows) else Z
        assert_allclose(kernel(rows), own(X), rtol=1e-12)
        assert_allclose(kernel(rows, other), own(X, Z), rtol=1e-12)
        assert_allclose(kernel.diag(rows), own.diag(X), rtol=1e-12)
    ours, theirs = (
        GaussianProcessRegressor(k, alpha=0.1).fit(ONE, NUMBERS).predict(Z[:, :1])
        for k in (FixedKernel(kernel), own)
    )
    assert_allclose(ours, theirs, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("kernel", EVERY)
def test_a_support_vector_machine_gets_the_kernel(kernel):
    fitted = SVC(**kernel.params_for(SVC), tol=1e-7).fit(X, CLASSES)
    wanted = SVC(kernel="precomputed", tol=1e-7).fit(kernel(X), CLASSES)
    assert_allclose(fitted.decision_function(Z), wanted.decision_function(kernel(Z, X)), atol=1e-5)


@pytest.mark.parametrize("kernel", EVERY)
def test_dense_and_sparse_rows_agree(kernel):
    # Expressions too: the parts of a sum read the same rows, those on columns a view of them.
    whole = kernel + 2 * ke.on_columns([2, 0], kernel) * ke.normalized(kernel + ke.Gaussian(1.0))
    for each in (kernel, whole):
        assert_allclose(each(sp.csr_matrix(X)), each(X), rtol=1e-11, atol=1e-13)
        wanted = ke.evaluate(X, CLASSES, [each], ["sm", "kta", "ckta"])
        found = ke.evaluate(sp.csr_matrix(X), CLASSES, [each], ["sm", "kta", "ckta"])
        for key, values in found.scores.items():
            assert_allclose(values, wanted.scores[key], rtol=1e-9)


@pytest.mark.parametrize("kernel", EVERY)
def test_expressions_are_stored(kernel, tmp_path):
    whole = 2 * ke.on_columns([0], kernel) + ke.normalized(kernel) * kernel
    ke.save(whole, tmp_path / "kernel.json")
    for loaded in (ke.load(tmp_path / "kernel.json"), pickle.loads(pickle.dumps(whole))):
        assert loaded == whole
        assert_allclose(loaded(X), whole(X), rtol=0)


@pytest.mark.parametrize("kernel", EVERY)
def test_the_diagonal_is_what_the_family_says(kernel):
    assert kernel._has_unit_diagonal == bool((kernel.diag(X) == 1.0).all())
    assert_allclose(np.diag(kernel(X)), kernel.diag(X), rtol=1e-12)


@pytest.mark.parametrize("kernel", ORDERED)
def test_a_grid_is_ordered_by_width(kernel):
    kernels = grid(kernel)
    widths = order_of(kernels)
    assert (np.diff(widths) > 0).all()
    assert (order_of(kernels[::-1]) == widths[::-1]).all()
    # Wider kernels see rows more alike: entries grow where a kernel has one on the diagonal.
    if kernel._has_unit_diagonal:
        assert (np.diff([k(X).sum() for k in kernels]) > 0).all()
    if kernel._common is not None:
        rest = [f for f in vars(kernel) if f != kernel._axis.parameter]
        other = replace(kernels[1], **{rest[0]: _other(getattr(kernel, rest[0]))})
        assert order_of([kernels[0], other, *kernels[2:]]) is None


def _other(value):
    return 2.5 if value != 2.5 else 1.5


@pytest.mark.parametrize("kernel", ORDERED)
def test_pictures_of_a_grid(kernel):
    kernels = grid(kernel)
    table = ke.evaluate(ONE, CLASSES, kernels, ["kta", "loo"])
    axes = table.plot()
    assert axes.get_xlabel() == kernel._axis.label
    assert axes.get_xscale() == ("log" if kernel._axis.base else "linear")
    drawn = axes.get_lines()[0].get_xdata()
    assert_allclose(drawn, [getattr(k, kernel._axis.parameter) for k in kernels])
    many = ke.evaluate(ONE, CLASSES, kernels, "loo", lam=[0.1, 1.0, 10.0])
    label = ke.plots.lambda_map(many).get_ylabel()
    assert " ".join(label.split()) == kernel._axis.label  # in several lines where it is long


@pytest.mark.parametrize("kernel", ORDERED)
@pytest.mark.parametrize("wide", [True, False])
def test_advice_at_the_edge(kernel, wide):
    kernels = grid(kernel)
    edge = kernels[-1 if wide else 0]
    advice = edge._beyond(kernels, wide)
    if advice is None:
        assert edge == ke.Polynomial(1, edge.gamma, edge.coef0)
        return
    assert advice.startswith("add ")
    larger = getattr(edge, kernel._axis.parameter) > getattr(kernels[2], kernel._axis.parameter)
    words = ("larger", "higher") if larger else ("smaller", "lower")
    assert advice.split()[1] in words


@pytest.mark.filterwarnings("ignore:the winner:UserWarning")
@pytest.mark.parametrize("kernel", ORDERED)
def test_elections_are_stored(kernel, tmp_path):
    chosen = ke.select(ONE, CLASSES, grid(kernel))
    assert chosen.kernel in grid(kernel)
    ke.save(chosen, tmp_path / "chosen.json")
    loaded = ke.load(tmp_path / "chosen.json")
    assert loaded.kernel == chosen.kernel
    assert loaded.score == chosen.score


@pytest.mark.parametrize("kernel", EVERY)
def test_operator_spectra(kernel):
    """Refused in one sentence, or near the spectrum of many rows that lie evenly."""
    rows = np.linspace(0.0, 200.0, 1200, endpoint=False)[:, None]
    if type(kernel)._operator_eigenvalues is ke.Kernel._operator_eigenvalues:
        with pytest.raises(ValueError, match=r"^ep has no operator spectrum for "):
            kernel._operator_eigenvalues(rows, len(rows), "torus")
        return
    found = kernel._operator_eigenvalues(rows, len(rows), "torus")
    assert (np.diff(found) <= 0).all()
    assert found.sum() == pytest.approx(1.0, abs=0.05)
    wanted = np.linalg.eigvalsh(kernel(rows) / len(rows))[::-1]
    assert_allclose(found[:20], wanted[:20], rtol=0.1, atol=1e-4)


@pytest.mark.parametrize("kernel", EVERY)
def test_parameters_out_of_range(kernel):
    for name in vars(kernel):
        # A length scale may be a list, one for every column.
        for bad in ("1.0", None, True, ["1.0"] if name == "length_scale" else [1.0]):
            with pytest.raises(TypeError, match=rf"^{type(kernel).__name__}\b.*\b{name}\b"):
                replace(kernel, **{name: bad})
        for bad in (-1, np.int64(-3)):
            with pytest.raises(ValueError, match=rf"^{type(kernel).__name__}: {name} must be "):
                replace(kernel, **{name: bad})
    floats = [name for name, value in vars(kernel).items() if isinstance(value, float)]
    for name in floats:
        for bad in (np.nan, np.inf, -0.5):
            with pytest.raises(ValueError, match=rf"^{type(kernel).__name__}: {name} must be "):
                replace(kernel, **{name: bad})


@pytest.mark.parametrize("kernel", [e for e in EVERY if e.values[0]._has_unit_diagonal])
def test_parameters_at_the_ends_of_floating_point(kernel):
    """Either the kernel says that this is too much, or it has values."""
    for name in vars(kernel):
        for value in (5e-324, 1e-300, 1e-150, 1e150, 1e300, 1.7e308):
            with suppress_extremes():
                made = replace(kernel, **{name: value})
                matrix = made(X)
                assert (matrix >= 0).all()
                assert (matrix <= 1).all()
                assert (np.diag(matrix) == 1).all()


@contextmanager
def suppress_extremes():
    """Let a refusal pass that says why."""
    try:
        yield
    except ValueError as error:
        if "for floating point" not in str(error) and "nu must be" not in str(error):
            raise
