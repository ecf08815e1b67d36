"""The worked example of seven points in the plane, and the values it must give."""

from __future__ import annotations

import numpy as np

X = np.array([[0, 0], [1, 0], [0, 1], [2, 2], [3, 2], [2, 3], [1, 2]], dtype=float)
Y = np.array([1, 1, 1, -1, -1, -1, -1])
T = np.array([0.1, 0.9, 1.2, 3.8, 5.1, 4.9, 3.2])
TAU = 2.0
FOLDS = [[0, 3], [1, 4], [2, 5, 6]]
FOLD_NUMBERS = np.array([0, 1, 2, 0, 1, 2, 2])
SPLITS = [(np.setdiff1d(np.arange(7), test), np.array(test)) for test in FOLDS]

SUM_OF_ENTRIES = 24.1262481795
FROBENIUS_NORM = 4.14548581342

# Keys are those of the score table; r = 2, trace, weighted are the defaults of sm. Of the ridge
# criteria these are the values with lam = 1 in the sum convention, a bias and the folds above.
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
    "pep(t=2)": 0.795815439362,
    "er_ratio(t=2)": 3.89752994485,
    "sm_hinge(h=0.1, normalization='sum', weighted=False)": 0.0075036197679,
    "sm_hinge(h=0.1, weighted=False)": 0.287465581538,
    "sm_hinge(h=0.1)": 1.12875433797,
    "loo": 0.374689761744,
    "cv": 0.3106870594,
    "gcv": 0.376071829714,
    "br": -0.783996702677,
    "ks": 0.3106870594 + 2.00069237863 / 7,
}
REGRESSION = {"ckta": 0.898982871312, "stability": 2.00069237863, "loo": 1.33028138308}

# The ridge system of the labels: (bias, lam, mean convention) and what each gives.
RIDGE = {
    (True, 1.0, False): {"loo": 0.374689761744, "cv": 0.3106870594, "gcv": 0.376071829714},
    (True, 0.1, False): {"loo": 0.251246008072, "cv": 0.152042920056, "gcv": 0.26083108941},
    (True, 0.05, True): {"cv": 0.150069568127, "bif": 0.132109455836},
    (False, 1.0, False): {"loo": 0.336753181825, "cv": 0.304743087901, "gcv": 0.334574371148},
    (False, 0.1, False): {"loo": 0.239528830742, "cv": 0.1520522394, "gcv": 0.244583128717},
    (False, 0.05, True): {"cv": 0.150305797686, "bif": 0.13329861771},
}
BIAS = -0.0786220161551  # at lam = 1

# Combinations of the Gaussians of these widths, by method and its parameters.
TAUS = (0.5, 2.0, 8.0)
ALIGNED = {
    "align": [0.47669351, 0.62194273, 0.62124917],
    "alignf": [0.0, 0.49098875, 0.87116591],
}
LINEARLY_ALIGNED = [-0.26452270, 0.87316940, -0.40939339]
LEARNED = [  # method, parameters, weights, objective
    ("simple", {}, [0.42225173, 0.57774827, 0.0], 2.20201119401),
    ("fkl", {"lam": 1.0, "t": 2}, [0.0, 1.0, 0.0], 1.45735075519),
    ("lp", {"p": 2.0}, [0.73207022, 0.61788916, 0.28685568], 1.51453886243),
    ("nlmkl", {"p": 1}, [0.0, 1.0, 0.0], 2.09564290355),
    ("nlmkl", {"p": 2}, [0.55801611, 0.61088877, 0.56163416], 0.761243934486),
]
