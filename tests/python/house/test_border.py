"""The compiled core trusts nobody: wrong arguments are refused in a sentence, and never crash."""

import os
import pickle
import resource
import subprocess
import sys
from pathlib import Path

import border_entries
import border_fuzz
import numpy as np
import pytest
from child_process import SANITIZED

from kernelect._dispatch import core

ROOM = 4 << 30  # bytes: a size that is out of range is refused, not allocated


def limited():
    """Leave the child little room."""
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))


def run(*words):
    """Make the calls of `border_fuzz` in a process of their own; say by which it ended."""
    done = subprocess.run(
        [sys.executable, border_fuzz.__file__, *map(str, words)],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
        env=dict(os.environ, OPENBLAS_NUM_THREADS="1"),
        preexec_fn=limited,
    )
    last = done.stdout.strip().splitlines()[-1:]
    assert done.returncode == 0, (done.returncode, last, done.stderr[-2000:])


@pytest.mark.parametrize("seed", range(2))
def test_mutated_arguments_end_no_process(seed):
    run(seed, 120)


def test_calls_that_guided_fuzzing_has_kept():
    """Each went a way through the core that none before it did; `tests.long.guided` keeps them."""
    run(Path(__file__).parents[1] / "fixtures" / "border_calls.json")


def test_every_function_of_the_core_is_called():
    known = {name.split(".")[0] for name in border_entries.entries()} | {
        "MomentSums",
        "RidgeRequest",
    }
    switches = {"use_scipy_lapack", "use_eigen", "Undefined"}  # take no argument
    offered = {name for name in dir(core) if callable(getattr(core, name))}
    assert offered - switches == known


def test_right_arguments_pass():
    for name, (call, right) in border_entries.entries().items():
        if not name.endswith("Sums.merge"):  # of the same leaves twice
            call(**right)


@pytest.mark.parametrize("degree", [-1, 0, 2**31 - 1])
def test_degrees_of_criteria(degree):
    given = border_entries.problem() | {"criteria": [("sm", degree, False, False, False, False)]}
    with pytest.raises(ValueError, match="degree of a criterion"):
        core.score_moments(**given, memory=1e8, threads=1, progress=None)


def test_no_landmarks_in_place_of_some():
    """The process ended: pybind11 makes a null pointer of None where it is not told otherwise."""
    right = dict(border_entries.entries()["LandmarkRidge"][1])
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        core.LandmarkRidge(**(right | {"landmarks": None}))


def test_losses_of_no_rows_are_refused():
    """The process ended: the largest of no targets was asked for."""
    for shape in ((2, 0, 1), (2, 5, 0)):
        with pytest.raises(ValueError, match="targets must have a row and a column"):
            core.held_out_losses(np.zeros(shape), np.zeros(shape[1:]), zero_one=True)


def test_a_row_that_is_repeated_without_a_copy_is_refused():
    """Guided fuzzing found that as many rows were read beyond the end of the one there is."""
    call, right = border_entries.entries()["LandmarkRidge.residuals"]
    once = np.broadcast_to(right["targets"][:1], right["targets"].shape)
    with pytest.raises(TypeError, match="targets must be a C-contiguous float64 matrix"):
        call(**{**right, "targets": once})


def test_sparse_rows_that_begin_anywhere_are_refused():
    starts = np.zeros(3 * 8 + 1, np.uint8)[1:].view(np.int64)
    good = {"values": np.ones(4), "columns": np.array([0, 1, 0, 1], np.int32), "features": 2}
    with pytest.raises(ValueError, match="must be aligned"):
        core.Sample([0, 0], 1).add_sparse(**good, starts=starts)


def test_whole_numbers_that_begin_anywhere_are_read_right():
    """Under the undefined-behaviour sanitizer folds that are not aligned ended the process."""
    right = border_entries.entries()["Landmarks.sums"][1]
    shifted = np.zeros(right["folds"].nbytes + 1, np.uint8)[1:].view(np.int64)
    shifted[:] = right["folds"]
    assert not shifted.flags.aligned
    whole, cut = (
        border_entries.landmarks().sums(**(right | {"folds": folds}))
        for folds in (right["folds"], shifted)
    )
    assert pickle.dumps(cut) == pickle.dumps(whole)


def test_sparse_rows_stay_within_their_arrays():
    good = {"values": np.ones(4), "columns": np.array([0, 1, 0, 1], np.int32), "features": 2}
    for starts in ([0, 2, 5], [0, 4, 2], [-1, 2, 4], [0, 2, 2**62], []):
        with pytest.raises(ValueError, match="starts"):
            core.Sample([0, 0], 1).add_sparse(**good, starts=np.array(starts, np.int64))
    with pytest.raises(ValueError, match="columns has 3 entries"):
        core.Sample([0, 0], 1).add_sparse(
            **(good | {"columns": good["columns"][:3]}), starts=np.array([0, 2, 4])
        )


def test_folds_that_are_cut_out_of_others_are_read_right():
    numbers = np.arange(8)[::2]
    assert not numbers.flags.c_contiguous
    cut, whole = (border_entries.request(fold_sets=[[fold]]) for fold in (numbers, numbers.copy()))
    k = np.eye(9) + 0.1
    found = [core.ridge([k], each, threads=1, progress=None) for each in (cut, whole)]
    np.testing.assert_array_equal(found[0]["cv"][0]["outputs"], found[1]["cv"][0]["outputs"])


@pytest.mark.skipif(SANITIZED, reason="the sanitizer works in no limited range of addresses")
def test_memory_that_is_not_there_is_refused_with_advice():
    code = (
        "import resource, numpy as np\n"
        "from kernelect._dispatch import core\n"
        "sample = core.Sample([0] * 30000, 1)\n"
        "sample.add_dense(np.zeros((30000, 1)))\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({ROOM}, {ROOM}))\n"
        "try:\n"
        "    core.sample_gram(sample, [('linear', 0.0, 0.0, 0, 0)], threads=1, progress=None)\n"
        "except MemoryError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "about 7.2 GB" in done.stdout
    assert "fewer rows" in done.stdout


@pytest.mark.parametrize(
    ("kind", "known"),
    [(core.Sample, "size"), (core.KernelStack, "rows"), (core.MomentSums, "complete")],
)
def test_objects_that_never_saw_their_constructor(kind, known):
    unmade = kind.__new__(kind)
    with pytest.raises(TypeError, match="made without its constructor"):
        getattr(unmade, known)
