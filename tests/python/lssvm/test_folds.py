"""Learners that choose by given folds or groups, in place of leave-one-out."""

import numpy as np
import pytest
import sklearn
from sklearn.model_selection import GroupKFold, PredefinedSplit, TimeSeriesSplit, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kernelect as ke

RNG = np.random.default_rng(0)
CENTRES = RNG.normal(size=(40, 4))
GROUPS = np.repeat(np.arange(40), 5)
X = CENTRES[GROUPS] + 1e-3 * RNG.normal(size=(200, 4))
LABELS = np.where(CENTRES[:, 0] + 0.8 * RNG.normal(size=40) > 0, "b", "a")[GROUPS]
NUMBERS = (CENTRES[:, 0] + RNG.normal(size=40))[GROUPS]
BOTH = [(ke.LSSVMClassifier, LABELS), (ke.LSSVMRegressor, NUMBERS)]


@pytest.mark.parametrize(("kind", "y"), BOTH)
def test_groups_choose_a_wide_kernel(kind, y):
    assert kind("auto").fit(X, y).kernel_.tau < 1
    model = kind("auto").fit(X, y, groups=GROUPS)
    assert model.selection_.decisive == "cv"
    assert model.kernel_.tau >= 1
    assert model.loo_residuals_.shape == (200,)  # known whatever the choice was made by
    assert kind("auto", folds=GroupKFold(5)).fit(X, y, groups=GROUPS).kernel_.tau >= 1


@pytest.mark.filterwarnings("ignore:the landmark model", "ignore:no evidence")
@pytest.mark.parametrize(("kind", "y"), BOTH)
@pytest.mark.parametrize("solver", ["exact", "landmarks", "iterative"])
@pytest.mark.parametrize("kernel", ["auto", "refined", "best", "committee", "matern"])
def test_groups_rule_every_way_and_every_solver(kernel, solver, kind, y):
    """Near copies of a row tell all about it, and a model that may use them has no noise."""
    if (kernel, solver) in (("committee", "landmarks"), ("committee", "iterative")):
        pytest.skip("refused")
    model = kind(kernel, solver=solver, landmarks=80 if solver == "landmarks" else "auto")
    assert model.fit(X, y).score(X, y) > 0.99
    apart = list(PredefinedSplit(GROUPS % 5).split())
    for given, groups in ((None, GROUPS), (apart, None)):
        model.set_params(folds=given).fit(X, y, groups=groups)
        assert model.score(X, y) < 0.99  # 1 only where noise is learned by heart


@pytest.mark.parametrize(("kind", "y"), BOTH)
@pytest.mark.parametrize("folds", [4, TimeSeriesSplit(3), None])
def test_lambda_is_that_of_cross_validation(kind, y, folds):
    groups = GROUPS if folds is None else None
    kernel = ke.Gaussian(2.0)
    model = kind(kernel, folds=folds).fit(X, y, groups=groups)
    wanted = ke.select(X, y, [kernel], "cv", lam="auto", folds=folds, groups=groups)
    assert model.lam_ == pytest.approx(wanted.lam, rel=1e-9)


def test_a_lambda_for_each_target():
    y = np.column_stack([NUMBERS, RNG.normal(size=40)[GROUPS]])
    model = ke.LSSVMRegressor(ke.Gaussian(2.0), lam_per_target=True).fit(X, y, groups=GROUPS)
    for lam, column in zip(model.lam_, y.T, strict=True):
        alone = ke.select(X, column, [model.kernel_], "cv", lam="auto", groups=GROUPS)
        assert lam == pytest.approx(alone.lam, rel=1e-9)


@pytest.mark.parametrize("by_groups", [True, False])
def test_rows_of_weight_zero_are_as_if_they_were_not_there(by_groups):
    kept = np.arange(200) % 7 > 0
    weights = kept.astype(float)
    pairs = None if by_groups else list(PredefinedSplit(GROUPS % 4).split())
    few = None if by_groups else PredefinedSplit(GROUPS[kept] % 4)
    groups = GROUPS if by_groups else None
    of_few = GROUPS[kept] if by_groups else None
    model = ke.LSSVMClassifier("auto", folds=pairs).fit(
        X, LABELS, sample_weight=weights, groups=groups
    )
    alone = ke.LSSVMClassifier("auto", folds=few).fit(X[kept], LABELS[kept], groups=of_few)
    assert model.kernel_ == alone.kernel_
    assert model.lam_ == pytest.approx(alone.lam_, rel=1e-9)


@pytest.mark.parametrize(("kind", "y"), BOTH)
def test_metadata_routing_carries_groups(kind, y):
    with sklearn.config_context(enable_metadata_routing=True):
        model = make_pipeline(StandardScaler(), kind("auto"))
        found = cross_validate(
            model, X, y, params={"groups": GROUPS}, cv=GroupKFold(3), return_estimator=True
        )
        assert all(one[-1].selection_.decisive == "cv" for one in found["estimator"])
        deaf = make_pipeline(StandardScaler(), kind("auto").set_fit_request(groups=False))
        found = cross_validate(
            deaf, X, y, params={"groups": GROUPS}, cv=GroupKFold(3), return_estimator=True
        )
        assert all(one[-1].selection_.decisive == "loo" for one in found["estimator"])


def test_held_out_outputs_of_groups():
    model = ke.LSSVMRegressor(ke.Gaussian(2.0), lam=1.0).fit(X, NUMBERS)
    folds = GroupKFold(4)
    found = model.held_out_outputs(folds, groups=GROUPS)
    for train, test in folds.split(X, NUMBERS, GROUPS):
        alone = ke.LSSVMRegressor(ke.Gaussian(2.0), lam=1.0).fit(X[train], NUMBERS[train])
        np.testing.assert_allclose(found[test, 0], alone.predict(X[test]), rtol=1e-6, atol=1e-8)
