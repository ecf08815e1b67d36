"""The same bits whatever threads and memory; the same numbers at every instruction level."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from catalogue import MOMENTS, assert_same, criteria_for, table
from kernel_catalogue import FAMILIES
from problems import TASKS, api_task, problem
from scipy import sparse

import kernelect as ke

HERE = Path(__file__).parent


def moved(a, offset):
    """A copy of the array that starts `offset` numbers after a 64-byte boundary."""
    buffer = np.empty(a.size + 16, dtype=a.dtype)
    first = -buffer.ctypes.data // a.itemsize % 8 + offset
    view = buffer[first : first + a.size].reshape(a.shape)
    view[...] = a
    assert view.ctypes.data // a.itemsize % 8 == offset
    return view


def every_kernel():
    return [kernel.build() for kernel in FAMILIES] + list(ke.gaussian_grid(-15, 15, step=2))


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("task", TASKS)
def test_number_of_threads(task, convert):
    x, y = problem(task, n=420, d=7)
    criteria = criteria_for(task, MOMENTS)

    def scores(n_threads):
        return table(convert(x), y, every_kernel(), criteria, task, n_threads=n_threads)

    one = scores(1)
    for n_threads in (2, 3, None):
        assert_same(scores(n_threads), one)
    assert_same(scores(1), one)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_number_of_threads_for_precomputed_matrices(n_threads):
    x, y = problem("binary", n=300)
    matrices = [kernel.matrix(x) for kernel in FAMILIES[:4]]
    criteria = criteria_for("binary", MOMENTS)
    one = table(None, y, matrices, criteria, n_threads=1)
    assert_same(table(None, y, matrices, criteria, n_threads=n_threads), one)


@pytest.mark.parametrize("d", [3, 8])
@pytest.mark.parametrize("task", TASKS)
def test_alignment_of_features(task, d):
    x, y = problem(task, n=75, d=d)
    criteria = criteria_for(task, MOMENTS)
    results = [
        table(
            moved(x, offset),
            moved(np.asarray(y), 7 - offset),
            every_kernel(),
            criteria,
            task,
            n_threads=1,
        )
        for offset in range(8)
    ]
    for result in results[1:]:
        assert_same(result, results[0])


def test_alignment_of_single_precision_features():
    x, y = problem("binary", n=75, d=5)
    single = x.astype(np.float32)
    criteria = criteria_for("binary", MOMENTS)
    results = [table(moved(single, i), y, every_kernel(), criteria) for i in range(8)]
    for result in results[1:]:
        assert_same(result, results[0])


def test_alignment_of_sparse_features():
    x, y = problem("binary", n=75, d=5)
    rows = sparse.csr_array(np.where(x > 0.5, x, 0.0))
    criteria = criteria_for("binary", MOMENTS)
    results = []
    for offset in range(8):
        arrays = (moved(rows.data, offset), moved(rows.indices, offset), rows.indptr)
        same = sparse.csr_array(arrays, shape=rows.shape)
        results.append(table(same, y, every_kernel(), criteria))
    for result in results[1:]:
        assert_same(result, results[0])


def test_alignment_of_precomputed_matrices():
    x, y = problem("binary", n=75)
    matrices = [kernel.matrix(x) for kernel in FAMILIES]
    criteria = criteria_for("binary", MOMENTS)
    results = [table(None, y, [moved(m, i) for m in matrices], criteria) for i in range(8)]
    for result in results[1:]:
        assert_same(result, results[0])


@pytest.mark.filterwarnings("ignore::UserWarning")  # here: to change filters is not thread-safe
def test_calls_from_several_threads():
    problems = [problem(task, n=150, d=5, seed=seed) for task in TASKS for seed in range(2)]
    tasks = [task for task in TASKS for _ in range(2)]

    def scores(index):
        x, y = problems[index]
        task = tasks[index]
        criteria = [criterion.build() for criterion in criteria_for(task, MOMENTS)]
        return ke.evaluate(
            x, y, every_kernel(), criteria=criteria, task=api_task(task), n_threads=2
        )

    alone = [scores(index) for index in range(len(problems))]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(scores, range(len(problems))))
    for first, second in zip(alone, together, strict=True):
        assert_same(first, second)


def test_arguments_are_left_alone():
    x, y = problem("binary", n=40)
    rows = sparse.csr_array(x)
    matrix = FAMILIES[0].matrix(x)
    before = [a.tobytes() for a in (x, y, rows.data, rows.indices, rows.indptr, matrix)]
    criteria = criteria_for("binary", MOMENTS)
    for features, kernels in ((x, every_kernel()), (rows, every_kernel()), (None, [matrix])):
        table(features, y, kernels, criteria)
    assert [a.tobytes() for a in (x, y, rows.data, rows.indices, rows.indptr, matrix)] == before


# Instruction levels ----------------------------------------------------------------------------

CHILD = """
import json, sys
sys.path[:0] = sys.argv[1:]
import kernelect as ke
from test_determinism import scores_of_this_level
print(json.dumps({"level": ke.build_info()["level"], "scores": scores_of_this_level()}))
"""


def scores_of_this_level():
    """All criteria and kernels on all tasks, dense and sparse, as nested lists of numbers."""
    scores = {}
    for task in TASKS:
        x, y = problem(task, n=130, d=6)
        for form in (np.asarray, sparse.csr_array):
            result = table(form(x), y, every_kernel(), criteria_for(task, MOMENTS), task)
            for key, values in result.scores.items():
                scores[f"{task}/{form.__name__}/{key}"] = [value.hex() for value in values.tolist()]
    return scores


def run_level(level):
    environment = {**os.environ, "KERNELECT_LEVEL": level}
    child = subprocess.run(
        [sys.executable, "-c", CHILD, str(HERE), str(HERE.parent)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(child.stdout)


def test_instruction_levels_agree():
    available = ke.build_info()["available"].split(", ")
    if len(available) == 1:
        pytest.skip("this machine runs one instruction level only")
    results = {level: run_level(level) for level in available}
    for level, result in results.items():
        assert result["level"] == level
    first, *others = (result["scores"] for result in results.values())
    for other in others:
        assert other.keys() == first.keys()
        for key, values in first.items():
            ours, theirs = ([float.fromhex(v) for v in row] for row in (values, other[key]))
            atol = 1e-14 if key.endswith("fsm") else 0.0  # exactly zero at K = I, but for rounding
            np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=atol, err_msg=key)


def test_wider_packs_have_the_same_bits():
    if "v4" not in ke.build_info()["available"].split(", "):
        pytest.skip("this machine runs no packs of eight, or the core has none")
    assert run_level("v4")["scores"] == run_level("v3")["scores"]


def test_unknown_level_is_refused():
    with pytest.raises(subprocess.CalledProcessError) as failure:
        run_level("v9")
    assert "KERNELECT_LEVEL='v9' is not one of" in failure.value.stderr
