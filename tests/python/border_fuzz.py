"""Calls every function of the compiled core with mutated arguments; run as a program.

    python border_fuzz.py SEED ROUNDS      this many calls of each function, drawn at random
    python border_fuzz.py RECIPES.json     the calls of a file, which guided fuzzing has kept

It writes each call to the standard output before it makes it, so that the last line of a run that
died says by what. A call may succeed or be refused in a sentence, by the exceptions of `REFUSALS`.

A call is a function's name and a recipe: the seeds of the mutations that its right arguments go
through, one after another. It can be written down, and made again.
"""

from __future__ import annotations

import json
import pickle
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from border_entries import (
    PROGRAMS,
    N,
    entries,
    landmark_sums,
    other_samples,
    problem,
    request,
    sample,
    sums,
)

from kernelect._dispatch import core

REFUSALS = (ValueError, TypeError, IndexError, OverflowError, MemoryError)
INTEGERS = (-(2**31), -2, -1, 0, 1, 2, 3, N - 1, N, N + 1, 64, 10**6, 2**31 - 1, 2**40, 2**63 - 1)
FLOATS = (0.0, -1.0, 1e-320, 1e308, -1e308, float("nan"), float("inf"), -float("inf"))
TEXTS = ("", "\0", "none", "trace", "loo", "cv", "evidence", "sum", "product", "normalize", "scale",
         *core.kernel_operations(), *core.moment_criteria())  # fmt: skip
SEEDS = 100_000  # recipes are short to write down
CALLS_AT_ONCE = 500  # some calls change what they are given: after this many all is made anew


def mutated_array(a, rng):
    if a.ndim == 0 or a.dtype.kind not in "fiu":  # mutated before
        return None
    strange = a.astype(float).copy() if a.dtype.kind == "f" else a.copy()
    if strange.size:
        values = FLOATS if a.dtype.kind == "f" else (-1, 0, 2**31 - 1, -(2**31), 1, N)
        strange.flat[rng.randrange(strange.size)] = rng.choice(values)
    shifted = np.zeros(a.nbytes + 1, np.uint8)[1:].view(a.dtype).reshape(a.shape)
    return rng.choice([
        strange, strange, a[:-1], a[:, :-1] if a.ndim == 2 else a[1:], a[:0], a.T[:0].T, a.T,
        np.concatenate([a, a]), np.concatenate([a, a], axis=-1), a[::-1], a[..., ::2],
        np.asfortranarray(a), a.ravel(), a[None], np.array(1.0), a.astype(np.float32),
        a.astype(np.int64), a.astype(complex), a.astype(">f8"), a.astype(object), shifted,
        np.broadcast_to(a[:1], a.shape) if a.ndim else a, np.zeros((0, 0)), a.tolist(), None,
    ])  # fmt: skip


def mutated_items(value, rng):
    items = list(value)
    place = rng.randrange(len(items)) if items else 0
    what = rng.random()
    if items and what < 0.6:
        items[place] = mutated(items[place], rng)
    elif items and what < 0.75:
        del items[place]
    elif items and what < 0.9:
        items.insert(place, items[rng.randrange(len(items))])
    elif what < 0.95:
        items = []
    else:
        rng.shuffle(items)
    return tuple(items) if isinstance(value, tuple) else items


def other_sums():
    given = problem() | {"programs": PROGRAMS[:1]}
    return core.moment_sums(**given, first_leaf=0, last_leaf=1, threads=1, progress=None)


def other_requests():
    return [
        request(lambdas=[]),
        request(targets=np.ones((N + 1, 1))),
        request(fold_sets=[]),
        request(targets=np.ones((N, 3))),
    ]


# What stands for a right argument of a kind; the first kind that fits counts.
OTHERS = [
    (np.ndarray, mutated_array),
    (bool, lambda value, rng: not value),
    (int, lambda value, rng: rng.choice(INTEGERS)),
    (float, lambda value, rng: rng.choice(FLOATS)),
    (str, lambda value, rng: rng.choice(TEXTS)),
    (core.Sample, lambda value, rng: rng.choice(other_samples())),
    (core.RidgeRequest, lambda value, rng: rng.choice(other_requests())),
    (core.MomentSums, lambda value, rng: other_sums()),
    (core.LandmarkSums, lambda value, rng: landmark_sums(N + 1, folds=np.zeros(0), fold_count=0)),
    (core.Landmarks, lambda value, rng: core.Landmarks(np.eye(3), np.zeros(3))),
    ((list, tuple), mutated_items),
    (type(None), lambda value, rng: rng.choice([print, 3, lambda: None, lambda done: 1 / 0])),
]


def mutated(value, rng):
    """Something else in the place of a right argument: near it, or of another kind."""
    if rng.random() < 0.05:
        return rng.choice([None, "text", 1.5, -1, [], {}, (), object(), np.zeros(3), sample(2)])
    for kind, other in OTHERS:
        if isinstance(value, kind):
            return other(value, rng)
    return None


def changed(right: dict, recipe: Sequence[int]) -> dict:
    """The arguments that a recipe makes of right ones."""
    given = dict(right)
    for seed in recipe if given else ():
        rng = random.Random(seed)
        key = rng.choice(sorted(given))
        given[key] = mutated(given[key], rng)
    return given


def make(call: Callable, given: dict) -> bool:
    """Make a call; return whether it was refused, which it may be in a sentence only."""
    try:
        call(**given)
    except REFUSALS as error:
        if not str(error).strip():
            raise
        return True
    except ZeroDivisionError:
        pass  # of the progress that divides by zero
    return False


def run(calls: Sequence[tuple[str, Sequence[int]]]) -> None:
    for number, (name, recipe) in enumerate(calls):
        if number % CALLS_AT_ONCE == 0:
            known = entries()
        call, right = known[name]
        given = changed(right, recipe)
        strange = {key: value for key, value in given.items() if value is not right[key]}
        print(name, list(recipe), strange, flush=True)
        make(call, given)
    pickle.dumps(sums())


def drawn(seed: int, rounds: int) -> list[tuple[str, list[int]]]:
    rng, names = random.Random(seed), list(entries())
    return [
        (name, [rng.randrange(SEEDS) for _ in range(rng.choice([1, 1, 1, 2]))])
        for _ in range(rounds)
        for name in names
    ]


def kept(path: Path) -> list[tuple[str, list[int]]]:
    """The calls of a file; those of functions that the core has no more are left out."""
    known = entries()
    recipes = json.loads(path.read_text(encoding="utf-8"))
    return [(name, recipe) for name in recipes if name in known for recipe in recipes[name]]


if __name__ == "__main__":
    run(kept(Path(sys.argv[1])) if len(sys.argv) == 2 else drawn(*map(int, sys.argv[1:])))
