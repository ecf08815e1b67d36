"""Dask collections on clusters of processes: the bits of the local answer, whatever happens."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import dask.array as da
import numpy as np
import psutil
import pytest
from distributed import Client, LocalCluster
from refusals import refuses

import kernelect as ke
from kernelect._dask.cluster import check_client
from kernelect._dask.tasks import threads_here

pytestmark = [
    pytest.mark.alone,
    pytest.mark.filterwarnings("ignore:the landmark model has not:UserWarning"),
]
RNG = np.random.default_rng(11)
N = 12_000
X = RNG.normal(size=(N, 3))
Y = (X[:, 0] * X[:, 1] + 0.3 * RNG.normal(size=N) > 0).astype(int)
ASKED = {"landmarks": 30, "lam": [0.1, 1.0]}
CHUNKS = {"one": N, "seven": -(-N // 7), "one row and the rest": ((1, N - 1), 3)}


def bits(table):
    return {key: column.values.tobytes() for key, column in table.columns.items()}


def evaluated(rows, target, **how):
    return bits(ke.evaluate(rows, target, ke.gaussian_grid(0, 1), ["loo", "cv"], **ASKED, **how))


def cluster_of(workers, threads):
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=threads,
        processes=True,
        dashboard_address=":0",
        silence_logs=50,
    )


@pytest.fixture(scope="module")
def local():
    return evaluated(X, Y, n_threads=1)


@pytest.fixture(scope="module")
def pair():
    with cluster_of(2, 1) as cluster, Client(cluster, set_as_default=False) as client:
        yield client


@pytest.fixture(scope="module")
def single():
    with cluster_of(1, 2) as cluster, Client(cluster, set_as_default=False) as client:
        yield client


@pytest.mark.parametrize("chunks", CHUNKS)
def test_two_workers_give_the_local_bits(chunks, pair, local):
    rows, target = da.from_array(X, chunks=CHUNKS[chunks]), da.from_array(Y, chunks=5000)
    assert evaluated(rows, target, client=pair) == local


def test_one_worker_of_two_threads_gives_the_local_bits(single, local):
    rows, target = da.from_array(X, chunks=3000), da.from_array(Y, chunks=3000)
    assert evaluated(rows, target, client=single) == local
    assert single.submit(threads_here).result() == 2


def test_the_active_client_elects_fits_and_predicts(pair):
    some = slice(0, 4500)
    rows, target = da.from_array(X[some], chunks=(2000, 2)), da.from_array(Y[some], chunks=1000)
    known = ke.LSSVMClassifier("auto", landmarks=30, solver="landmarks").fit(X[some], Y[some])
    with pair.as_current():
        model = ke.LSSVMClassifier("auto", landmarks=30).fit(rows, target)
        predicted = model.predict(rows)
        assert isinstance(predicted, da.Array)
        assert (predicted.compute() == known.predict(X[some])).all()
    assert model.kernel_ == known.kernel_
    assert model.dual_coef_.tobytes() == known.dual_coef_.tobytes()
    assert model.loo_residuals_.tobytes() == known.loo_residuals_.tobytes()
    script = (
        "import pickle, sys\n"
        "for name in ('dask', 'distributed'): sys.modules[name] = None\n"
        "model = pickle.load(sys.stdin.buffer)\n"
        "print(model.predict([[1.0, 1.0, 0.0], [1.0, -1.0, 0.0]]), model.selection_.kernel)\n"
    )
    without = subprocess.run(
        [sys.executable, "-c", script], input=pickle.dumps(model), capture_output=True, check=True
    )
    assert without.stdout.decode().strip() == f"[1 0] {known.kernel_}"


def test_a_killed_worker_changes_nothing(pair, local):
    def slowly(block):
        time.sleep(0.15)
        return block

    rows = da.from_array(X, chunks=1000).map_blocks(slowly, dtype=float)
    started, killed = threading.Event(), []

    def kill():
        started.wait()
        time.sleep(0.5)
        pid = next(iter(pair.run(os.getpid).values()))
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)

    killer = threading.Thread(target=kill)
    killer.start()

    def in_the_sums(fraction):
        if fraction > 0.1:  # after landmarks were chosen
            started.set()

    found = evaluated(rows, Y, client=pair, progress=in_the_sums)
    started.set()
    killer.join()
    assert killed
    assert found == local
    pair.wait_for_workers(2, timeout=30)


def test_a_worker_that_dies_when_it_is_asked_for_its_version_is_no_matter(pair, monkeypatch):
    addresses = list(pair.scheduler_info()["workers"])

    def run(self, *_, on_error="raise"):
        if on_error == "raise":
            raise OSError("Timed out trying to connect")
        return {addresses[0]: OSError("Timed out trying to connect"), addresses[1]: ke.__version__}

    with Client(pair.cluster, set_as_default=False) as fresh:
        monkeypatch.setattr(Client, "run", run)
        check_client(fresh)


def test_rows_do_not_come_to_the_client(pair):
    # 240 MB of rows in all.
    rows = da.random.default_rng(0).normal(size=(300_000, 100), chunks=(50_000, 100))
    target = (rows[:, 0] > 0).astype(int)
    process, peak = psutil.Process(), []
    before = process.memory_info().rss
    ke.evaluate(
        rows,
        target,
        [ke.Gaussian(100.0)],
        "gcv",
        landmarks=10,
        client=pair,
        progress=lambda _: peak.append(process.memory_info().rss),
    )
    assert max(peak) - before < 1.2e8


def test_nothing_is_left_running_by_an_interrupt(pair):
    def slowly(block):
        time.sleep(0.3)
        return block

    rows = da.from_array(X, chunks=500).map_blocks(slowly, dtype=float)

    def interrupt(fraction):
        if fraction > 0.1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluated(rows, Y, client=pair, progress=interrupt)
    until = time.monotonic() + 20.0
    while any(pair.processing().values()) and time.monotonic() < until:
        time.sleep(0.1)
    assert not any(pair.processing().values())


def test_bad_clients_are_refused(single):
    rows = da.from_array(X, chunks=3000)
    single.run(exec, "import kernelect._version as v; v.__version__ = '0.0.1'")
    with Client(single.cluster, set_as_default=False) as other:  # has not asked this worker yet
        refuses(
            lambda: evaluated(rows, Y, client=other), ValueError, "has kernelect 0.0.1 and this"
        )
    single.run(exec, f"import kernelect._version as v; v.__version__ = {ke.__version__!r}")
    single.cluster.scale(0)
    until = time.monotonic() + 20.0
    while single.scheduler_info()["workers"] and time.monotonic() < until:
        time.sleep(0.1)
    refuses(lambda: evaluated(rows, Y, client=single), ValueError, "client has no workers")
    with single.as_current():  # as the active one is
        refuses(lambda: evaluated(rows, Y), ValueError, "client has no workers")
    single.close()
    refuses(lambda: evaluated(rows, Y, client=single), ValueError, "this one is closed")
