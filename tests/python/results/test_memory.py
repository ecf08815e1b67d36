"""Estimates of memory, beside what a process of its own takes."""

import json
import subprocess
import sys

import pytest
from child_process import ENVIRONMENT, SANITIZED

CHILD = """
import json, sys, warnings
import numpy as np
from scipy import sparse
import kernelect as ke

warnings.simplefilter("ignore")
criterion, n, columns, entries, landmarks = json.loads(sys.argv[1])
random = np.random.default_rng(0)
x = random.normal(size=(n, columns if entries is None else entries))
if entries is not None:
    places = np.sort(random.integers(0, columns, x.shape), axis=1)
    starts = np.arange(0, x.size + 1, entries)
    x = sparse.csr_matrix((x.ravel(), places.ravel(), starts), (n, columns))
y = random.integers(0, 2, n)
kernels = ke.gaussian_grid(0, 0 if criterion == "gcv" else 1)
if criterion == "auto":  # a target for which twice the landmarks are worth their while
    kernels, y = ke.gaussian_grid(4, 5), (x[:, :3].prod(axis=1) > 0).astype(int)

def memory(name):
    lines = open("/proc/self/status").read().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(name))

few = None if landmarks is None else 9
first = "loo" if criterion == "auto" else criterion
ke.evaluate(x[:60], y[:60], kernels, first, n_threads=1, landmarks=few)  # what is loaded once
open("/proc/self/clear_refs", "w").write("5")  # the peak is what it is now
before = memory("VmRSS")
how = {"n_threads": 1, "landmarks": landmarks}
if criterion == "auto":
    ke.select(x, y, kernels, **how)
else:
    ke.evaluate(x, y, kernels, criterion, **how)
estimate = ke.memory_estimate(x, kernels, criterion, **how)
print(json.dumps([memory("VmHWM") - before, estimate]))
"""

CASES = [
    *((name, 2500, 20, None, None) for name in ("pep", "er", "ep", "sm_hinge", "loo", "cv", "bif")),
    ("sm", 2000, 4000, None, None),
    ("sm", 2000, 2**20, 500, None),
    ("pep", 2000, 2**20, 500, None),
    ("loo", 2000, 2**20, 500, None),
    ("loo", 20_000, 20, None, 700),
    ("cv", 9_000, 20, None, 900),
    ("bif", 9_000, 20, None, 900),
    ("auto", 21_000, 20, None, "auto"),
]


def measured(case):
    child = subprocess.run(
        [sys.executable, "-c", CHILD, json.dumps(case)],
        env={**ENVIRONMENT, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert child.returncode == 0, child.stderr
    return json.loads(child.stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.skipif(SANITIZED, reason="the sanitizer keeps what has been freed")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_estimates_are_right_to_a_third(case):
    taken, estimate = measured(case)
    assert taken / 1.3 < estimate < 1.3 * taken


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.skipif(SANITIZED, reason="the sanitizer keeps what has been freed")
def test_many_rows_with_many_landmarks_stay_small():
    taken, _ = measured(("gcv", 50_000, 20, None, 1000))
    assert taken < 300e6  # where rows x landmarks are 400 MB, and all pairs 20 GB
