"""The least-squares learners: scikit-learn's conventions, exactness, options."""

from sklearn.utils.estimator_checks import parametrize_with_checks

import kernelect as ke


def _election_counts_copies(estimator):
    """Elections, and a classifier's probabilities, rest on leave-one-out.

    A row of weight two is left out as one row, two copies one at a time.
    """
    elects = "auto" in (estimator.kernel, estimator.lam)
    if not elects and not hasattr(estimator, "predict_proba"):
        return {}
    reason = "leave-one-out of a doubled row is not that of a row of weight two"
    kinds = ("dense", "sparse")
    return {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in kinds}


@parametrize_with_checks(
    [
        ke.LSSVMClassifier(),
        ke.LSSVMRegressor(),
        ke.LSSVMClassifier(kernel="rbf", lam=1.0),
        ke.LSSVMRegressor(bias=False, lam=0.1, kernel=ke.Gaussian(1.0)),
    ],
    expected_failed_checks=_election_counts_copies,
)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)
