"""Groups of rows that are held out together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .refusals import is_missing
from .target import Target


def group_numbers(groups: Any, n: int) -> NDArray[np.int64]:
    """Return the number of each row's group; names of groups may be of any type."""
    names = np.asarray(groups)
    if names.shape != (n,):
        raise ValueError(
            f"groups must name one group for each of the {n} rows, but has shape {names.shape}"
        )
    if any(is_missing(name) for name in names.tolist()):
        raise ValueError("groups has missing values; give every row a group")
    # Names of several types cannot be sorted, but told apart.
    numbers: dict[Any, int] = {}
    codes = np.array([numbers.setdefault(name, len(numbers)) for name in names.tolist()])
    if len(numbers) < 2:
        raise ValueError(
            f"groups puts all rows into one ({names.tolist()[0]!r}), so that nothing is left to "
            "train on; at least two are needed"
        )
    return codes.astype(np.int64)


def check_group_folds(k: int, groups: NDArray[np.int64], target: Target) -> None:
    """Raise where this many folds of whole groups cannot be."""
    count = int(groups.max()) + 1
    if k > count:
        raise ValueError(f"folds = {k} is more than the {count} groups; use fewer")
    if target.task != "classification":
        return
    for code, label in enumerate(target.classes.tolist()):
        if len(np.unique(groups[target.codes == code])) == 1:
            raise ValueError(
                f"class {label!r} occurs in only one group, so the fold that holds it out trains "
                "without it; drop that class, or give splits of your own"
            )
