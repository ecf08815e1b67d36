"""Silence that ends when the last thread that asked for it is done."""

from __future__ import annotations

import threading
import warnings
from pathlib import Path

import numpy as np
import pytest
from problems import problem

import kernelect as ke
from kernelect._support.quiet import quietly


def test_nothing_is_said_meanwhile():
    with quietly():
        warnings.warn("one", UserWarning, stacklevel=1)
        with quietly(DeprecationWarning):
            warnings.warn("two", UserWarning, stacklevel=1)
        warnings.warn("three", UserWarning, stacklevel=1)
    with pytest.warns(UserWarning, match="four"):
        warnings.warn("four", UserWarning, stacklevel=1)


def test_only_the_category_is_ignored():
    with quietly(DeprecationWarning), pytest.raises(UserWarning, match="one"):
        warnings.warn("one", UserWarning, stacklevel=1)


def test_filters_are_restored_after_an_error():
    before = list(warnings.filters)
    with pytest.raises(KeyError), quietly():
        raise KeyError
    assert warnings.filters == before


def test_the_last_of_two_threads_leaves_filters_as_they_were():
    before = list(warnings.filters)
    first, second = threading.Event(), threading.Event()

    def early():
        with quietly():
            first.set()
            second.wait(60)

    def late():
        first.wait(60)
        with quietly():
            second.set()
            one.join(60)
            warnings.warn("nobody hears this", UserWarning, stacklevel=1)

    one, other = threading.Thread(target=early), threading.Thread(target=late)
    for thread in (one, other):
        thread.start()
    for thread in (one, other):
        thread.join(60)
    assert warnings.filters == before


@pytest.mark.filterwarnings("ignore:.*predicts hardly better:UserWarning")
@pytest.mark.parametrize("make", [ke.KernelSelector, ke.MKLClassifier])
def test_learners_in_threads_leave_filters_as_they_were(make):
    from sklearn.svm import SVC

    X, y = problem("binary", n=60, d=3)
    before = list(warnings.filters)

    def fit():
        for _ in range(8):
            model = make(SVC(), C="auto") if make is ke.KernelSelector else make("simple")
            assert np.isfinite(model.fit(X, y).decision_function(X)).all()

    threads = [threading.Thread(target=fit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert warnings.filters == before


def test_nothing_else_in_the_package_touches_the_filters_of_all_threads():
    package = Path(ke.__file__).parent
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "catch_warnings" in path.read_text(encoding="utf-8")
    }
    # The command line is a program of its own, which decides how warnings are shown.
    assert found == {"_support/quiet.py", "cli/_messages.py"}
