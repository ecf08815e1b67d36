"""Right calls of every function of the compiled core, small ones: what fuzzing it begins with."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kernelect._dispatch import core

N = 9
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
        "moment_objective": (core.moment_objective, {
            "sample": sample(), "targets": rows(1, N), "means": np.zeros(1),
            "program": PROGRAMS[2], "criterion": ("kta", 2, False, False, False, False),
            "leaves": [(0, rows())], **now}),
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
            "rows": [rows()], "targets": rows(N, 1), "ridges": [1.0, 2.0], **now}),
        "LandmarkRidge.left_out": (landmark_ridge().left_out, {
            "rows": [rows()], "targets": rows(N, 1), "weights": np.ones(N),
            "landmark": np.maximum(np.arange(N) - 5, -1), "ridges": [1.0, 2.0], **now}),
        "LandmarkRidge.expanded": (landmark_ridge().expanded, {
            "rows": [rows()], "targets": rows(N, 1), "sums": landmark_sums(), "fold": 1,
            "held_out": 2, "order": 3, "ridges": [1.0, 2.0], **now}),
        "LandmarkRidge.fit": (landmark_ridge().fit, {"ridges": [1.0, 2.0]}),
        "LandmarkRidge.spread": (landmark_ridge().spread, {"ridges": [1.0, 2.0]}),
        "held_out_losses": (core.held_out_losses, {
            "residuals": np.ones((2, N, 1)), "targets": rows(N, 1), "zero_one": True}),
        "kernel_operations": (core.kernel_operations, {}),
        "moment_criteria": (core.moment_criteria, {}),
        "take_blas_work_spaces": (core.take_blas_work_spaces, {"threads": 1}),
        "has_lapack": (core.has_lapack, {}),
    }  # fmt: skip
