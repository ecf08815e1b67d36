"""The estimators of kernel learning obey scikit-learn's rules."""

from sklearn.utils.estimator_checks import parametrize_with_checks

import kernelect as ke


@parametrize_with_checks(
    [
        ke.MKLClassifier(),
        ke.MKLRegressor(),
        ke.InfiniteMKLClassifier(),
        ke.InfiniteMKLRegressor(),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
