"""Too little memory for whole kernel matrices: said before any work, or decided without them."""

import sys

import numpy as np
import pytest
from refusals import refuses
from sklearn.svm import SVC

import kernelect as ke
from kernelect._evidence.landmarks import counts
from kernelect._support import memory
from kernelect.selection import _affordable, _problem


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 3))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


@pytest.fixture
def little(monkeypatch):
    """Memory for sums, but for no matrix of 200 x 200 numbers."""
    monkeypatch.setattr(_affordable, "_LITTLE", 0.0)
    monkeypatch.setattr(_affordable, "free_memory", lambda: 3.5e5)


@pytest.fixture
def idle(monkeypatch):
    """No work is begun."""

    def begun(*_, **__):
        raise AssertionError("work was begun")

    monkeypatch.setattr(_problem, "gather", begun)


def test_the_default_election_does_with_sums(data, little):
    with pytest.warns(UserWarning, match=r"decided by sm alone: loo of 200 .* or landmarks"):
        chosen = ke.select(*data, n_threads=1, landmarks=None)
    assert chosen.kernel == ke.select(*data, criterion="sm").kernel
    assert (chosen.criterion, chosen.verified, chosen.partial) == ("sm", None, False)
    with pytest.warns(UserWarning, match="decided by sm alone: cv of 200 rows"):
        chosen = ke.select(*data, folds=4, lam="auto", rule="one_se", landmarks=None)
    assert chosen.criterion == "sm"


@pytest.mark.parametrize("criterion", ["loo", "cv", "gcv", "br", "bif", "ks", "er", "ep"])
def test_criteria_of_matrices_are_refused(data, little, idle, criterion):
    said = f"{criterion} of 200 rows takes about"
    how = {"n_threads": 1, "landmarks": None}
    refuses(lambda: ke.select(*data, criterion=criterion, **how), MemoryError, said)
    refuses(lambda: ke.evaluate(*data, criteria=["sm", criterion], **how), MemoryError, said)


SYSTEMS = ["loo", "bif", "evidence", ke.criteria.LOO(loss="log_probability")]


def test_landmarks_are_no_advice_where_they_are_refused(data, little, idle):
    """By default too: what needs whole matrices says so before any work."""
    said = "give fewer rows, or criteria of sums such as 'sm' and 'kta'"
    refuses(lambda: ke.evaluate(*data, criteria="er", n_threads=1), MemoryError, said)
    said = "criteria of sums such as 'sm' and 'kta', or landmarks"
    for criterion in SYSTEMS:
        refuses(lambda asked=criterion: ke.evaluate(*data, criteria=asked, landmarks=None),
                MemoryError, said)  # fmt: skip


@pytest.mark.parametrize("criterion", SYSTEMS, ids=str)
def test_criteria_of_systems_take_landmarks_of_themselves(data, little, monkeypatch, criterion):
    monkeypatch.setattr(_affordable, "free_memory", lambda: 1.5e6)
    X, y = (np.concatenate([part] * 2) for part in data)
    table = ke.evaluate(X, y, ke.gaussian_grid(0, 2), criterion, n_threads=1)
    (column,) = table.columns.values()
    assert (column.landmarks < 200).all()
    assert np.isfinite(column.values).all()


def test_sums_are_not(data, little):
    assert ke.evaluate(*data, criteria=["sm", "kta", "ckta"]).best("sm")
    assert ke.select(*data, criterion="kta").kernel


def test_landmarks_are_not(data, little):
    assert np.isfinite(ke.evaluate(*data, criteria="loo", landmarks=20).scores["loo"]).any()
    refuses(
        lambda: ke.evaluate(*data, criteria=["loo", "pep"], landmarks=20), MemoryError, "pep of"
    )


@pytest.mark.parametrize("kernel", ["auto", "rbf", ke.Gaussian(1.0)])
@pytest.mark.parametrize("kind", [ke.LSSVMClassifier, ke.LSSVMRegressor])
def test_learners_are_refused(data, little, idle, kind, kernel):
    said = "an exact fit of 200 rows takes about"
    refuses(lambda: kind(kernel, solver="exact").fit(*data), MemoryError, said)


def test_a_committee_without_memory_is_told_of_one_kernel(data, little, idle):
    said = "give fewer rows, or kernel='auto', which has landmarks"
    refuses(lambda: ke.LSSVMClassifier("committee").fit(*data), MemoryError, said)


def test_learners_have_landmarks_then(data, little, monkeypatch):
    more = [np.concatenate([part] * 4) for part in data]  # of few rows landmarks save nothing
    monkeypatch.setattr(_affordable, "free_memory", lambda: 2e6)
    assert ke.LSSVMClassifier("rbf", lam=1.0).fit(*more).solver_ == "landmarks"


def test_selector(data, little, idle, monkeypatch):
    whole = {"landmarks": None}
    for selector in (ke.KernelSelector(**whole), ke.KernelSelector(SVC(), C="auto", **whole)):
        said = "the choice of lambda of 200 rows takes about"
        refuses(lambda selector=selector: selector.fit(*data), MemoryError, said)
    monkeypatch.undo()
    monkeypatch.setattr(_affordable, "_LITTLE", 0.0)
    monkeypatch.setattr(_affordable, "free_memory", lambda: 3.5e5)
    with pytest.warns(UserWarning, match="decided by sm alone"):
        assert ke.KernelSelector(SVC(), landmarks=None).fit(*data).score(*data) > 0.5


def test_threads_that_there_is_no_memory_for_are_not_used(data, monkeypatch):
    seen = []
    whole = _problem.gather
    monkeypatch.setattr(_affordable, "_LITTLE", 0.0)
    monkeypatch.setattr(_affordable, "free_memory", lambda: 1e6)  # two matrices are 0.8e6 bytes
    monkeypatch.setattr(
        _problem, "gather", lambda work, *rest: seen.append(work.threads) or whole(work, *rest)
    )
    found = ke.evaluate(*data, criteria="loo", n_threads=8)
    assert seen == [2]
    monkeypatch.undo()
    np.testing.assert_array_equal(
        found.scores["loo"], ke.evaluate(*data, criteria="loo", n_threads=8).scores["loo"]
    )


def test_fifty_thousand_rows_are_refused_at_once(monkeypatch, idle):
    monkeypatch.setattr(_affordable, "free_memory", lambda: 16e9)
    X = np.random.default_rng(0).normal(size=(50_000, 2))
    y = (X[:, 0] > 0).astype(int)
    said = "takes about 24.0 GB of memory"
    refuses(lambda: ke.select(X, y, criterion="loo", landmarks=None), MemoryError, said)
    said = "24.0 GB of memory, and 16.0 GB"
    refuses(lambda: ke.LSSVMClassifier("auto", solver="exact").fit(X, y), MemoryError, said)


def test_free_memory():
    free = memory.free_memory()
    assert free > 1e6
    if sys.platform == "linux":
        assert free < 1e15


@pytest.mark.skipif(sys.platform != "linux", reason="limits of the address space as Linux has them")
def test_limit_of_the_address_space(monkeypatch):
    import resource

    used = int(memory._lines("/proc/self/statm")[0].split()[0]) * resource.getpagesize()
    monkeypatch.setattr(memory.resource, "getrlimit", lambda _: (used + (1 << 30), 0))
    assert memory.free_memory() <= 1.01 * (1 << 30)


def test_limit_of_a_container(monkeypatch):
    files = {
        "/sys/fs/cgroup/memory.max": ["3000000"],
        "/sys/fs/cgroup/memory.current": ["2500000"],
        "/sys/fs/cgroup/memory.stat": ["anon 5", "inactive_file 250000"],
    }
    monkeypatch.setattr(memory, "_lines", lambda path: files.get(path, []))
    assert memory.free_memory() == 750_000
    files["/sys/fs/cgroup/memory.max"] = ["max"]
    assert memory.free_memory() > 1e6


def test_little_memory_is_told_in_megabytes_and_with_the_landmarks(monkeypatch, data):
    X, y = (np.concatenate([part] * 3) for part in data)
    monkeypatch.setattr(counts, "WHOLE_ROWS", 100)
    monkeypatch.setattr(_affordable, "_LITTLE", 0.0)
    monkeypatch.setattr(_affordable, "free_memory", lambda: 1e4)
    said = r"loo with \d+ landmarks of \d+ rows takes about [\d.]+ MB of memory, and 0.01 MB are"
    with pytest.warns(UserWarning, match=said):
        ke.select(X, y, ke.gaussian_grid(-2, 2))


@pytest.mark.parametrize("criterion", ["auto", "sm", "loo"])
def test_the_matrix_of_a_function_is_not_begun(data, monkeypatch, criterion):
    """Whoever gave a function of many rows was told what NumPy could not allocate."""
    monkeypatch.setattr(memory, "LITTLE", 0.0)
    monkeypatch.setattr(memory, "free_memory", lambda: 3.5e5)

    def called(X, Y):
        raise AssertionError("work was begun")

    said = (
        r"200 x 200 numbers, takes about 0.32 MB of memory, and 0.35 MB are free; give fewer rows"
    )
    refuses(lambda: ke.select(*data, [called], criterion), MemoryError, said)
    model = ke.KernelSelector(SVC(), [called], criterion)
    refuses(lambda: model.fit(*data), MemoryError, said)
    learned = r"kernel learning of 200 rows takes about 0.448 MB of memory, and 0.35 MB are free"
    refuses(lambda: ke.MKLClassifier("average", [called]).fit(*data), MemoryError, learned)
