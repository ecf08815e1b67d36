"""By which share a step of a search must lower the held-out loss."""

from __future__ import annotations

# Along the valley, or flat ends are walked for nothing.
LEAST_GAIN = 2.5e-3
# In a regression, to a wider kernel and to less lambda. Either way coefficients grow, rows that lie
# far out are foretold ever worse, and support vector machines take long; smaller gains come from a
# few rows. Chosen with three sets (abalone, cpusmall, protein) and two made-up ones of 1,000 rows:
# 0.02 and 0.01, or more than twice this share of lambda, lose 0.1 points more at most.
OUTWARDS, LESS = 0.05, 0.02


def least_gain(wider: int, more: int) -> float:
    """Return the share in a regression.

    Parameters
    ----------
    wider : int
        By how many places of the grid the step is to a wider kernel.
    more : int
        By how many ranks it is to more lambda.
    """
    if wider == 0:
        return LESS if more < 0 else LEAST_GAIN
    return OUTWARDS if wider > 0 else LEAST_GAIN
