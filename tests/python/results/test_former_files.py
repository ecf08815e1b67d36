"""Files of former versions: pickles and JSON go on being read, and say what they said."""

import inspect
import pickle
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import kernelect as ke

HERE = Path(__file__).parents[1] / "fixtures"
TABLES = ["table", "table_of_lambdas"]
SELECTIONS = ["selection", "selection_of_lambdas", "selection_by_loo"]
ESTIMATORS = [
    "lssvm_classifier",
    "lssvm_regressor",
    "selector",
    "mkl_classifier",
    "infinite_mkl_classifier",
]


def unpickled(name):
    with warnings.catch_warnings():
        # scikit-learn's estimators inside may be of another version of scikit-learn.
        warnings.filterwarnings("ignore", "Trying to unpickle estimator")
        kept = pickle.loads((HERE / f"{name}.pickle").read_bytes())
    return kept["thing"], kept["facts"]


def check_table(table, facts):
    assert repr(table) == facts["repr"]
    assert table.to_dict() == facts["dict"]
    for key, ranking in facts["ranking"].items():
        assert table.ranking(key).tolist() == ranking
    for part in ("scores", "errors", "jitter"):
        values = getattr(table, part)
        assert values.keys() == facts[part].keys()
        for key, expected in facts[part].items():
            np.testing.assert_array_equal(values[key], expected)
    if facts["lams"] is None:
        assert table.lams is None
    else:
        np.testing.assert_array_equal(table.lams, facts["lams"])


def check_selection(chosen, facts):
    assert repr(chosen.kernel) == facts["kernel"]
    for name in ("score", "index", "criterion", "lam", "verified", "lead", "partial"):
        assert getattr(chosen, name) == facts[name]
    check_table(chosen.table, facts["table"])
    assert [rival.index for rival in ke.rivals(chosen)] == facts["rivals"]


def test_every_pickle_is_looked_at():
    kept = {path.stem for path in HERE.glob("*.pickle")}
    named = {"kernels", "criteria", "selection_by_accuracy", *TABLES, *SELECTIONS, *ESTIMATORS}
    assert kept == named


def test_kernels():
    kernels, facts = unpickled("kernels")
    assert [repr(kernel) for kernel in kernels] == facts
    assert kernels[0] == ke.Gaussian(0.1)


def test_criteria():
    criteria, facts = unpickled("criteria")
    assert [(c.key, c.direction) for c in criteria] == facts


@pytest.mark.parametrize("name", TABLES)
def test_tables(name):
    table, facts = unpickled(name)
    check_table(table, facts)
    check_table(pickle.loads(pickle.dumps(table)), facts)


@pytest.mark.parametrize("name", SELECTIONS)
def test_selections(name):
    chosen, facts = unpickled(name)
    check_selection(chosen, facts)
    check_selection(pickle.loads(pickle.dumps(chosen)), facts)
    check_selection(ke.load(HERE / f"{name}.json"), facts)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimators(name):
    model, facts = unpickled(name)
    X = np.random.default_rng(0).normal(size=(24, 3)).round(3)
    found, wanted = model.predict(X), np.array(facts["predict"])
    if wanted.dtype.kind == "f":  # predictions are added up in another order since
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)
    else:
        assert found.tolist() == wanted.tolist()
    params = model.get_params(deep=False)
    # Those that came since are at their defaults.
    defaults = inspect.signature(type(model)).parameters
    for added in [key for key in params if f"{key!r}: " not in facts["params"]]:
        assert params.pop(added) == defaults[added].default
    assert repr(params) == facts["params"]


def test_a_table_in_json():
    _, facts = unpickled("table_of_lambdas")
    check_table(ke.load(HERE / "table_of_lambdas.json"), facts)


@pytest.mark.parametrize("module", ["_target"])
def test_former_private_modules_that_pickles_name(module):
    assert f"kernelect.{module}" in sys.modules
