"""Calls every function of the compiled core with mutated arguments; run as a program.

It writes each call to the standard output before it makes it, so that the last line of a run that
died says by what. A call may succeed or be refused in a sentence, by the exceptions of `REFUSALS`.
"""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Callable

import numpy as np

from kernelect._dispatch import core

REFUSALS = (ValueError, TypeError, IndexError, OverflowError, MemoryError)
N = 9
INTEGERS = (-(2**31), -2, -1, 0, 1, 2, 3, N - 1, N, N + 1, 64, 10**6, 2**31 - 1, 2**40, 2**63 - 1)
FLOATS = (0.0, -1.0, 1e-320, 1e308, -1e308, float("nan"), float("inf"), -float("inf"))
TEXTS = ("", "gaussian", "sum", "product", "normalize", "scale", "precomputed", "linear", "sm",
         "trace", "polynomial", "periodic", "none", "\0")  # fmt: skip
LEAF = ("gaussian", 0.5, 0.0, 0, 0)
PROGRAMS = [
    [LEAF],
    [("polynomial", 1.0, 1.0, 2, 0), ("normalize", 0.0, 0.0, 0, 0)],
    [LEAF, ("linear", 0.0, 0.0, 0, 0), ("sum", 0.0, 0.0, 2, 0), ("scale", 2.0, 0.0, 0, 0)],
]
CRITERIA = [("sm", 2, False, False, False, False), ("kta", 1, False, False, False, False)]


def rows(n=N, d=3):
    return np.random.default_rng(n * 100 + d).normal(size=(n, d))


def sample(n=N, classes=1, d=3, *, stored=False, sparse=False):
    made = core.Sample([i % classes for i in range(n)], classes)
    if sparse:
        made.add_sparse(np.ones(n), np.zeros(n, np.int32), np.arange(n + 1), d)
    else:
        made.add_dense(rows(n, d))
    if stored:
        made.add_matrix(np.eye(n))
    return made


def other_samples():
    return [
        core.Sample([0] * N, 1),  # without a table
        sample(N, 2),
        sample(N, 3),
        sample(2),
        sample(1),
        sample(N + 70),
        sample(d=1),
        sample(stored=True),
        sample(sparse=True),
        sample(sparse=True, d=1),
    ]


def stack(**options):
    how = {"memory": 1e9, "threads": 1, "progress": None} | options
    return core.KernelStack(sample(), PROGRAMS, **how)


def request(**options):
    how = {"targets": np.sign(rows(N, 1)), "lambdas": [1.0, 0.1], "mean": True, "fit": True}
    folds = [[np.array([0, 1]), np.array([4, 3])]]
    how |= {"gcv": True, "loo": True, "fold_sets": folds, "bif_order": 2, "outputs": True}
    return core.RidgeRequest(**(how | {"weights": np.ones(N)} | options))


def problem():
    return {"sample": sample(N, 2), "targets": np.zeros((0, N)), "means": np.zeros(0),
            "programs": PROGRAMS, "criteria": CRITERIA}  # fmt: skip


def sums(last=1):
    return core.moment_sums(**problem(), first_leaf=0, last_leaf=last, threads=1, progress=None)


def restored(state):
    made = core.MomentSums.__new__(core.MomentSums)
    made.__setstate__(state)
    return core.score_moments_from(made, **problem(), threads=1, progress=None)


def landmarks():
    return core.Landmarks(PROGRAMS[0], [rows(4)], np.zeros(4))


def landmark_sums(n=N, **options):
    how = {"target_origin": np.zeros(1), "weights": np.ones(n), "folds": np.arange(n) % 3}
    how |= {"fold_count": 2, "first_row": 0, "threads": 1, "progress": None} | options
    return landmarks().sums([rows(n)], rows(n, 1), **how)


def landmark_ridge(**options):
    how = {"target_origin": np.zeros(1), "bias": True, "without_fold": 1, "order": 3}
    how |= {"threads": 1, "progress": None} | options
    return core.LandmarkRidge(landmarks(), landmark_sums(), **how)


def restored_landmark_sums(state):
    made = core.LandmarkSums.__new__(core.LandmarkSums)
    made.__setstate__(state)
    return made.centred_trace


def entries() -> dict[str, tuple[Callable, dict]]:
    """Every entry of the core with arguments that are right."""
    now = {"threads": 1, "progress": None}
    k, kernel = np.eye(N) + 0.1, {"sample": sample(), "program": PROGRAMS[2]}
    hinge = {"threshold": 0.1, "tolerance": 1e-9, "max_steps": 5, **now}
    ridge = {"request": request(), **now}
    return {
        "Sample": (core.Sample, {"groups": [0, 1] * 4, "classes": 2}),
        "Sample.add_dense": (core.Sample([0] * N, 1).add_dense, {"x": rows(), "like": sample()}),
        "Sample.add_sparse": (sample().add_sparse, {
            "values": np.ones(2 * N), "columns": np.tile(np.array([0, 2], np.int32), N),
            "starts": 2 * np.arange(N + 1), "features": 3}),
        "Sample.add_matrix": (sample().add_matrix, {"k": k}),
        "gram": (core.gram, {"program": PROGRAMS[1], "left": sample(), "right": sample(4), **now}),
        "diagonal": (core.diagonal, kernel),
        "cross_products": (core.cross_products, {
            "programs": PROGRAMS[:2], "sample": sample(), "others": sample(4),
            "vectors": [np.ones((2, N)), np.zeros((2, N))], "threads": 1}),
        "sample_gram": (core.sample_gram, {**kernel, **now}),
        "score_moments": (core.score_moments, {**problem(), "memory": 1e8, **now}),
        "sampled_sums": (core.sampled_sums, {
            "sample": sample(N, 2), "others": sample(4, 2), "targets": rows(1, N),
            "programs": PROGRAMS, "weights": np.ones(4), **now}),
        "score_moments_from": (core.score_moments_from, {"sums": sums(), **problem(), **now}),
        "moment_sums": (core.moment_sums, {**problem(), "first_leaf": 0, "last_leaf": 1, **now}),
        "moment_leaves": (core.moment_leaves, {"sample": sample()}),
        "MomentSums.merge": (sums().merge, {"other": sums()}),
        "MomentSums.__setstate__": (restored, {"state": sums().__getstate__()}),
        "label_vectors": (core.label_vectors, {
            "sample": sample(N, 2), "targets": np.zeros((0, N)), "plain": True}),
        "off_diagonal_shares": (core.off_diagonal_shares, {
            "sample": sample(), "programs": PROGRAMS, "squares": True, "threads": 1}),
        "RidgeRequest": (lambda **given: core.ridge([k], request(**given), **now), {
            "targets": np.sign(rows(N, 1)), "lambdas": [1.0], "mean": True, "bias": True,
            "weights": np.ones(N), "fold_sets": [[np.array([0, 1]), np.array([2])]],
            "bif_order": 1, "zero_one": True}),
        "ridge": (core.ridge, {"grams": [k, np.eye(N)], **ridge}),
        "ridge_kernels": (core.ridge_kernels, {
            "sample": sample(), "programs": PROGRAMS, "scaling": "trace", **ridge}),
        "ridge_objective": (core.ridge_objective, {
            "sample": sample(), "program": PROGRAMS[2], "goal": "cv", "targets": rows(N, 1),
            "rho": 1.0, "bias": True, "weights": np.ones(N), "variance": 1.0,
            "folds": [np.array([0, 1]), np.array([2])], "leaves": [(0, rows())], **now}),
        "bayesian_regularisation": (core.bayesian_regularisation, {
            "loo_squared": np.ones(2), "n": 5, "eta": np.ones(1)}),
        "leading_spectrum": (core.leading_spectrum, {
            "k": k, "count": 2, "vectors": True, "tolerance": 1e-9, "vector_tolerance": 1e-6,
            "warm": np.ones((N, 1)), **now}),
        "full_spectrum": (core.full_spectrum, {"k": k, "vectors": True, "progress": None}),
        "label_energies": (core.label_energies, {"vectors": k, "y": rows(N, 1)}),
        "hinge_forms": (core.hinge_forms, {"k": k, "starts": rows(N, 2), **hinge}),
        "hinge_sum": (core.hinge_sum, {
            "values": np.ones(3), "energies": np.ones(3), "threshold": 0.5}),
        "kernel_spectra": (core.kernel_spectra, {
            "sample": sample(), "programs": PROGRAMS, "count": 2, "store": False,
            "tolerance": 1e-9, **now}),
        "kernel_products": (core.kernel_products, {**kernel, "vectors": rows(2, N), **now}),
        "kernel_quadrature": (core.kernel_quadrature, {
            **kernel, "starts": rows(2, N), "steps": 4, "store": True, **now}),
        "kernel_hinge_forms": (core.kernel_hinge_forms, {
            **kernel, "starts": rows(2, N), **hinge}),
        "KernelStack": (stack, {
            "memory": 1e9, "threads": 1, "progress": None}),
        "KernelStack.__init__": (core.KernelStack, {
            "sample": sample(), "programs": PROGRAMS, "memory": 0.0, **now}),
        "KernelStack.combine": (stack().combine, {"weights": np.ones(3), **now}),
        "KernelStack.products": (stack().products, {"vectors": rows(2, N), **now}),
        "KernelStack.inner": (stack(memory=0.0).inner, {"g": k, **now}),
        "KernelStack.centred_products": (stack().centred_products, now),
        "choose_landmarks": (core.choose_landmarks, {
            "program": PROGRAMS[0], "rows": [rows()], "limit": 4, "tolerance": 0.0, "seed": 1,
            **now}),
        "choose_stored_landmarks": (core.choose_stored_landmarks, {
            "k": k, "limit": 4, "tolerance": 0.0, "seed": 1, **now}),
        "Landmarks": (core.Landmarks, {
            "program": PROGRAMS[0], "rows": [(np.ones(4), np.arange(4, dtype=np.int32),
                                              np.arange(5), 4)], "origin": np.zeros(4)}),
        "Landmarks.__init__": (core.Landmarks, {"gram": np.eye(4), "origin": np.zeros(4)}),
        "Landmarks.sums": (landmarks().sums, {
            "rows": [rows()], "targets": rows(N, 1), "target_origin": np.zeros(1),
            "weights": np.ones(N), "folds": np.arange(N) % 3, "fold_count": 2, "first_row": 0,
            **now}),
        "Landmarks.sums of values": (core.Landmarks(np.eye(4), np.zeros(4)).sums, {
            "rows": (rows(N, 4), np.ones(N)), "targets": rows(N, 1),
            "target_origin": np.zeros(1), "weights": np.ones(N), "folds": np.arange(N) % 3,
            "fold_count": 2, "first_row": 0, **now}),
        "Landmarks.coordinates": (landmarks().coordinates, {
            "rows": [rows()], **now}),
        "LandmarkSums.merge": (landmark_sums().merge, {"other": landmark_sums()}),
        "LandmarkSums.__setstate__": (restored_landmark_sums, {
            "state": landmark_sums().__getstate__()}),
        "LandmarkRidge": (core.LandmarkRidge, {
            "landmarks": landmarks(), "sums": landmark_sums(), "target_origin": np.zeros(1),
            "bias": True, "without_fold": 1, "order": 3, **now}),
        "LandmarkRidge.residuals": (landmark_ridge().residuals, {
            "rows": [rows()], "targets": rows(N, 1), "weights": np.ones(N),
            "landmark": np.maximum(np.arange(N) - 5, -1), "ridges": [1.0, 2.0],
            "left_out": True, **now}),
        "LandmarkRidge.fit": (landmark_ridge().fit, {"ridges": [1.0, 2.0]}),
        "LandmarkRidge.spread": (landmark_ridge().spread, {"ridges": [1.0, 2.0]}),
        "held_out_losses": (core.held_out_losses, {
            "residuals": np.ones((2, N, 1)), "targets": rows(N, 1), "zero_one": True}),
        "kernel_operations": (core.kernel_operations, {}),
        "moment_criteria": (core.moment_criteria, {}),
        "take_blas_work_spaces": (core.take_blas_work_spaces, {"threads": 1}),
        "has_lapack": (core.has_lapack, {}),
    }  # fmt: skip


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


def main(seed: int, rounds: int) -> None:
    rng = random.Random(seed)
    for number in range(rounds):
        if number % 10 == 0:  # some calls change what they are given
            known = entries()
        for name, (call, right) in known.items():
            given = dict(right)
            for _ in range(rng.choice([1, 1, 1, 2])):
                if given:
                    key = rng.choice(sorted(given))
                    given[key] = mutated(given[key], rng)
            print(name, {key: value for key, value in given.items() if value is not right[key]},
                  flush=True)  # fmt: skip
            try:
                call(**given)
            except REFUSALS as error:
                if not str(error).strip():
                    raise
            except ZeroDivisionError:
                pass  # of the progress that divides by zero
    pickle.dumps(sums())


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
