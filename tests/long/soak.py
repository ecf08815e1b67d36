"""Random calls, valid and invalid, for half an hour: only refusals in a sentence, flat memory.

    python -m tests.long.soak [--minutes 30] [--seed 0]

Prints how many calls there were, how many were refused, and what memory did.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.svm import SVC, SVR

import kernelect as ke

from .memory import peak, resident

REFUSALS = (ValueError, TypeError, MemoryError, OverflowError)
# What memory may grow by between the first and the last third of a run, in megabytes.
GROWTH = 30.0
ODD: list[Any] = [None, -1, 0, 1.5, float("nan"), float("inf"), "", "sm", [], {}, object(), b"x"]

Call = Callable[[random.Random, np.random.Generator], object]


def rows(rng: random.Random, numbers: np.random.Generator) -> tuple[Any, Any, str]:
    """Make small rows of any form, with a target."""
    n, d = rng.choice([2, 5, 30, 90, 200]), rng.choice([1, 3, 8])
    x = numbers.normal(size=(n, d)) * 10.0 ** rng.choice([0, 0, 0, 5, -5, 150])
    if rng.random() < 0.3:
        x[rng.randrange(n)] = x[0]
    classes = rng.choice([0, 2, 2, 3])
    y = numbers.normal(size=n) if classes == 0 else np.arange(n) % classes
    form = rng.choice(["plain", "plain", "csr", "float32", "fortran", "list"])
    made: Any = {
        "plain": lambda: x,
        "csr": lambda: sp.csr_array(np.where(x > 0, x, 0.0)),
        "float32": lambda: x.astype(np.float32),
        "fortran": lambda: np.asfortranarray(x),
        "list": x.tolist,
    }[form]()
    return made, y, "regression" if classes == 0 else "classification"


def kernels(rng: random.Random) -> Any:
    grids: list[Any] = [
        None, "auto", "laplacian", ke.gaussian_grid(-4, 4, 2), [ke.Linear(), ke.Polynomial(2)],
        [ke.normalized(ke.Polynomial(3)), ke.Gaussian(2.0) + ke.Linear()], "matern",
    ]  # fmt: skip
    return rng.choice(grids)


def evaluate(rng: random.Random, numbers: np.random.Generator) -> object:
    X, y, task = rows(rng, numbers)
    names = ke.criteria.names(task, len(np.unique(y)) if task == "classification" else None)
    chosen = rng.sample(names, k=min(3, len(names)))
    lam = rng.choice([1.0, [0.1, 1.0], "auto"])
    return repr(ke.evaluate(X, y, kernels(rng), chosen, lam=lam, task=task))


def select(rng: random.Random, numbers: np.random.Generator) -> object:
    X, y, task = rows(rng, numbers)
    how: dict[str, Any] = {"lam": rng.choice([1.0, "auto"]), "task": task}
    if rng.random() < 0.3:
        how["sample_weight"] = numbers.integers(0, 3, size=len(y))
    if rng.random() < 0.3:
        how["landmarks"] = rng.choice([2, 10, 500])
    if rng.random() < 0.3:
        how["folds"] = rng.choice([2, 3])
    return repr(ke.select(X, y, kernels(rng), **how))


def sampled(rng: random.Random, numbers: np.random.Generator) -> object:
    """Sums and spectra estimated by some rows against all."""
    X, y, task = rows(rng, numbers)
    chosen = rng.sample(["sm", "kta", "ckta", "pep"], k=2)
    size = rng.choice([2, 20, 150, "auto"])
    return repr(ke.evaluate(X, y, kernels(rng), chosen, sample=size, task=task))


def refine(rng: random.Random, numbers: np.random.Generator) -> object:
    X, y, task = rows(rng, numbers)
    start = rng.choice([None, ke.Gaussian(2.0), ke.Linear() + ke.Gaussian(1.0), ke.Laplacian(1.0)])
    criterion = rng.choice(["auto", "loo", "evidence", "sm", "ckta"])
    how: dict[str, Any] = {"per_column": rng.random() < 0.5, "time_limit": 2.0, "task": task}
    return repr(ke.refine(X, y, start, criterion, **how))


def learn(rng: random.Random, numbers: np.random.Generator) -> object:
    X, y, task = rows(rng, numbers)
    number = task == "regression"
    model: Any = rng.choice(
        [
            ke.LSSVMRegressor("auto") if number else ke.LSSVMClassifier("auto"),
            ke.LSSVMRegressor(kernel="committee") if number else ke.LSSVMClassifier("committee"),
            ke.LSSVMRegressor(kernel="refined") if number else ke.LSSVMClassifier("best"),
            (ke.LSSVMRegressor if number else ke.LSSVMClassifier)(
                solver=rng.choice(["landmarks", "iterative"]), landmarks=rng.choice([10, "auto"])
            ),
            ke.KernelSelector(SVR() if number else SVC(), C="auto"),
            ke.MKLRegressor("sm") if number else ke.MKLClassifier("alignf"),
        ]
    )
    return model.fit(X, y).predict(X)


def store(rng: random.Random, numbers: np.random.Generator) -> object:
    X, y, task = rows(rng, numbers)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "thing")
        ke.save(ke.select(X, y, "gaussian", "sm", task=task), path)
        data = bytearray(path.read_bytes())
        if rng.random() < 0.5:
            data[rng.randrange(len(data))] = rng.randrange(256)
            path.write_bytes(bytes(data))
        return ke.load(path)


def odd(rng: random.Random, numbers: np.random.Generator) -> object:
    """Call with one argument that is of the wrong kind, or out of range."""
    X, y, task = rows(rng, numbers)
    given: dict[str, Any] = {"lam": 1.0, "bias": True, "folds": 3, "n_threads": 1, "task": task}
    given |= {"scoring": None, "time_limit": 5.0, "lam_convention": "mean", "landmarks": None}
    given[rng.choice(sorted(given))] = rng.choice(ODD)
    if rng.random() < 0.2:
        y = rng.choice([y[:-1], ["a"] * len(y), np.full(len(y), np.nan), None])
    return ke.select(X, y, ke.gaussian_grid(-2, 2), rng.choice(["auto", "cv", "sm"]), **given)


CALLS: dict[str, Call] = {
    "evaluate": evaluate, "select": select, "sampled": sampled, "refine": refine,
    "learn": learn, "store": store, "odd": odd,
}  # fmt: skip


def soak(minutes: float, seed: int) -> dict[str, Any]:
    """Make calls until the time is over."""
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    made: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    held: list[tuple[float, float]] = []
    began = time.monotonic()
    warnings.simplefilter("ignore")
    while (passed := time.monotonic() - began) < 60.0 * minutes:
        name = rng.choice(sorted(CALLS))
        state = rng.getstate()
        try:
            CALLS[name](rng, numbers)
        except REFUSALS as error:
            refused[name] += 1
            if not str(error).strip() or "\n" in str(error).strip():
                sys.exit(f"{name} refuses without a sentence: {error!r}")
        except Exception:
            print(f"{name} after {sum(made.values())} calls, seed {seed}, state {state[1][:3]}")
            raise
        made[name] += 1
        if sum(made.values()) % 50 == 0:
            held.append((passed, resident()))
    third = len(held) // 3
    first = float(np.median([m for _, m in held[third // 2 : third]] or [0.0]))
    last = float(np.median([m for _, m in held[-third:]] or [0.0]))
    return {
        "minutes": minutes,
        "calls": dict(made),
        "refused": dict(refused),
        "megabytes": {"first third": first, "last third": last, "peak": peak()},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = soak(options.minutes, options.seed)
    for name, value in found.items():
        print(f"{name}: {value}")
    grown = found["megabytes"]["last third"] - found["megabytes"]["first third"]
    print(f"grown by {grown:.1f} MB")
    return 0 if grown < GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
