"""Groups of rows in KernelSelector: in the election, for lambda, by metadata routing."""

import numpy as np
import pytest
import sklearn
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import kernelect as ke

RNG = np.random.default_rng(0)
CENTRES = RNG.normal(size=(40, 4))
GROUPS = np.repeat(np.arange(40), 5)
X = CENTRES[GROUPS] + 1e-3 * RNG.normal(size=(200, 4))
LABELS = (CENTRES[:, 0] + 0.8 * RNG.normal(size=40) > 0).astype(int)[GROUPS]
NUMBERS = (CENTRES[:, 0] + RNG.normal(size=40))[GROUPS]


@pytest.mark.parametrize("C", [None, "auto"])
@pytest.mark.parametrize(
    ("estimator", "y"),
    [(SVC(), LABELS), (SVR(), NUMBERS), (KernelRidge(), NUMBERS), (None, LABELS)],
)
def test_groups_elect_a_wide_kernel(estimator, y, C):
    selector = ke.KernelSelector(estimator, C=C)
    assert selector.fit(X, y).best_kernel_.tau < 1
    assert selector.fit(X, y, groups=GROUPS).best_kernel_.tau >= 1
    assert selector.result_.decisive == "cv"


def test_lambda_of_a_criterion_without_one():
    model = ke.KernelSelector(KernelRidge(), criterion="ckta", C="auto")
    model.fit(X, NUMBERS, groups=GROUPS)
    wanted = ke.select(X, NUMBERS, [model.best_kernel_], "cv", lam="auto", groups=GROUPS)
    assert model.best_params_["alpha"] == pytest.approx(wanted.lam)


def test_a_learner_inside_chooses_by_groups_too():
    model = ke.KernelSelector(ke.LSSVMClassifier("auto")).fit(X, LABELS, groups=GROUPS)
    wanted = ke.LSSVMClassifier(model.best_kernel_).fit(X, LABELS, groups=GROUPS)
    assert model.best_estimator_.lam_ == wanted.lam_


@pytest.mark.filterwarnings("ignore:the winner")
@pytest.mark.filterwarnings("ignore:SVC with the elected kernel predicts hardly better")
@pytest.mark.parametrize("inner", [SVC(), ke.LSSVMClassifier("auto"), None])
def test_metadata_routing(inner):
    with sklearn.config_context(enable_metadata_routing=True):
        model = make_pipeline(StandardScaler(), ke.KernelSelector(inner, C="auto"))
        found = cross_validate(
            model, X, LABELS, params={"groups": GROUPS}, cv=GroupKFold(3), return_estimator=True
        )
        assert all(one[-1].result_.decisive == "cv" for one in found["estimator"])
        search = GridSearchCV(
            ke.KernelSelector(inner), {"criterion": ["auto", "cv"]}, cv=GroupKFold(3)
        )
        search.fit(X, LABELS, groups=GROUPS)
        assert search.best_estimator_.result_.decisive == "cv"
        deaf = ke.KernelSelector(inner).set_fit_request(groups=False)
        assert not deaf.get_metadata_routing()._self_request.fit.requests["groups"]


def test_pipelines_without_routing():
    model = make_pipeline(StandardScaler(), ke.KernelSelector(SVC()))
    model.fit(X, LABELS, kernelselector__groups=GROUPS)
    assert model[-1].result_.decisive == "cv"


def test_rows_of_weight_zero_are_as_if_they_were_not_there():
    weights = (np.arange(200) % 7 > 0).astype(float)
    kept = weights > 0
    pairs = list(GroupKFold(4).split(X, LABELS, GROUPS))
    renumbered = np.cumsum(kept) - 1
    few = [[renumbered[part[kept[part]]] for part in pair] for pair in pairs]
    model = ke.KernelSelector(SVC(), folds=pairs).fit(X, LABELS, sample_weight=weights)
    alone = ke.KernelSelector(SVC(), folds=few).fit(X[kept], LABELS[kept])
    assert model.result_ == alone.result_
