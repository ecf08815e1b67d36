"""Worst relative errors of everything computed, against arithmetic of 50 digits, on a hard set.

    python -m tests.long.accuracy [--out docs/accuracy.csv]

The set: 24 rows, two of them 1e-6 apart; Gaussians from tau = 2^-7 to 2^16 and other families. The
twins of the tests judge, in mpmath's arithmetic: every criterion, leave-one-out of landmark models
by refits, and derivatives of leave-one-out and evidence by differences.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mpmath
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "python"))

import twins
from catalogue import CRITERIA, criteria_for, table
from kernel_catalogue import Kernel
from problems import TASKS, api_task, problem
from twins.expressions import slopes

import kernelect as ke
from kernelect._data.row_order import first_rows
from kernelect._data.target import Target
from kernelect._evidence.landmark_model import choose
from kernelect._evidence.objective import Objective
from kernelect.criteria._goal import Goal
from kernelect.kernels._parameters import Parameters

DIGITS, ROWS, LANDMARKS, LAM = 50, 24, 9, 0.1
TARGET = 1e-10
GAUSSIANS = [Kernel("Gaussian", (2.0**i,)) for i in (-7, -2, 0, 3, 7, 12, 16)]
KERNELS = [
    *GAUSSIANS,
    Kernel("Laplacian", (0.5,)),
    Kernel("Matern", (1.5, 2.0)),
    Kernel("RationalQuadratic", (1.5, 2.0)),
    Kernel("Polynomial", (3, 1.0, 1.0)),
    Kernel("Linear", ()),
]

Judged = Iterator[tuple[str, float, Any, str]]  # what, ours, the twin's, where


def hard(task: str) -> tuple[Any, Any]:
    """Return rows of which two nearly coincide, and a target."""
    x, y = problem(task, n=ROWS, d=3, balanced=True)
    x[1] = x[0] + 1e-6
    return x, y


def criteria() -> Judged:
    """Every criterion of the catalogue, where it has a value."""
    for task in TASKS:
        x, y = hard(task)
        asked = criteria_for(task, CRITERIA)
        for kernel in KERNELS:
            result = table(x, y, [kernel.build()], asked, task)
            rows = twins.extended(x)
            matrix = kernel.matrix(rows)
            for criterion in asked:
                if result.reasons[criterion.key][0] is None:
                    wanted = criterion.reference(matrix, y, task, x=rows, kernel=kernel.build())
                    found = float(result.scores[criterion.key][0])
                    yield criterion.key, found, wanted, f"{kernel}, {task}"


def landmarks() -> Judged:
    """Leave-one-out of landmark models, by refits without the row and its landmark."""
    for task in TASKS:
        x, y = hard(task)
        for kernel in GAUSSIANS:
            ours = kernel.build()
            made = ke.evaluate(x, y, [ours], "loo", lam=LAM, landmarks=LANDMARKS)
            if made.reasons["loo"][0] is not None:
                continue
            order = first_rows(ROWS, ROWS, 0)
            chosen = choose(ours, x[order], order, LANDMARKS, seed=0).numbers
            matrix = kernel.matrix(twins.extended(x))
            targets = twins.columns(matrix, y, api_task(task))
            lam = mpmath.mpf(LAM)
            outputs = twins.landmark_outputs(
                matrix, targets, chosen, twins.singles(ROWS), lam=lam, bias=True, mean=False
            )
            wanted = twins.mean_loss(matrix, y, outputs, api_task(task))
            yield "loo with landmarks", float(made.scores["loo"][0]), wanted, f"{kernel}, {task}"


def derivatives() -> Judged:
    """Gradients relative to their longest entry; the twin's have errors of 1e-15 of their own."""
    goals = {"loo": (Goal("loo"), twins.loo), "evidence": (Goal("evidence"), twins.evidence)}
    kernels = [ke.ARDGaussian([0.4, 1.1, 0.05]), ke.Gaussian(0.3), ke.Gaussian(2.0**7)]
    for task in TASKS:
        x, y = hard(task)
        target = Target.of_numbers(y) if task == "regression" else Target.of_labels(y)
        for name, (goal, twin) in goals.items():
            for kernel in kernels:
                found = Objective(goal, x, target, False, True)(kernel, LAM, None)
                point = np.append(Parameters(kernel).logarithms, np.log(LAM))

                def criterion(k: Any, lam: Any, y: Any = y, twin: Any = twin) -> Any:
                    return twin(k, y, task=api_task(task), lam=lam, bias=True, mean=False)  # noqa: B023

                _, wanted = slopes(kernel, point, x, criterion)
                ours = np.append(found.by_parameters, found.by_lam)
                off = np.abs(ours - wanted).max() / np.abs(wanted).max()
                yield f"gradient of {name}", 1.0 + off, 1.0, f"{kernel}, {task}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "accuracy.csv")
    options = parser.parse_args()
    worst: dict[str, tuple[float, str]] = {}
    with mpmath.workdps(DIGITS):
        for part in (criteria, landmarks, derivatives):
            for name, found, wanted, where in part():
                error = _error(found, float(wanted))
                if error >= worst.get(name, (0.0, ""))[0]:
                    worst[name] = error, where
    lines = sorted(((error, name, where) for name, (error, where) in worst.items()), reverse=True)
    with options.out.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["what", "worst relative error", "where"])
        writer.writerows([name, f"{error:.1e}", where] for error, name, where in lines)
    for error, name, where in lines:
        print(f"{error:9.1e}  {name:45} {where}")
    above = [name for error, name, _ in lines if error > TARGET]
    print(f"above {TARGET:g}: {', '.join(above) or 'none'}")
    return 0


def _error(found: float, wanted: float) -> float:
    if not np.isfinite(wanted):
        return 0.0 if found == wanted else np.inf
    return abs(found - wanted) / max(abs(wanted), 1e-290)


if __name__ == "__main__":
    sys.exit(main())
