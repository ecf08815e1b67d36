"""What a worker takes: memory beside its blocks, and threads of BLAS."""

import threading
import time

import dask.array as da
import numpy as np
import psutil
import pytest
from distributed import Client, LocalCluster

import kernelect as ke

pytestmark = [
    pytest.mark.alone,
    pytest.mark.filterwarnings("ignore:the landmark model has not:UserWarning"),
]
ROWS, COLUMNS = 400_000, 80
BYTES = 8.0 * ROWS * COLUMNS  # 256 MB


@pytest.fixture(scope="module")
def client():
    with (
        LocalCluster(
            n_workers=1,
            threads_per_worker=2,
            processes=True,
            dashboard_address=":0",
            silence_logs=50,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client


def look(rows, target, client):
    how = {"landmarks": 60, "client": client}
    return ke.evaluate(rows, target, [ke.Gaussian(80.0)], "gcv", **how)


class Peak:
    """The most memory that a process holds meanwhile, above what it held before."""

    def __init__(self, process):
        self._process, self._over = process, threading.Event()
        self._before = self._most = process.memory_info().rss
        self._thread = threading.Thread(target=self._watch)

    def _watch(self):
        while not self._over.is_set():
            self._most = max(self._most, self._process.memory_info().rss)
            time.sleep(0.01)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    @property
    def extra(self):
        return self._most - self._before


def test_a_worker_holds_its_blocks_and_little_else(client):
    rows = da.random.default_rng(0).normal(size=(ROWS, COLUMNS), chunks=(20_000, COLUMNS))
    rows = client.persist(rows)
    target = (np.arange(ROWS) % 3 == 0).astype(int)
    look(rows[:40_000], target[:40_000], client)  # what is loaded once
    (pid,) = client.run(lambda: __import__("os").getpid()).values()
    with Peak(psutil.Process(pid)) as peak:
        look(rows, target, client)
    # A task of at most 64 MB of rows, joined from its blocks, and sums of 60 landmarks.
    assert peak.extra < 1.6e8 < 0.7 * BYTES


def test_blas_has_one_thread_in_the_sums_of_workers(client):
    def kernel(one, other):
        """A product, which says in its values how many threads BLAS has."""
        import numpy as np
        from threadpoolctl import threadpool_info

        libraries = [each for each in threadpool_info() if each["user_api"] == "blas"]
        most = max((each["num_threads"] for each in libraries), default=1)
        k = np.exp(-0.5 * ((one[:, None, :] - other[None, :, :]) ** 2).sum(axis=2))
        return k if most == 1 else np.full_like(k, np.nan)

    def threads():
        from threadpoolctl import threadpool_info

        return max(each["num_threads"] for each in threadpool_info() if "blas" in each["user_api"])

    def allow_two():
        from threadpoolctl import threadpool_limits

        threadpool_limits(2, user_api="blas")

    client.run(allow_two)
    assert set(client.run(threads).values()) == {2}
    rng = np.random.default_rng(1)
    X = rng.normal(size=(6000, 2))
    y = (X[:, 0] > 0).astype(int)
    table = ke.evaluate(
        da.from_array(X, chunks=2000), y, [kernel], "gcv", landmarks=10, client=client
    )
    assert np.isfinite(table.scores["gcv"]).all()
    assert set(client.run(threads).values()) == {2}
