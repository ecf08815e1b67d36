"""Calls from eight threads, and from processes of every kind: the same bits, BLAS as it was."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import sysconfig
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from child_process import ENVIRONMENT
from joblib import Parallel, delayed
from problems import problem
from threadpoolctl import threadpool_info

import kernelect as ke

pytestmark = pytest.mark.alone

X, Y = problem("binary", n=260, d=5)
GRID = ke.gaussian_grid(-3, 6)


def blas_threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def sums():
    return ke.evaluate(X, Y, GRID, ["sm", "ckta"], n_threads=2).scores["ckta"].tobytes()


def systems():
    table = ke.evaluate(X, Y, GRID, ["loo", "cv"], lam=[0.1, 1.0], n_threads=2)
    return table.scores["cv"].tobytes()


def spectrum():
    return ke.evaluate(X, Y, GRID, ["pep", "sm_hinge"], n_threads=2).scores["sm_hinge"].tobytes()


def landmarks():
    return ke.evaluate(X, Y, GRID, "loo", landmarks=40, n_threads=2).scores["loo"].tobytes()


def election():
    return repr(ke.select(X, Y, lam="auto", n_threads=2)).encode()


def learner():
    return ke.LSSVMClassifier("auto", n_jobs=2).fit(X, Y).decision_function(X).tobytes()


def committee():
    return ke.LSSVMClassifier(kernel="committee").fit(X, Y).decision_function(X).tobytes()


def learning():
    return ke.MKLClassifier("alignf", GRID).fit(X, Y).weights_.tobytes()


WORK = [sums, systems, spectrum, landmarks, election, learner, committee, learning]


def everything(_=0):
    return [work() for work in WORK]


@pytest.fixture(scope="module")
def wanted():
    return everything()


def test_eight_threads_of_python(wanted):
    before = blas_threads()
    with ThreadPoolExecutor(8) as pool:
        # Each thread begins elsewhere, so that unlike work overlaps.
        turns = [[WORK[(k + shift) % 8] for k in range(8)] for shift in range(8)]
        found = list(pool.map(lambda turn: [work() for work in turn], turns))
    for shift, results in enumerate(found):
        assert results == [wanted[(k + shift) % 8] for k in range(8)]
    assert blas_threads() == before


@pytest.mark.parametrize("kernel", ["auto", "committee"])
def test_one_model_serves_eight_threads(kernel):
    wanted = ke.LSSVMClassifier(kernel).fit(X, Y).decision_function(X).tobytes()
    fresh = ke.LSSVMClassifier(kernel).fit(X, Y)  # of which nobody has asked anything yet
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: fresh.decision_function(X).tobytes(), range(8)))
    assert found == {wanted}


# What is imported when its name is first asked for is asked for by eight threads at once.
FIRST_USE = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import kernelect as ke
X = np.arange(60.0).reshape(20, 3) % 7
Y = np.arange(20) % 2
NAMES = "select evaluate LSSVMClassifier KernelSelector MKLClassifier refine save Gaussian".split()
together = threading.Barrier(8)
def use(turn):
    together.wait(60)
    for k in range(8):
        assert getattr(ke, NAMES[(turn + k) % 8]) is not None
    return ke.evaluate(X, Y, ke.gaussian_grid(-2, 2), ["sm", "loo"]).scores["loo"].tobytes()
with ThreadPoolExecutor(8) as pool:
    assert len(set(pool.map(use, range(8)))) == 1
print(getattr(sys, "_is_gil_enabled", lambda: True)())
"""


def test_eight_threads_import_at_once():
    # A module that does not declare it would switch the lock of a free-threaded Python on again.
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "PYTHON_GIL"}
    child = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", FIRST_USE],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    free = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    assert child.stdout.split() == [str(not free)]


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes(method, wanted):
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(everything, range(2), timeout=300)) == [wanted, wanted]


def test_workers_of_joblib(wanted):
    found = Parallel(n_jobs=2, backend="loky")(delayed(everything)(k) for k in range(2))
    assert found == [wanted, wanted]


def test_arrays_that_others_read_are_not_written():
    shared = X.copy()
    shared.flags.writeable = False
    with ThreadPoolExecutor(4) as pool:
        values = list(pool.map(lambda _: ke.select(shared, Y).score, range(4)))
    assert len(set(values)) == 1
    np.testing.assert_array_equal(shared, X)
