"""The core's ridge systems as the tests ask for them."""

import numpy as np

from kernelect._dispatch import core

NO_WEIGHTS = np.zeros(0)


def ridge(grams, targets, lambdas=(1.0,), *, folds=(), threads=1, progress=None, **options):
    """Call the core with everything on that costs nothing; `folds` is a list of fold sets."""
    targets = np.ascontiguousarray(np.asarray(targets, dtype=float).reshape(len(targets), -1))
    asked = dict.fromkeys(("fit", "gcv", "evidence", "loo", "variances", "outputs"), True) | options
    request = core.RidgeRequest(
        targets=targets,
        lambdas=list(lambdas),
        fold_sets=[[np.asarray(fold, dtype=np.int64) for fold in one] for one in folds],
        **asked,
    )
    grams = [np.ascontiguousarray(gram, dtype=float) for gram in grams]
    return core.ridge(grams, request, threads=threads, progress=progress)


def rows_targets_folds(n, d=3, seed=0):
    """Rows, a sign and a number to fit for each, and folds of unequal sizes."""
    rng = np.random.default_rng([n, d, seed])
    x = rng.normal(size=(n, d))
    signal = x[:, 0] + 0.5 * rng.normal(size=n)
    y = np.column_stack([np.sign(signal), np.sin(2 * signal) + 3.0])
    order = rng.permutation(n)
    cuts = np.cumsum([n // 3, n // 5, 1])  # unequal folds, one of a single point
    return x, y, np.split(order, cuts)


# Narrow, in between, wide: each of the three is answered by other mathematics.
TAUS = (1e-4, 0.02, 1.0, 2.0**9, 2.0**18)
