"""Rows in a file that are more than the memory that an election takes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from child_process import ENVIRONMENT

ROWS, COLUMNS = 400_000, 100
BYTES = 8 * ROWS * COLUMNS  # 320 MB
SCRIPT = """
import json, sys, threading
from pathlib import Path
import numpy as np
import kernelect as ke

def held():  # without what the system can read from the file again
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))

rows, columns = int(sys.argv[2]), int(sys.argv[3])
x = np.memmap(sys.argv[1], dtype=np.float64, mode="w+", shape=(rows, columns))
rng = np.random.default_rng(0)
for start in range(0, rows, 20_000):
    x[start : start + 20_000] = rng.normal(size=(20_000, columns))
y = np.where(x[:, 0] > 0.0, "a", "b")
kernel, how = ke.Gaussian(float(columns)), {"landmarks": 20}
before, peak, over = held(), [0], threading.Event()

def watch():
    while not over.wait(0.01):
        peak[0] = max(peak[0], held() - before)

watcher = threading.Thread(target=watch)
watcher.start()
ke.evaluate(x, y, [kernel], ["loo", "gcv"], lam=1.0, **how)
ke.evaluate(x, y, [kernel], "kta", sample=64)
model = ke.LSSVMClassifier(kernel, lam=1.0, solver="landmarks", **how).fit(x, y)
right = float((model.predict(x) == y).mean())
over.set()
watcher.join()
print(json.dumps([peak[0], right]))
"""


@pytest.mark.alone
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="tells anonymous memory")
def test_rows_stay_in_their_file(tmp_path):
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT]
    given = [str(tmp_path / "rows"), str(ROWS), str(COLUMNS)]
    done = subprocess.run(
        [*command, *given], env=ENVIRONMENT, check=True, capture_output=True, text=True
    )
    peak, right = json.loads(done.stdout)
    assert peak < 0.8 * BYTES  # a copy of the rows would take all of it
    assert right > 0.6
