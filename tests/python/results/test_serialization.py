"""Kernels and results as JSON: round trips, versions, refusals; results as HTML."""

import json
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from catalogue import assert_same, criteria_for, table
from kernel_catalogue import EVERY_KERNEL
from kernelect.serialization import from_dict, to_dict
from problems import TASKS, problem
from sklearn.metrics.pairwise import cosine_similarity

import kernelect as ke

KERNELS = [
    *(entry.build() for entry in EVERY_KERNEL),
    ke.ARDGaussian([1.0, 2.5]),
    2 * ke.Gaussian(1 / 3) + ke.Linear() * ke.Laplacian(1.0),
    ke.normalized(ke.Polynomial(2) + 0.5 * ke.Linear()),
    ke.on_columns([0, 2], ke.Gaussian(1.0)) + ke.on_columns(slice(1, None), ke.Linear()),
    ke.on_columns(["a", "b"], ke.on_columns("a", ke.Linear())),
    ke.on_columns([True, False], ke.Linear()),
    ke.kernels.WeightedSum([ke.Gaussian(2.0), ke.Linear()], [0.1, 0.9]),
    ke.kernels.Precomputed(4),
]
NOT_SAVED = "this is not a saved kernelect object: the parts of its"
CHOSEN = to_dict(ke.select(np.eye(4), [0, 0, 1, 1], [ke.Linear(), ke.Gaussian(1.0)], "loo"))
TABLE = CHOSEN["table"]


def through_json(thing, **options):
    return from_dict(json.loads(json.dumps(to_dict(thing), allow_nan=False)), **options)


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 3))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_kernels(kernel):
    again = through_json(kernel)
    assert again == kernel
    assert repr(again) == repr(kernel)
    assert type(again) is type(kernel)


def test_names_bound_to_a_frame_stay_bound(data):
    X, y = data
    frame = pd.DataFrame(X, columns=list("abc"))
    chosen = ke.select(frame, y, [ke.on_columns(["c", "a"], ke.Gaussian(1.0)), ke.Linear()]).kernel
    np.testing.assert_array_equal(through_json(chosen)(X), chosen(frame))


def same_table(one, two):
    assert one.kernels == two.kernels
    assert one.task == two.task
    assert one.direction == two.direction
    assert one.reasons == two.reasons
    assert one.columns.keys() == two.columns.keys()
    for key, column in one.columns.items():
        for part in ("values", *column.quantities()):
            first, second = getattr(column, part), getattr(two.columns[key], part)
            assert (first is None) == (second is None)
            if first is not None:
                np.testing.assert_array_equal(first, second)
                assert first.dtype == second.dtype == np.float64
        assert column.label == two.columns[key].label
    if one.lams is None:
        assert two.lams is None
    else:
        np.testing.assert_array_equal(one.lams, two.lams)


@pytest.mark.parametrize("lam", [1.0, [0.1, 1.0], "auto"])
def test_results(data, lam, tmp_path):
    X, y = data
    criteria = ["sm", "fsm", "stability", "loo", ke.criteria.LOO(loss="zero_one"), "bif"]
    table = ke.evaluate(X, y, criteria=criteria, lam=lam)
    same_table(through_json(table), table)
    chosen = ke.select(X, y, lam=lam)
    ke.save(chosen, tmp_path / "chosen.json")
    again = ke.load(tmp_path / "chosen.json")
    same_table(again.table, chosen.table)
    assert repr(again) == repr(chosen)
    assert again.verified == chosen.verified
    assert repr(again.table) == repr(chosen.table)


@pytest.mark.parametrize("task", TASKS)
def test_every_criterion_makes_the_round_trip(task):
    x, y = problem(task, n=30, d=3)
    kernels = [ke.Gaussian(1.0), ke.Linear(), 0.0 * ke.Linear()]
    found = table(x, y, kernels, criteria_for(task), task)
    again = through_json(found)
    assert_same(again, found)
    assert again.reasons == found.reasons
    assert again.direction == found.direction
    assert again.kernels == found.kernels


def test_an_infinite_score_stays_infinite(tmp_path):
    blocks = np.kron(np.eye(2), np.ones((2, 2)))
    chosen = ke.select(None, [0, 0, 1, 1], [blocks, np.eye(4)], "kcsm")
    assert chosen.score == np.inf
    ke.save(chosen, tmp_path / "chosen.json")
    assert ke.load(tmp_path / "chosen.json").score == np.inf
    assert np.isnan(from_dict({**to_dict(chosen), "score": None}).score)


def test_functions_of_one_name_are_refused(data, tmp_path):
    plain, square = (lambda A, B: A @ B.T), (lambda A, B: (A @ B.T + 1) ** 2)
    nested = 2 * ke.kernels.Function(square)
    for second in (square, nested):
        with pytest.raises(ValueError, match="two different functions are called '<lambda>'"):
            ke.save(ke.evaluate(*data, [plain, second], "sm"), tmp_path / "table.json")
    assert not (tmp_path / "table.json").exists()
    twice = ke.evaluate(*data, [plain, plain], "sm")
    assert through_json(twice, functions={"<lambda>": plain}).kernels == twice.kernels


def test_functions_are_given_not_loaded(data):
    kernel = ke.kernels.Function(cosine_similarity)
    with pytest.raises(ValueError, match=r"functions=\{'cosine_similarity': \.\.\.\}"):
        through_json(kernel)
    assert through_json(kernel, functions={"cosine_similarity": cosine_similarity}) == kernel


@dataclass(frozen=True, repr=False)
class Twice(ke.Kernel):
    kernel: ke.Kernel

    def _program(self, tables):
        return [*self.kernel._program(tables), ("scale", 2.0, 0.0, 0, 0)]


def test_own_kernels_are_registered():
    with pytest.raises(TypeError, match="register it"):
        to_dict(Twice(ke.Linear()))
    ke.serialization.register(Twice)
    assert through_json(Twice(ke.Linear())) == Twice(ke.Linear())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "no 'kind'"),
        ([1], "no 'kind'"),
        ({"kind": "Gaussian"}, "lacks 'tau'"),
        ({"kind": "Gaussian", "tau": 1.0, "format": 2}, "format 2, and this version reads up to 1"),
        ({"kind": "Gauss", "tau": 1.0}, "unknown kernel 'Gauss'"),
        ({"kind": "Gaussian", "tau": -1.0}, "positive finite"),
        ({"kind": "Selection"}, "lacks 'table'"),
        ({"kind": ["a"]}, NOT_SAVED),
        ({"kind": "Sum", "terms": 3}, NOT_SAVED),
        ({"kind": "Sum", "terms": [{"kind": ["a"]}]}, NOT_SAVED),
        ({"kind": "Selection", "table": None}, NOT_SAVED),
        ({"kind": "ScoreTable", "exact": 3, "candidates": []}, NOT_SAVED),
        ({**TABLE, "exact": {**TABLE["exact"], "scores": {"sm": ["a"]}}}, NOT_SAVED),
        ({**TABLE, "exact": {**TABLE["exact"], "direction": ["a"]}}, NOT_SAVED),
        ({**CHOSEN, "index": 7}, NOT_SAVED),
        ({**CHOSEN, "index": "x"}, NOT_SAVED),
        ({**CHOSEN, "score": "x"}, NOT_SAVED),
    ],
)
def test_refusals(given, message):
    with pytest.raises(ValueError, match=message) as caught:
        from_dict(given)
    assert "\n" not in str(caught.value)


def test_not_json(tmp_path):
    path = tmp_path / "x.json"
    path.write_text("{")
    with pytest.raises(ValueError, match="is neither a JSON file nor"):
        ke.load(path)
    with pytest.raises(TypeError, match="only kernels, tables and selections"):
        to_dict(3)


def test_html(data):
    X, y = data
    chosen = ke.select(X, y)
    page = chosen._repr_html_()
    assert page[page.index("all 31 candidates") :].count("<tr>") == 32
    assert "not on the shortlist" in page
    assert f"{chosen.kernel!r}" in page
    assert "λ=" in ke.evaluate(X, y, ke.gaussian_grid(0, 2), "loo", lam=[0.1, 1.0])._repr_html_()
    named = ke.evaluate(X, y, [ke.kernels.Function(lambda A, B: A @ B.T), ke.Linear()], "sm")
    assert "&lt;lambda&gt;" in named._repr_html_()
