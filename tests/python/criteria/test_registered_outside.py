"""Criteria from outside the package, as the guide shows them, take part in everything."""

import importlib.util
import pickle
from pathlib import Path

import numpy as np
import pytest

import kernelect as ke
from kernelect.criteria import _registry

GUIDE = Path(__file__).parents[3] / "docs" / "guide"
NAMES = ["median_residual", "first_share", "sm3"]
GRID = ke.gaussian_grid(-3, 4)
RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(60, 3))
Y = (X[:, 0] * X[:, 1] + 0.3 * RANDOM.normal(size=60) > 0).astype(int)


@pytest.fixture(autouse=True)
def own():
    """The guide's file, its criteria registered for the test alone."""
    before = dict(_registry._REGISTRY)
    spec = importlib.util.spec_from_file_location("own_criteria", GUIDE / "own_criteria.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    _registry._REGISTRY.clear()
    _registry._REGISTRY.update(before)


def median_residual(kernel, lam, rows=X, labels=Y):
    """The first criterion by training once without each row."""
    signs = np.where(labels == 1, 1.0, -1.0)
    residuals = []
    for i in range(len(rows)):
        rest = np.arange(len(rows)) != i
        system = np.block(
            [
                [kernel(rows[rest]) + lam * np.eye(rest.sum()), np.ones((rest.sum(), 1))],
                [np.ones((1, rest.sum())), np.zeros((1, 1))],
            ]
        )
        *alpha, bias = np.linalg.solve(system, np.append(signs[rest], 0.0))
        residuals.append(signs[i] - kernel(rows[i : i + 1], rows[rest]) @ alpha - bias)
    return np.median(np.abs(residuals))


def test_the_guide_shows_this_very_file():
    assert "literalinclude:: own_criteria.py" in (GUIDE / "extending.rst").read_text("utf-8")


def test_values():
    table = ke.evaluate(X, Y, GRID, [*NAMES, ke.criteria.SM(r=3)])
    for k, kernel in enumerate(GRID):
        matrix = kernel(X)
        share = np.linalg.eigvalsh(matrix)[-1] / np.trace(matrix)
        assert table.scores["first_share"][k] == pytest.approx(share, rel=1e-9)
        wanted = median_residual(kernel, 1.0)
        assert table.scores["median_residual"][k] == pytest.approx(wanted, rel=1e-8)
    np.testing.assert_array_equal(table.scores["sm3"], table.scores["sm(r=3)"])


def test_company_changes_nothing():
    alone = {name: ke.evaluate(X, Y, GRID, name).scores[name] for name in NAMES}
    together = ke.evaluate(X, Y, GRID, [*NAMES, "loo", "er", "ks", "pep", "bif", "gcv"]).scores
    for name, values in alone.items():
        np.testing.assert_allclose(together[name], values, rtol=1e-9)


@pytest.mark.filterwarnings("ignore:the winner .* stands at the edge")  # the narrowest, rightly
@pytest.mark.parametrize("name", NAMES)
def test_elections(name):
    chosen = ke.select(X, Y, ke.gaussian_grid(-8, 9), name)
    assert chosen.criterion == chosen.decisive == name
    best = np.argmin if chosen.table.direction[name] < 0 else np.argmax
    assert chosen.index == best(chosen.table.scores[name])
    assert f"elected by {name} = " in repr(chosen)
    assert name in ke.criteria.names("classification", 2)


def test_several_lambdas():
    lams = [0.1, 1.0, 10.0]
    table = ke.evaluate(X, Y, GRID, NAMES, lam=lams)
    assert table.scores["median_residual"].shape == (len(GRID), 3)
    assert table.scores["first_share"].shape == table.scores["sm3"].shape == (len(GRID),)
    np.testing.assert_array_equal(table.lams, np.tile(lams, (len(GRID), 1)))
    wanted = median_residual(GRID[3], 10.0)
    assert table.scores["median_residual"][3, 2] == pytest.approx(wanted, rel=1e-8)
    assert ke.select(X, Y, GRID, "median_residual", lam="auto").lam > 0


def test_several_classes_and_regression():
    three = np.arange(60) % 3
    assert np.isfinite(
        ke.evaluate(X, three, GRID, "median_residual").scores["median_residual"]
    ).all()
    numbers = ke.evaluate(X, X @ [1.0, -2.0, 0.5], GRID, NAMES)
    assert all(np.isfinite(values).all() for values in numbers.scores.values())


def test_pictures():
    import matplotlib.pyplot as plt

    table = ke.evaluate(X, Y, GRID, NAMES, lam=[0.1, 1.0])
    labels = [line.get_label() for line in table.plot().get_lines()]
    for name in NAMES:
        assert any(label.startswith(f"{name}: ") for label in labels)
    assert "median_residual" in table.plot(kind="lambda_map").get_title(loc="left")
    assert table.plot("first_share", kind="spectra", X=X)
    plt.close("all")


def test_files(tmp_path):
    table = ke.evaluate(X, Y, GRID, NAMES, lam=[0.1, 1.0])
    assert set(table.to_dict()["criteria"]) == set(NAMES)
    for thing in (table, ke.select(X, Y, GRID, "median_residual", lam=[0.1, 1.0])):
        ke.save(thing, tmp_path / "result.json")
        again = ke.load(tmp_path / "result.json")
        assert repr(again) == repr(thing) == repr(pickle.loads(pickle.dumps(thing)))


def test_a_limit_of_time():
    table = ke.evaluate(X, Y, GRID, NAMES, time_limit=100.0)
    assert not table.partial
    expected = ke.evaluate(X, Y, GRID, NAMES).scores
    for name, values in table.scores.items():
        np.testing.assert_allclose(values, expected[name], rtol=1e-12)


def test_time_that_is_up(monkeypatch):
    from kernelect._support.deadline import Deadline

    rounds = iter([False, False, True])
    monkeypatch.setattr(Deadline, "tick", lambda self, shown, *_: shown)

    def over(self):
        self.reached = self.reached or next(rounds)
        return self.reached

    monkeypatch.setattr(Deadline, "over", over)
    with pytest.warns(UserWarning, match="2 by median_residual, 2 by first_share, 8 by sm3"):
        table = ke.evaluate(X, Y, GRID, NAMES, time_limit=100.0, n_threads=1)
    assert table.partial
    assert (table.scores["median_residual"] == np.inf).sum() == len(GRID) - 2


def test_matrices():
    matrices = [kernel(X) for kernel in GRID]
    table = ke.evaluate(None, Y, (matrix for matrix in matrices), NAMES)
    expected = ke.evaluate(X, Y, GRID, NAMES).scores
    for name, values in table.scores.items():
        np.testing.assert_allclose(values, expected[name], rtol=1e-8)


def test_scikit_learn():
    from sklearn.svm import SVC

    model = ke.KernelSelector(SVC(), GRID, "median_residual").fit(X, Y)
    assert model.cv_results_["rank_median_residual"][model.best_index_] == 1


def test_a_matrix_that_is_not_finite_gets_a_reason():
    wild = np.array([[0.0], [1e200], [-1e200], [1.0]])
    table = ke.evaluate(wild, [0, 1, 0, 1], [ke.Polynomial(3), ke.Gaussian(1.0)], NAMES)
    for name in ("median_residual", "first_share"):
        assert table.reasons[name][0]
        assert table.reasons[name][1] is None
        assert table.scores[name][0] == np.inf


def test_needs_are_united():
    needs = ke.criteria.LOO().needs() | ke.criteria.ER(t=7).needs() | ke.criteria.PEP().needs()
    assert needs == ke.criteria.Needs(loo=True, zero_one=True, leading=7, fit=True)
    assert not needs.sums_alone
    assert ke.criteria.SM().needs().sums_alone
    folds = ke.criteria.CV().needs() | ke.criteria.KS().needs() | ke.criteria.CV(folds=3).needs()
    assert len(folds.folds) == 2
