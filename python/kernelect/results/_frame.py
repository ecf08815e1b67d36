"""Results as data frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas

    from ._score_table import ScoreTable


def to_frame(table: ScoreTable) -> pandas.DataFrame:
    """Lay out one column per criterion, one row per candidate, or per candidate and lambda."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("to_frame needs pandas; install it with: pip install pandas") from None
    names, lams = [repr(kernel) for kernel in table.kernels], table.lams
    if lams is None:
        return pd.DataFrame(table.scores, index=pd.Index(names, name="kernel"))
    count = lams.shape[1]
    index = pd.MultiIndex.from_arrays(
        [np.repeat(names, count), lams.ravel()], names=["kernel", "lam"]
    )
    flat = {
        key: values.ravel() if values.ndim == 2 else np.repeat(values, count)
        for key, values in table.scores.items()
    }
    return pd.DataFrame(flat, index=index)
