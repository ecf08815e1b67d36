"""The worked example and the survey's two tables, through the public functions."""

from __future__ import annotations

import math
import re
from pathlib import Path

import golden
import numpy as np
import pytest
import twins
from catalogue import BY_KEY, CRITERIA, criteria_for, table
from problems import labels
from scipy import sparse

import kernelect as ke

KERNEL = ke.Gaussian(golden.TAU)
# What the example has a value for under a plain name.
NAMES = [c.name for c in CRITERIA if c.key == c.name and c.key in golden.CLASSIFICATION]


def wanted_rows(values):
    return [BY_KEY[key] for key in values]


def scored(x, y, kernels, criteria, task="binary"):
    return table(x, y, kernels, criteria, task, folds=golden.FOLD_NUMBERS)


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_classification(convert):
    criteria = wanted_rows(golden.CLASSIFICATION)
    result = scored(convert(golden.X), golden.Y, [KERNEL], criteria)
    assert list(result.scores) == list(golden.CLASSIFICATION)
    for key, value in golden.CLASSIFICATION.items():
        assert result.scores[key].shape == (1,)
        assert result.scores[key][0] == pytest.approx(value, rel=1e-10), key
        assert result.direction[key] == BY_KEY[key].direction, key
        assert result.reasons[key][0] is None, key


def test_regression():
    criteria = wanted_rows(golden.REGRESSION)
    result = scored(golden.X, golden.T, [KERNEL], criteria, "regression")
    for key, value in golden.REGRESSION.items():
        assert result.scores[key][0] == pytest.approx(value, rel=1e-10), key


def test_task_is_guessed_from_the_target():
    classes = ke.evaluate(golden.X, golden.Y, [KERNEL], criteria=("ckta",))
    numbers = ke.evaluate(golden.X, golden.T, [KERNEL], criteria=("ckta",))
    assert classes.scores["ckta"][0] == pytest.approx(golden.CLASSIFICATION["ckta"], rel=1e-10)
    assert numbers.scores["ckta"][0] == pytest.approx(golden.REGRESSION["ckta"], rel=1e-10)


def test_precomputed():
    wanted = {key: value for key, value in golden.CLASSIFICATION.items() if key != "br"}
    result = scored(None, golden.Y, [KERNEL(golden.X)], wanted_rows(wanted))
    for key, value in wanted.items():
        assert result.scores[key][0] == pytest.approx(value, rel=1e-10), key


def test_names_mean_the_defaults():
    assert len(NAMES) >= 14
    result = ke.evaluate(golden.X, golden.Y, [KERNEL], criteria=NAMES, folds=golden.SPLITS)
    assert list(result.scores) == NAMES
    for name in NAMES:
        assert result.scores[name][0] == pytest.approx(golden.CLASSIFICATION[name], rel=1e-10)


@pytest.mark.parametrize("criterion", criteria_for("binary"), ids=str)
def test_every_criterion_on_the_example(criterion):
    k = twins.gaussian(golden.X, golden.TAU)
    known = {"x": golden.X, "kernel": KERNEL, "folds": golden.FOLD_NUMBERS}
    wanted = criterion.reference(k, golden.Y, **known)
    result = scored(golden.X, golden.Y, [KERNEL], [criterion])
    assert result.scores[criterion.key][0] == pytest.approx(wanted, rel=1e-10)
    assert result.direction[criterion.key] == criterion.direction


def test_every_registered_criterion_is_in_the_catalogue():
    assert set(ke.criteria.names()) <= {criterion.name for criterion in CRITERIA}


def test_kernel_matrix():
    k = ke.Gaussian(golden.TAU)(golden.X)
    assert k.sum() == pytest.approx(golden.SUM_OF_ENTRIES, rel=1e-10)
    assert np.linalg.norm(k) == pytest.approx(golden.FROBENIUS_NORM, rel=1e-10)


@pytest.mark.parametrize("a", [0.2, 0.3, 0.5, 0.8])
def test_survey_table_2(a):
    y = labels(round(10 * a), 10 - round(10 * a))
    x = np.where(y[:, None] == 0, [-1.0, 1.0], [1.0, 1.0])
    root = math.hypot(a, 1 - a)
    wanted = {
        "kta": root,
        "ekta": 2 * a * (1 - a) / root,
        "ckta(variant='survey')": 4 * a * (1 - a),
        "ckta": 1.0,
        "fsm": 0.0,
        "kcsm": math.inf,
        "kcsm(bounded=True)": 1.0,
    }
    result = table(x, y, [ke.Linear()], wanted_rows(wanted))
    for key, value in wanted.items():
        assert result.scores[key][0] == pytest.approx(value, rel=1e-10, abs=1e-12), key
        assert result.reasons[key][0] is None, key


@pytest.mark.parametrize("t", [0.2, 0.7, 1.9, 3.0, 5.1])
def test_survey_table_3(t):
    y = labels(4, 4)
    cos, sin = math.cos(t), math.sin(t)
    x = np.where(y[:, None] == 0, [-1.0, 1.0], [-1 + 2 * cos, 1 + 2 * sin])
    alignment = 1 / math.sqrt(18 - 12 * cos * sin - 16 * (cos - sin))
    wanted = {
        "kta": alignment,
        "ekta": alignment,
        "ckta": 1.0,
        "ckta(variant='survey')": 1.0,
        "fsm": 0.0,
        "kcsm(bounded=True)": 1.0,
    }
    result = table(x, y, [ke.Linear()], wanted_rows(wanted))
    for key, value in wanted.items():
        assert result.scores[key][0] == pytest.approx(value, rel=1e-10, abs=1e-12), key


def numbers(text):
    """Return the numbers of ten digits or more in a source file, as written."""
    return set(re.findall(r"(?<!/ )(-?\d+\.\d{9,}(?:e-\d+)?)", text))


def test_the_core_is_held_to_the_same_example():
    tests = Path(__file__).resolve().parents[2]
    core = (tests / "cpp" / "seven_points.hpp").read_text(encoding="utf-8")
    points, target = (
        [float(number) for number in found.split(",")]
        for found in re.findall(r"<< ([\d., ]+);", core)
    )
    assert points == golden.X.ravel().tolist()
    assert target == golden.T.tolist()
    assert len(numbers(core)) > 30
    assert numbers(core) <= numbers(Path(golden.__file__).read_text(encoding="utf-8"))
