"""Learners with nothing set: the best of all ways where it can be had, else one elected kernel."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import kernelect as ke

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 3))
SMOOTH = np.sin(2.0 * X[:, 0]) + 0.3 * X[:, 1]
NUMBERS = SMOOTH + 0.1 * RNG.normal(size=150)
TARGETS = np.column_stack([NUMBERS, X[:, 1] ** 2 + 0.5 * RNG.normal(size=150)])
LABELS = np.where(NUMBERS > 0.0, "yes", "no")
INDICATORS = np.column_stack([NUMBERS > 0.0, X[:, 2] > 0.5]).astype(int)
GROUPS = np.repeat(np.arange(15), 10)
WEIGHTS = np.where(np.arange(150) % 7 == 0, 0.0, 1.0 + np.arange(150) % 3)


@pytest.fixture(autouse=True)
def no_word():
    """Nothing is to be said to somebody who has set nothing wrong."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for said in ("the landmark model has not", "no evidence", "class . has a single member"):
            warnings.filterwarnings("ignore", said)  # of the data, whatever kernel is asked for
        yield


def learner(y, **given):
    kind = ke.LSSVMClassifier if y is LABELS or y is INDICATORS else ke.LSSVMRegressor
    return kind(**given)


def test_the_default_is_the_best_of_all():
    for kind in (ke.LSSVMClassifier, ke.LSSVMRegressor):
        assert kind().get_params() == kind("best").get_params()
    model, named = ke.LSSVMRegressor().fit(X, NUMBERS), ke.LSSVMRegressor("best").fit(X, NUMBERS)
    assert np.array_equal(model.predict(X), named.predict(X))
    assert model.report_.kept in ("refined", "committee")


@pytest.mark.parametrize(
    ("given", "fitted"),
    [
        ({}, {}),
        ({"lam": 0.1}, {}),
        ({"lam": 0.1, "kernel_scaling": "centered"}, {}),
        ({"lam": 0.1, "kernel_scaling": "trace"}, {}),
        ({"lam_convention": "mean"}, {}),
        ({"bias": False}, {}),
        ({"folds": 4}, {}),
        ({"folds": GroupKFold(3)}, {"groups": GROUPS}),
        ({}, {"groups": GROUPS}),
        ({}, {"sample_weight": WEIGHTS}),
        ({"n_threads": 2}, {}),
        ({"time_limit": 100.0}, {}),
        ({"solver": "landmarks", "landmarks": 70}, {}),
        ({"solver": "landmarks", "landmarks": 70, "lam": 0.1, "kernel_scaling": "centered"}, {}),
        ({"solver": "iterative"}, {}),
        ({"solver": "iterative", "lam": 0.1, "kernel_scaling": "centered"}, {}),
    ],
    ids=lambda part: ", ".join(part) or "nothing",
)
@pytest.mark.parametrize("name", ["LABELS", "NUMBERS", "TARGETS", "INDICATORS"])
def test_every_option_fits_it(name, given, fitted):
    y = globals()[name]
    model = learner(y, **given).fit(X, y, **fitted)
    assert model.report_.reason
    assert np.isfinite(model.loo_score_)
    assert model.predict(X).shape == y.shape
    assert model.score(X, y) > 0.3


def test_a_lambda_for_every_target_wants_one_kernel():
    """It was refused, which nobody should be who has named no kernel."""
    model = ke.LSSVMRegressor(lam_per_target=True).fit(X, TARGETS)
    elected = ke.LSSVMRegressor("auto", lam_per_target=True).fit(X, TARGETS)
    assert model.kernel_ == elected.kernel_
    assert model.lam_.shape == (2,)
    assert np.array_equal(model.predict(X), elected.predict(X))
    assert (model.report_.kept, model.report_.reason) == (
        "auto",
        "lam_per_target=True is for one kernel",
    )
    assert not hasattr(model, "committee_")


def test_a_lambda_relative_to_each_kernel_is_not_refined():
    model = ke.LSSVMRegressor(lam=0.1, kernel_scaling="centered").fit(X, NUMBERS)
    assert "kernel_scaling='centered'" in model.report_.reason
    assert not model.report_.relevance
    few = ke.LSSVMRegressor(lam=0.1, kernel_scaling="centered", solver="iterative")
    assert "one kernel alone; kernel_scaling='centered'" in few.fit(X, NUMBERS).report_.reason


def test_the_only_member_of_a_committee_keeps_the_scale_of_a_given_lambda():
    """Its own lambda, found on that scale, was multiplied by it once more."""
    rows = np.random.default_rng(2).normal(size=(150, 3))
    y = np.abs(rows[:, 0]) + np.abs(rows[:, 1])
    model = ke.LSSVMRegressor("committee", lam=1e-6, kernel_scaling="centered").fit(rows, y)
    assert isinstance(model.kernel_, ke.Laplacian)
    own = ke.LSSVMRegressor(model.kernel_, lam=1e-6, kernel_scaling="centered").fit(rows, y)
    assert model.lam_ == pytest.approx(own.lam_)
    assert model.lam_ == pytest.approx(model.committee_.lams[0])


@pytest.mark.parametrize("n", [2, 3, 5, 12, 30])
def test_few_rows(n):
    rows, y = X[:n], np.arange(n) % 2
    for model in (ke.LSSVMClassifier(), ke.LSSVMRegressor()):
        assert model.fit(rows, y).predict(rows).shape == (n,)
        assert "too few" in model.report_.reason or n < 5


def test_fewer_rows_than_columns():
    wide = np.random.default_rng(1).normal(size=(40, 90))
    model = ke.LSSVMRegressor().fit(wide, wide[:, 0])
    assert "40 rows are too few to give 90 columns widths of their own" in model.report_.reason


def test_rows_that_do_not_differ():
    model = ke.LSSVMRegressor().fit(np.ones((6, 2)), np.arange(6.0))
    assert model.report_.reason == "rows or targets do not differ"
    assert not hasattr(model, "selection_")


def test_sparse_rows_and_frames():
    pd = pytest.importorskip("pandas")
    dense = ke.LSSVMRegressor().fit(X, NUMBERS)
    sparse = ke.LSSVMRegressor().fit(scipy.sparse.csr_array(X), NUMBERS)
    assert sparse.report_.reason
    assert sparse.loo_score_ == pytest.approx(dense.loo_score_, abs=0.02)
    frame = ke.LSSVMRegressor().fit(pd.DataFrame(X, columns=list("abc")), NUMBERS)
    assert max(frame.report_.relevance, key=frame.report_.relevance.get) == "a"


def test_many_rows_elect_the_second_family_on_half_of_them(monkeypatch):
    """The winner is a model of all rows nevertheless, at the ridge that half of them wanted."""
    from kernelect.lssvm import _elections

    rough = np.abs(X).sum(axis=1) + 0.1 * RNG.normal(size=150)
    monkeypatch.setattr(_elections.committee, "_MANY", 100)
    for convention in ("sum", "mean"):
        model = ke.LSSVMRegressor("committee", lam_convention=convention).fit(X, rough)
        (place,) = (k for k, one in enumerate(model.kernel_) if isinstance(one, ke.Laplacian))
        other = ke.LSSVMRegressor(
            model.kernel_[place], lam=model.lam_[place], lam_convention=convention
        )
        share = model.committee_.weights[place]
        np.testing.assert_allclose(
            model.dual_coef_[place], share * other.fit(X, rough).dual_coef_, rtol=1e-8
        )
        ridge = model.lam_[place] * (150 if convention == "mean" else 1)
        assert 1e-4 < ridge < 10.0


# A committee is a list of kernels; whatever is done with a model must not stumble over it.


@pytest.fixture(scope="module")
def model():
    made = ke.LSSVMRegressor().fit(X, NUMBERS + np.abs(X).sum(axis=1))
    assert isinstance(made.kernel_, list)
    return made


@pytest.fixture(scope="module")
def classifier():
    rough = np.where(np.abs(X).sum(axis=1) > 2.3, "far", "near")
    made = ke.LSSVMClassifier().fit(X, rough)
    assert isinstance(made.kernel_, list)
    return made


def test_shown(model):
    assert repr(model) == "LSSVMRegressor()"
    assert f"{len(model.kernel_)} models together" in model._repr_html_()
    assert repr(model.report_).startswith(model.report_.kept)


def test_kept(model, tmp_path):
    ke.save(model, tmp_path / "model.npz")
    for again in (ke.load(tmp_path / "model.npz"), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(again.predict(X), model.predict(X))
        assert again.report_.to_dict() == model.report_.to_dict()
        assert again.committee_ == model.committee_
        assert np.array_equal(again.predict(X, return_std=True)[1], model.predict(X, True)[1])


def test_asked(model, classifier):
    mean, deviation = model.predict(X, return_std=True)
    assert np.array_equal(mean, model.predict(X))
    assert 0.05 < deviation.mean() < 0.5
    assert np.allclose(classifier.predict_proba(X).sum(axis=1), 1.0)
    assert classifier.held_out_outputs(5).shape == (150, 1)
    assert model.held_out_outputs(GroupKFold(3), groups=GROUPS).shape == (150, 1)
    with pytest.raises(ValueError, match="use solver='landmarks'"):
        model.feature_map()


def test_drawn(model, classifier):
    pytest.importorskip("matplotlib").use("Agg")
    ke.plots.relevance(model.report_.relevance)
    assert classifier.selection_.plot(X=X) is not None


def test_told(model, classifier, tmp_path):
    for one, y in ((model, NUMBERS), (classifier, LABELS)):
        one.selection_.report(tmp_path / "page.html", X=X, y=y)
        assert (tmp_path / "page.html").stat().st_size > 1000


def test_handed_over(model, classifier):
    SVC(**classifier.selection_.params_for(SVC)).fit(X, LABELS)
    SVR(**model.selection_.params_for(SVR)).fit(X, NUMBERS)
    selector = ke.KernelSelector(ke.LSSVMClassifier()).fit(X, LABELS)
    assert selector.best_estimator_.kernel == selector.result_.kernel


def test_among_others(model):
    assert clone(model).get_params()["kernel"] == "best"
    pipeline = make_pipeline(StandardScaler(), ke.LSSVMRegressor())
    assert cross_val_score(pipeline, X, NUMBERS, cv=3).min() > 0.5


@pytest.mark.parametrize("kernel", ["auto", "best"])
@pytest.mark.parametrize("convention", ["sum", "mean"])
def test_the_elected_model_is_handed_over_with_its_regularisation(kernel, convention):
    """A learner's selection had a kernel to hand over, and nothing to say about C."""
    model = ke.LSSVMClassifier(kernel, lam_convention=convention).fit(X, LABELS)
    chosen = ke.select(X, LABELS, lam="auto", lam_convention=convention)
    assert model.selection_.params_for(SVC) == pytest.approx(chosen.params_for(SVC))
    assert "C" in model.selection_.params_for(SVC)
    given = ke.LSSVMClassifier(kernel, lam=0.25).fit(X, LABELS).selection_
    assert given.params_for(SVC)["C"] == pytest.approx(4.0 / 0.25 / 2)


@pytest.mark.parametrize("kernel", ["auto", "refined"])
def test_numbers_are_handed_over_with_the_size_of_their_residuals(kernel):
    model = ke.LSSVMRegressor(kernel).fit(X, NUMBERS)
    told = model.selection_.model
    assert told.residual == pytest.approx(np.sqrt(np.mean(model.loo_residuals_**2)))
    ask = {"auto": ke.select, "refined": ke.refine}[kernel]
    chosen = ask(X, NUMBERS, **({"lam": "auto"} if kernel == "auto" else {}))
    assert told.signal == pytest.approx(chosen.model.signal, rel=1e-3)
    own, others = (one.params_for(SVR)["epsilon"] for one in (model.selection_, chosen))
    assert own == pytest.approx(others, rel=1e-3)


def test_rows_of_dask_have_one_kernel():
    da = pytest.importorskip("dask.array")
    model = ke.LSSVMRegressor(landmarks=70).fit(da.from_array(X, chunks=(50, 3)), NUMBERS)
    assert model.report_.reason.startswith("solvers of many rows fit one kernel alone")
    inside = ke.LSSVMRegressor(landmarks=70).fit(X, NUMBERS)
    assert model.kernel_ == inside.kernel_
    np.testing.assert_allclose(model.predict(X), inside.predict(X))
    assert model.feature_map().transform(X).shape[0] == 150
