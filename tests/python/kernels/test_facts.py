"""What families say about themselves, and that the rest of the package asks them."""

import ast
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from numpy.testing import assert_allclose

import kernelect as ke
from kernelect.kernels import _families
from kernelect.kernels._facts import Axis
from kernelect.kernels._order import order_of

PACKAGE = Path(ke.__file__).parent


def sample(n=24, d=2, seed=0):
    random = np.random.default_rng(seed)
    return random.normal(size=(n, d)), np.repeat([0, 1], n // 2)


@pytest.mark.parametrize(
    ("kernels", "wanted"),
    [
        ([ke.Gaussian(t) for t in (4.0, 2.0, 1.0)], [4.0, 2.0, 1.0]),
        ([ke.Laplacian(g) for g in (0.5, 1.0, 4.0)], [2.0, 1.0, 0.25]),
        ([ke.Matern(1.5, s) for s in (1.0, 2.0, 3.0)], [1.0, 2.0, 3.0]),
        ([ke.Polynomial(d) for d in (1, 2, 3)], [-1.0, -2.0, -3.0]),
        ([ke.Gaussian(t) for t in (1.0, 2.0)], None),
        ([ke.Gaussian(t) for t in (1.0, 4.0, 2.0)], None),
        ([ke.Gaussian(t) for t in (1.0, 2.0, 2.0)], None),
        ([ke.Matern(0.5, 1.0), ke.Matern(1.5, 2.0), ke.Matern(1.5, 3.0)], None),
        ([ke.Polynomial(1), ke.Polynomial(2), ke.Polynomial(3, coef0=0.0)], None),
        ([ke.Gaussian(1.0), ke.Gaussian(2.0), ke.Matern(1.5, 3.0)], None),
        ([ke.Linear()] * 3, None),
        ([2 * ke.Gaussian(t) for t in (1.0, 2.0, 4.0)], None),
        ([ke.ARDGaussian([g]) for g in (1.0, 2.0, 4.0)], None),
    ],
)
def test_order(kernels, wanted):
    found = order_of(kernels)
    assert found is None if wanted is None else found.tolist() == wanted


@pytest.mark.parametrize("family", _families.FAMILIES)
def test_names_make_kernels(family):
    x, _ = sample()
    for name in family._names:
        assert isinstance(ke.LSSVMClassifier(kernel=name).fit(*sample()).kernel_, family)
        assert isinstance(family._of_data(x, None), family)
    if not family._names:
        with pytest.raises(NotImplementedError, match=family.__name__):
            family._of_data(x, None)


@pytest.mark.parametrize(
    ("kernel", "unit"),
    [
        (ke.Gaussian(2.0), True),
        (ke.Laplacian(2.0), True),
        (ke.Matern(0.5, 2.0), True),
        (ke.ARDGaussian([1.0, 0.5]), True),
        (ke.Polynomial(2), False),
        (ke.Linear(), False),
        (ke.normalized(ke.Linear()), True),
        (ke.Gaussian(2.0) * ke.Laplacian(2.0), True),
        (ke.Gaussian(2.0) * ke.Linear(), False),
        (ke.Gaussian(2.0) + ke.Laplacian(2.0), False),
        (ke.on_columns([0], ke.Gaussian(2.0)), True),
        (ke.on_columns([0], ke.Linear()), False),
    ],
)
def test_unit_diagonal(kernel, unit):
    assert kernel._has_unit_diagonal is unit
    if unit:
        assert (kernel.diag(sample()[0]) == 1.0).all()


@dataclass(frozen=True, repr=False)
class Cauchy(ke.Kernel):
    """A family from outside the package, in NumPy."""

    width: float

    _axis: ClassVar[Axis | None] = Axis("width", "width of the Cauchy kernel", "widths", base=2)

    @property
    def in_core(self):
        return False

    @property
    def _width(self):
        return self.width

    @property
    def _has_unit_diagonal(self):
        return True

    def _program(self, tables):
        raise TypeError("not in the core")

    def _matrix(self, left, right):
        other = left if right is None else right
        squared = ((left[:, None] - other[None]) ** 2).sum(-1)
        return 1.0 / (1.0 + squared / self.width**2)


def test_a_family_from_outside_takes_part():
    x, y = sample()
    grid = [Cauchy(w) for w in (0.5, 1.0, 2.0)]
    with pytest.warns(UserWarning, match="edge of the grid; add smaller widths$"):
        ke.select(x, x[:, 0], grid, criterion="kta")
    axes = ke.evaluate(x, y, grid, ["kta", "sm"]).plot()
    assert axes.get_xlabel() == "width of the Cauchy kernel"
    assert axes.get_xscale() == "log"
    learned = ke.MKLClassifier(method="average", kernels=grid, scaling="diagonal").fit(x, y)
    assert learned.kernel_.kernels == tuple(grid)  # not normalised once more


def test_ep_reads_the_rows_of_its_own_kernel():
    x, y = sample(d=3)
    alone = ke.evaluate(x, y, [ke.Gaussian(2.0)], "ep")
    beside = ke.evaluate(x, y, [ke.on_columns([0], ke.Linear()), ke.Gaussian(2.0)], "ep")
    key = next(iter(alone.scores))
    assert_allclose(beside.scores[key][1], alone.scores[key][0], rtol=1e-12)
    assert "ep has no operator spectrum for on_columns" in beside.reasons[key][0]


@pytest.mark.parametrize("kernel", [ke.Laplacian(1.0), ke.Matern(1.5, 1.0)])
def test_the_gaussian_measure_is_for_gaussians(kernel):
    x, _ = sample()
    assert kernel._operator_eigenvalues(x, 5, "torus").shape == (5,)
    with pytest.raises(ValueError, match=r"^ep with the Gaussian measure needs a Gaussian kernel"):
        kernel._operator_eigenvalues(x, 5, "gaussian")


@pytest.mark.parametrize(
    ("module", "kernel"),
    [("_families", ke.Gaussian(2.0)), ("_families", ke.Linear()), ("_ard", ke.ARDGaussian([1.0]))],
)
def test_pickles_of_before_families_had_files(module, kernel):
    now = type(kernel).__module__.encode()
    stored = pickle.dumps(kernel, protocol=0)
    assert stored.count(now) == 1
    former = stored.replace(now, f"kernelect.kernels.{module}".encode())
    assert pickle.loads(former) == kernel


def _tested_classes(tree):
    """Names of the classes in calls of isinstance and issubclass."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
            "isinstance",
            "issubclass",
        ):
            yield from (item.id for item in ast.walk(node.args[1]) if isinstance(item, ast.Name))


def test_nobody_else_tells_families_apart():
    names = {family.__name__ for family in _families.FAMILIES}
    # The search over rates per feature starts from kernels that it made itself.
    allowed = {PACKAGE / "mkl" / "_infinite" / "searches.py"}
    for path in sorted(PACKAGE.rglob("*.py")):
        if PACKAGE / "kernels" in path.parents or path in allowed:
            continue
        found = names & set(_tested_classes(ast.parse(path.read_text(encoding="utf-8"))))
        assert not found, f"{path.relative_to(PACKAGE)} asks for {found}; ask the kernel instead"
