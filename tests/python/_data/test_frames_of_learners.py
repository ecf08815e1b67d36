"""Columns of a data frame that hold no numbers are named by everything that takes rows."""

import numpy as np
import pandas as pd
import pytest
from refusals import refuses
from sklearn.datasets import load_iris
from sklearn.svm import SVC

import kernelect as ke

FRAME, Y = load_iris(return_X_y=True, as_frame=True)
GAUSSIAN = ke.Gaussian(2.0)
LEARNERS = [
    ke.KernelSelector(SVC(), [GAUSSIAN]),
    ke.LSSVMClassifier(GAUSSIAN, lam=1.0),
    ke.LSSVMRegressor(GAUSSIAN, lam=1.0),
    ke.LSSVMClassifier(GAUSSIAN, lam=1.0, solver="landmarks", landmarks=20),
    ke.MKLClassifier("average", ke.gaussian_grid(0, 1)),
    ke.MKLRegressor("average", ke.gaussian_grid(0, 1)),
    ke.results.LandmarkMap(GAUSSIAN, landmarks=20),
]
BAD = {
    "columns 'colour', 'day' are not numeric": FRAME.assign(
        colour="red", day=pd.Timestamp(2020, 1, 1)
    ),
    "column 'petal width (cm)' has missing values": FRAME.assign(**{FRAME.columns[3]: np.nan}),
    "column 'petal width (cm)' contains infinity": FRAME.assign(**{FRAME.columns[3]: np.inf}),
}


@pytest.mark.parametrize("said", BAD)
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_named(learner, said):
    refuses(lambda: learner.fit(BAD[said], Y), ValueError, said)
    fitted = learner.fit(FRAME, Y)
    use = fitted.predict if hasattr(fitted, "predict") else fitted.transform
    refuses(lambda: use(BAD[said]), ValueError, said)
