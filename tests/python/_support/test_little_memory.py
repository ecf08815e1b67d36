"""Little memory: an error with advice, never a process that hangs or dies inside BLAS."""

import subprocess
import sys

import pytest
from child_process import ENVIRONMENT

PROGRAM = """
import resource, sys
import numpy as np
import kernelect as ke, kernelect.lssvm, kernelect.mkl, sklearn.svm

n, what, room = 500, sys.argv[1], int(sys.argv[2]) << 20
rng = np.random.default_rng(0)
X = rng.normal(size=(n, 5))
y = (X[:, 0] + rng.normal(size=n) > 0).astype(int)
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + room
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    if what == "loo":
        ke.evaluate(X, y, ke.gaussian_grid(-2, 2), "loo", n_threads=2)
    elif what == "pep":
        ke.evaluate(X, y, ke.gaussian_grid(-2, 2), ["pep", "sm_hinge"], n_threads=2)
    elif what == "mkl":
        ke.MKLClassifier("simple").fit(X, y)
    else:
        ke.LSSVMClassifier("auto").fit(X, y).predict(X)
    print("done")
except MemoryError as error:
    print("refused:", str(error)[:500])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of the address space as Linux has them")
@pytest.mark.parametrize("what", ["loo", "pep", "mkl", "lssvm"])
@pytest.mark.parametrize("room", [30, 100])
def test_little_address_space_is_refused_or_enough(what, room):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, what, str(room)],
        env={**ENVIRONMENT, "OPENBLAS_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(("done", "refused: ")), done.stdout
    if done.stdout.startswith("refused"):
        assert ";" in done.stdout  # with advice
