"""The number of threads of BLAS is the process's: callers in several threads share it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from threadpoolctl import threadpool_info

import kernelect as ke
from kernelect._support.threads import limit_blas


def blas_threads() -> list[int]:
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_callers_that_overlap_leave_blas_as_it_was() -> None:
    before = blas_threads()
    first_is_in, second_is_in = threading.Event(), threading.Event()

    def first() -> None:
        with limit_blas(1):
            first_is_in.set()
            second_is_in.wait(10)

    def second() -> None:
        first_is_in.wait(10)
        with limit_blas(1):
            second_is_in.set()
            one.join()  # the one that came first has left

    one, two = threading.Thread(target=first), threading.Thread(target=second)
    one.start()
    two.start()
    one.join()
    two.join()
    assert blas_threads() == before


def test_the_smallest_number_is_in_force() -> None:
    with limit_blas(2), limit_blas(1), limit_blas(2):
        assert set(blas_threads()) == {1}


def test_elections_side_by_side_have_the_bits_of_one_alone() -> None:
    before = blas_threads()
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3))
    y = np.where(X[:, 0] * X[:, 1] > 0, 1, -1)
    alone = ke.evaluate(X, y, criteria=["loo", "sm"]).scores
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(ke.evaluate, X, y, criteria=["loo", "sm"]) for _ in range(32)]
        for call in calls:
            for key, values in call.result().scores.items():
                np.testing.assert_array_equal(values, alone[key])
    assert blas_threads() == before
