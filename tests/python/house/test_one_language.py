"""One language: the same words everywhere, in Python, on the command line and in files."""

import inspect
import pickle

import numpy as np
import pytest
from command_line import result_of, run
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.kernel_ridge import KernelRidge
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import kernelect as ke

X, Y = load_iris(return_X_y=True)
X, Y = StandardScaler().fit_transform(X)[::2], Y[::2]
GRID = ke.gaussian_grid(-3, 6)
ESTIMATORS = [
    ke.KernelSelector,
    ke.LSSVMClassifier,
    ke.LSSVMRegressor,
    ke.MKLClassifier,
    ke.MKLRegressor,
    ke.InfiniteMKLClassifier,
    ke.InfiniteMKLRegressor,
]
FUNCTIONS = {
    "select": lambda **given: ke.select(X, Y, GRID, **given),
    "evaluate": lambda **given: ke.evaluate(X, Y, GRID, **given),
    "refine": lambda **given: ke.refine(X, Y, GRID[0], **given),
    "memory_estimate": lambda **given: ke.memory_estimate((100, 2), **given),
    "spectra": lambda **given: ke.plots.spectra(ke.Linear(), X, **given),
    "label_energy": lambda **given: ke.plots.label_energy(ke.Linear(), X, Y, **given),
}


def test_all_criteria():
    table = ke.evaluate(X, Y, GRID, "all")
    assert list(table.columns) == ke.criteria.names("classification", 3)
    numbers = ke.evaluate(X, X[:, 0], GRID, "all", task="regression")
    assert list(numbers.columns) == ke.criteria.names("regression")
    scored = ke.evaluate(X, Y, GRID, "all", scoring="accuracy")
    assert "loo(scoring='accuracy')" in scored.columns
    assert ke.memory_estimate((100, 2), criteria="all") == ke.memory_estimate((100, 2))
    many = np.random.default_rng(0).normal(size=(1001, 2))
    with pytest.warns(UserWarning, match="of more than 1000 rows criteria='all' leaves out"):
        table = ke.evaluate(many, many[:, 0] > 0, GRID, "all")
    assert "loo" not in table.columns
    assert "sm" in table.columns


def test_every_function_that_takes_threads_is_looked_at():
    places = (ke, ke.plots, ke.results.diagnostics)
    found = {
        name
        for place in places
        for name, thing in vars(place).items()
        if inspect.isfunction(thing) and name in getattr(place, "__all__", vars(place))
        if "n_threads" in inspect.signature(thing).parameters
    }
    assert found == set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_threads_of_functions_by_either_name(name):
    call = FUNCTIONS[name]
    for given in ({"n_jobs": 1}, {"n_threads": 1}, {"n_jobs": 1, "n_threads": 1}, {"n_jobs": -1}):
        call(**given)
    with pytest.raises(ValueError, match="n_threads=2 and n_jobs=1 are names for the same thing"):
        call(n_threads=2, n_jobs=1)
    with pytest.raises(TypeError, match="n_jobs must be a whole number or None, not 'two'"):
        call(n_jobs="two")


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_threads_of_estimators_by_either_name(kind):
    y = X[:, 0] if "Regressor" in kind.__name__ else Y % 2
    own = {} if "Infinite" in kind.__name__ or "LSSVM" in kind.__name__ else {"kernels": GRID}
    for given in ({"n_jobs": 1}, {"n_threads": 1}, {"n_jobs": 1, "n_threads": 1}):
        model = clone(kind(**own, **given)).fit(X, y)
        assert {k: v for k, v in model.get_params().items() if v == 1 and k in given} == given
    with pytest.raises(ValueError, match="n_threads=2 and n_jobs=1 are names for the same thing"):
        kind(**own, n_threads=2, n_jobs=1).fit(X, y)


def test_regularisation_by_a_name_for_all_estimators():
    ridge = ke.KernelSelector(KernelRidge(), GRID, regularization="auto", bias=True).fit(
        X, X[:, 0] ** 2
    )
    assert ridge.best_params_["alpha"] == ridge.result_.lam
    for given in (
        {"C": "auto"},
        {"regularization": "auto"},
        {"C": "auto", "regularization": "auto"},
    ):
        machine = ke.KernelSelector(SVC(), GRID, **given).fit(X, Y)
        # Folds of the machine itself may move the C that was elected, by a factor of four.
        moved = machine.best_params_["C"] / machine.result_.params_for(SVC)["C"]
        assert moved in (0.25, 1.0, 4.0)
    with pytest.raises(ValueError, match="regularization must be None or 'auto', not 3"):
        ke.KernelSelector(SVC(), GRID, regularization=3).fit(X, Y)


def test_candidates_by_the_name_of_a_family():
    assert ke.evaluate(X, Y, "rbf").kernels == ke.evaluate(X, Y, "gaussian").kernels
    assert ke.evaluate(X, Y, "rbf").kernels == ke.gaussian_grid()
    from kernelect.kernels._families import BY_NAME

    for name, kind in BY_NAME.items():
        kernels = ke.evaluate(X, Y, name, "kta").kernels
        assert {type(kernel) for kernel in kernels} == {kind}
        assert len(set(kernels)) == len(kernels)
        own = ke.LSSVMClassifier(kernel=name, lam=1.0).fit(X, Y).kernel_
        assert own in kernels or kind is ke.Gaussian
    assert ke.select(X, Y, "laplacian").kernel.gamma > 0
    with pytest.raises(ValueError, match="unknown candidates 'laplace'; did you mean 'laplacian'"):
        ke.select(X, Y, "laplace")


@pytest.mark.parametrize("command", ["select", "evaluate", "demo"])
def test_reports_of_the_command_line_can_be_loaded(tmp_path, command):
    np.savez(tmp_path / "iris.npz", X=X, y=Y)
    lams = ["--lam", "0.1,1"] if command == "select" else []
    file = [] if command == "demo" else [tmp_path / "iris.npz", *lams]
    done = run(command, *file, "--json", tmp_path / "report.json")
    assert done.returncode == 0, done.stderr
    loaded = ke.load(tmp_path / "report.json")
    if command == "select":
        assert loaded == ke.select(X, Y, lam=[0.1, 1])
    elif command == "evaluate":
        assert loaded == ke.evaluate(X, Y)
    else:
        assert isinstance(loaded, ke.results.Selection)


def test_powers_of_two_are_shown_as_such(tmp_path):
    narrow = ke.Gaussian(2.0**-15)
    assert str(narrow) == "Gaussian(tau=2^-15)"
    assert eval(repr(narrow), vars(ke)) == narrow
    assert str(ke.Gaussian(0.5)) == "Gaussian(tau=0.5)"
    assert str(ke.Gaussian(3e-05)) == "Gaussian(tau=3e-05)"
    both = 2 * ke.Gaussian(2.0**15) + ke.Matern(1.5, 2.0**-6)
    assert str(both) == "2.0 * Gaussian(tau=2^15) + Matern(nu=1.5, length_scale=2^-6)"
    table = ke.evaluate(X, Y)
    assert "Gaussian(tau=2^-15) " in repr(table)
    assert "Gaussian(tau=2^-15)<" in table._repr_html_()
    np.savez(tmp_path / "iris.npz", X=X, y=Y)
    shown = run("evaluate", tmp_path / "iris.npz").stdout
    assert "Gaussian(tau=2^-15) " in shown
    assert "e-05)" not in shown
    written = result_of("evaluate", tmp_path / "iris.npz")
    assert written["result"]["kernels"][0] == repr(narrow)
    with pytest.warns(UserWarning, match=r"winner Gaussian\(tau=2\^-7\) stands at the edge"):
        ke.select(X, Y, ke.gaussian_grid(-9, -7), "kta")


@pytest.mark.parametrize(
    "given", [{}, {"lam": "auto"}, {"scoring": "accuracy"}, {"rule": "one_se"}]
)
def test_what_is_loaded_equals_what_was_saved(tmp_path, given):
    chosen = ke.select(X, Y, GRID, **given)
    ke.save(chosen, tmp_path / "chosen.json")
    loaded = ke.load(tmp_path / "chosen.json")
    assert loaded == chosen
    assert loaded == pickle.loads(pickle.dumps(chosen))
    assert hash(loaded) == hash(chosen)
    assert loaded.table == chosen.table
    assert loaded != ke.select(X, Y, GRID, **given, bias=False)
    assert loaded != chosen.table


def test_tables_without_values_equal_themselves(tmp_path):
    same = ke.evaluate(np.zeros((6, 2)), [0, 1, 0, 1, 0, 1], GRID, ["ckta", "stability", "loo"])
    ke.save(same, tmp_path / "table.json")
    assert ke.load(tmp_path / "table.json") == same
