"""The worked example of seven points in the plane, and the values it must give."""

from __future__ import annotations

import numpy as np

X = np.array([[0, 0], [1, 0], [0, 1], [2, 2], [3, 2], [2, 3], [1, 2]], dtype=float)
Y = np.array([1, 1, 1, -1, -1, -1, -1])
T = np.array([0.1, 0.9, 1.2, 3.8, 5.1, 4.9, 3.2])
TAU = 2.0
FOLDS = [[0, 3], [1, 4], [2, 5, 6]]

SUM_OF_ENTRIES = 24.1262481795
FROBENIUS_NORM = 4.14548581342

# Keys are those of the score table; r = 2, trace, weighted are the defaults of sm.
CLASSIFICATION = {
    "sm(r=1, normalization='sum', weighted=False)": 0.0840794584122,
    "sm(r=1, normalization='sum')": 0.330850429878,
    "sm(normalization='sum', weighted=False)": 0.00760944381462,
    "sm(normalization='sum')": 0.0284093527145,
    "sm(r=3, normalization='sum', weighted=False)": 0.000716115209867,
    "sm(r=3, normalization='sum')": 0.00246910972793,
    "sm(r=4, normalization='sum', weighted=False)": 7.07638608546e-05,
    "sm(r=4, normalization='sum')": 0.00021712416078,
    "sm(r=3, normalization='sum', relative=True)": 0.207405217146,
    "sm(r=1)": 1.14031136879,
    "sm": 0.337477513548,
    "sm(r=3)": 0.101091733404,
    "sm(r=4)": 0.0306390402146,
    "sm(r=1, weighted=False)": 0.289788840065,
    "sm(weighted=False)": 0.0903933364428,
    "sm(r=3, weighted=False)": 0.029319607413,
    "sm(r=4, weighted=False)": 0.00998570021261,
    "sm(r=3, relative=True)": 8.49170560594,
    "ncut": 0.411443791114,
    "ncut(variant='shi_malik')": 0.426317428091,
    "mmd": 1.14031136879,
    "kta": 0.489332727634,
    "ekta": 0.471553776165,
    "ckta": 0.874964599106,
    "ckta(variant='survey')": 0.857108178716,
    "fsm": 0.251965892607,
    "kcsm": 1.22285233241,
    "stability": 2.00069237863,
}
REGRESSION = {"ckta": 0.898982871312, "stability": 2.00069237863}
