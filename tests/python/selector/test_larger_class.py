"""A machine of two classes that does no better than the larger one says so."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.svm import SVC

import kernelect as ke
from kernelect.selector import _pairs
from kernelect.selector._fold_rows import Rows
from kernelect.selector._larger_class import is_in_doubt, warn_unless_better

SAYS = "hardly better than always choosing the larger class"


def judged(y, wrong, weights=None):
    y = np.array(y)
    rows = Rows(np.zeros((len(y), 1)), False, y, {}, weights)
    losses = np.where(np.array(wrong, dtype=bool), 1.5, 0.5)
    warn_unless_better(SVC(), rows, losses, np.arange(len(y)))


def test_wins_and_losses_beside_the_larger_class():
    y = ["b"] * 60 + ["a"] * 40
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        judged(y, [False] * 60 + [False] * 5 + [True] * 35)  # 5 won: 2.2 standard errors
        judged(y, [True] * 10 + [False] * 50 + [False] * 20 + [True] * 20)  # 10 more than lost
        judged(["a", "b", "c"] * 20, [True] * 60)
        judged(y, [True] * 100, np.ones(100))
    for wrong in (
        [False] * 60 + [True] * 40,  # the larger class itself
        [False] * 60 + [False] * 2 + [True] * 38,  # 2 won: 1.4 standard errors
        [True] * 15 + [False] * 45 + [False] * 20 + [True] * 20,
        [True] * 100,
    ):
        with pytest.warns(UserWarning, match=f"{SAYS} 'b': accuracy .*share of that class 0.6"):
            judged(y, wrong)


def test_noise_is_said_to_be_noise_and_a_signal_is_not():
    random = np.random.default_rng(5)
    X = random.normal(size=(120, 4))
    signal = np.where(X[:, 0] + 0.3 * random.normal(size=120) > 0.4, "yes", "no")
    model = ke.KernelSelector(SVC(), C="auto")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(X, signal)
    assert not any(SAYS in str(each.message) for each in said)
    with pytest.warns(UserWarning, match=SAYS) as heard:
        model.fit(X, random.permutation(signal))
    assert any(each.filename == __file__ for each in heard if SAYS in str(each.message))


def test_no_fold_is_trained_where_the_election_leaves_no_doubt(monkeypatch):
    random = np.random.default_rng(5)
    X = random.normal(size=(600, 3))
    y = X[:, 0] ** 2 + 0.3 * random.normal(size=600) > 0.5
    judge, trained = _pairs._judge, []
    monkeypatch.setattr(_pairs, "_judge", lambda *given: trained.append(1) or judge(*given))
    sure = ke.KernelSelector(SVC(), C="auto").fit(X, y)
    assert not is_in_doubt(sure.result_, y)
    assert is_in_doubt(ke.select(X, y, criterion="sm"), y)  # no rows were held out
    assert not trained
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        unsure = ke.KernelSelector(SVC(), C="auto").fit(X, random.permutation(y))
    assert is_in_doubt(unsure.result_, y)
    assert len(trained) == 1
    assert any(SAYS in str(each.message) for each in said)


@pytest.mark.parametrize(("won", "doubt"), [(0.785, True), (0.79, False)])
def test_doubt_ends_where_no_split_of_the_errors_would_leave_it(won, doubt):
    y = np.arange(1000) % 4 == 0
    elected = SimpleNamespace(held_out_score=won, model=SimpleNamespace(rows=1000))
    assert is_in_doubt(elected, y) == doubt  # 0.75 and 1.645 standard errors are 0.785


@pytest.mark.parametrize("rows", [300, 700, 1100])
def test_it_is_said_at_any_size(rows):
    random = np.random.default_rng(1)
    X = random.normal(size=(rows, 3))
    y = random.choice(["a", "b", "b"], size=rows)
    kernels = ke.gaussian_grid(-1, 1)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        ke.KernelSelector(SVC(), kernels, C="auto").fit(X, y)
    assert any(SAYS in str(each.message) for each in said)
