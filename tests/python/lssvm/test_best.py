"""Learners that take the best way there is: committees that may have refined members."""

import json

import numpy as np
import pytest
from problems import CLASS_EDGES, uneven_columns
from sklearn.base import clone
from sklearn.datasets import make_friedman1

import kernelect as ke
from kernelect._data.target import Target
from kernelect._evidence.regularisation import check_regularisation
from kernelect._evidence.work import CallOptions
from kernelect.lssvm import _elections
from kernelect.lssvm._elections.halves import refine_on_all, refine_on_halves
from kernelect.lssvm._elections.refinement import refining
from kernelect.lssvm._training import Training
from kernelect.refinement import _descent, _refined
from kernelect.refinement._judge import halves

X, NUMBERS, CLASSES, NEW, TRUTH = uneven_columns()
N = len(X)


@pytest.fixture(scope="module")
def model():
    return ke.LSSVMRegressor("best").fit(X, NUMBERS)


def _kinds(model):
    return [type(kernel) for kernel in model.committee_.kernels]


def test_widths_of_columns_are_found(model):
    assert ke.ARDGaussian in _kinds(model)
    usual = ke.LSSVMRegressor("auto").fit(X, NUMBERS)
    losses = [np.mean((one.predict(NEW) - TRUTH) ** 2) for one in (model, usual)]
    assert losses[0] < 0.5 * losses[1]
    assert max(model.report_.relevance, key=model.report_.relevance.get) == "x0"


def test_edges_take_a_rough_member():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(300, 3))
    y = (rows[:, 0] > 0.0) + 0.5 * (rows[:, 1] > 0.5) + 0.1 * rng.normal(size=300)
    assert ke.Matern in _kinds(ke.LSSVMRegressor("best").fit(rows, y))


def test_classes_and_probabilities():
    model = ke.LSSVMClassifier("best").fit(X, CLASSES)
    usual = ke.LSSVMClassifier("auto").fit(X, CLASSES)
    truth = np.digitize(TRUTH, CLASS_EDGES)
    assert model.score(NEW, truth) >= usual.score(NEW, truth)
    assert model.predict_proba(NEW).shape == (400, 3)


def test_what_it_reports(model, tmp_path):
    report, committee = model.report_, model.committee_
    assert report.names == ["auto", "refined", "committee"]
    assert report.losses[0] == pytest.approx(committee.elected_loss, rel=1e-9)
    assert report.losses[2] == pytest.approx(committee.loss, rel=1e-9)
    assert report.gain_errors[2] == pytest.approx(committee.gain_error, rel=1e-9)
    assert max(report.losses[1:]) < report.losses[0]
    assert report.kept in ("refined", "committee")
    assert f"{report.kept} *" in repr(report)
    assert "x0" in repr(report)
    assert report._repr_html_().count("<table") == 2
    assert json.loads(json.dumps(report.to_dict()))["kept"] == report.kept
    ke.save(model, tmp_path / "model.npz")
    loaded = ke.load(tmp_path / "model.npz")
    assert loaded.report_ == report
    np.testing.assert_array_equal(loaded.predict(NEW), model.predict(NEW))
    again = clone(model).fit(X, NUMBERS)
    assert again.report_ == report
    again.set_params(kernel="auto").fit(X, NUMBERS)
    assert not hasattr(again, "report_")
    with pytest.raises(TypeError, match="relevances"):
        ke.results.Contest(["auto"], np.zeros(1), np.zeros(1), "auto", "", [1.0])


def _work(y, lam="auto", convention="sum"):
    target = Target.of_numbers(y)
    options = CallOptions(check_regularisation(lam, convention, True))
    found = ke.select(X, y, lam=lam, lam_convention=convention)
    training = Training(X, target, options)
    work, start = refining(training, target, found, tick=None, deadline=None, penalty=1.0)
    return work, found.kernel, start


def test_no_row_is_judged_by_widths_that_have_seen_it():
    """Other targets in one half change the widths that judge the other half, not their own."""
    one, two = halves(
        Target.of_numbers(NUMBERS), CallOptions(check_regularisation(1.0, "sum", True)).splits
    )
    work, kernel, lam = _work(NUMBERS)
    refined = refine_on_halves(work, kernel, lam)
    for end, other in zip(refined.ends, (two, one), strict=True):
        alone = ke.LSSVMRegressor(end.kernel, lam=end.lam).fit(X, NUMBERS)
        outputs = NUMBERS - alone.loo_residuals_
        np.testing.assert_allclose(refined.outputs[other, 0], outputs[other], atol=1e-9)
    moved = NUMBERS.copy()
    moved[two] += X[two, 3]
    again = refine_on_halves(_work(moved)[0], kernel, lam)
    assert again.ends[0].kernel == refined.ends[0].kernel
    assert again.ends[1].kernel != refined.ends[1].kernel


def test_means_of_losses_are_the_same_models():
    """A lambda for means is as many times smaller for halves as it is for all."""
    (work, kernel, lam), (other, _, _) = _work(NUMBERS), _work(NUMBERS, convention="mean")
    small = lam / N
    one, two = refine_on_halves(work, kernel, lam), refine_on_halves(other, kernel, small)
    np.testing.assert_allclose(one.outputs, two.outputs, rtol=1e-3, atol=1e-3)
    whole, means = refine_on_all(work, one, lam), refine_on_all(other, two, small)
    assert means[1] * N == pytest.approx(whole[1], rel=0.05)


def test_nothing_to_be_gained_stays_as_elected():
    alone = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        rows = rng.normal(size=(80, 4))
        y = rows.sum(axis=1) + 4.0 * rng.normal(size=80)
        model = ke.LSSVMRegressor("best").fit(rows, y)
        if model.report_.kept == "auto":
            alone += 1
            assert "no mixture gains on unseen rows" in model.report_.reason
            elected = ke.LSSVMRegressor("auto").fit(rows, y)
            np.testing.assert_array_equal(model.predict(rows), elected.predict(rows))
    assert alone >= 4


@pytest.mark.parametrize("task", ["regression", "classification"])
def test_refinements_cost_no_more_than_a_few_elections(task, monkeypatch):
    """By what they compute, in units of the models that the election looks at."""
    looked, spent = [], []

    def look(*given, **named):
        looked.append(_elections.committee.look(*given, **named))
        return looked[-1]

    def descend(objective, way, *given, **named):
        path = _descent.descend(objective, way, *given, **named)
        # The last step may need a few values more than there are left.
        assert path.evaluations <= way.evaluations + 3
        spent.append((objective.target.size, path.evaluations))
        return path

    monkeypatch.setattr(_elections.contest, "look", look)
    monkeypatch.setattr(_refined, "descend", descend)
    if task == "regression":
        ke.LSSVMRegressor("best").fit(X, NUMBERS)
    else:
        ke.LSSVMClassifier("best").fit(X, CLASSES)
    cost = 2.0 if task == "regression" else 3.0
    on_halves = sum(0.2 * cost * count for size, count in spent if size < N)
    on_all = sum(cost * count for size, count in spent if size == N)
    assert 0.0 < on_halves <= 1.2 * looked[0].looks
    assert 0.0 < on_all <= 1.2 * looked[0].looks


def test_too_few_rows():
    model = ke.LSSVMRegressor("best").fit(X[:30], NUMBERS[:30])
    assert "30 rows are too few" in model.report_.reason
    assert np.isnan(model.report_.losses[1])
    assert not model.report_.relevance
    assert model.kernel_ == ke.LSSVMRegressor("committee").fit(X[:30], NUMBERS[:30]).kernel_


def test_classes_let_in_what_is_better_than_all(monkeypatch):
    seen = []
    enters = _elections.contest._enters
    monkeypatch.setattr(
        _elections.contest, "_enters", lambda *a: seen.append(enters(*a)) or seen[-1]
    )
    rng = np.random.default_rng(4)
    model = ke.LSSVMClassifier("best").fit(X, rng.integers(0, 2, N))
    assert seen == [False]
    assert not any(isinstance(kernel, ke.ARDGaussian) for kernel in model.committee_.kernels)


def test_a_given_lambda_stays():
    model = ke.LSSVMRegressor("best", lam=0.25).fit(X, NUMBERS)
    np.testing.assert_allclose(model.lam_, 0.25)
    mean = ke.LSSVMRegressor("best", lam=0.25 / N, lam_convention="mean").fit(X, NUMBERS)
    np.testing.assert_allclose(mean.lam_, 0.25 / N)


def test_several_targets_groups_and_weights():
    y = np.column_stack([NUMBERS, X[:, 0] ** 2, np.zeros(N)])
    assert ke.LSSVMRegressor("best").fit(X, y).predict(NEW).shape == (400, 3)
    grouped = ke.LSSVMRegressor("best").fit(X, NUMBERS, groups=np.arange(N) // 4)
    assert np.isfinite(grouped.report_.losses).all()
    weights = np.where(np.arange(N) < 20, 0.0, 1.0 + np.arange(N) / N)
    weighted = ke.LSSVMRegressor("best").fit(X, NUMBERS, sample_weight=weights)
    assert weighted.report_.losses[2] == pytest.approx(weighted.committee_.loss, rel=1e-9)


@pytest.mark.filterwarnings("ignore:the landmark model has not converged")
def test_solvers_of_one_kernel_refine_it():
    model = ke.LSSVMRegressor("best", solver="landmarks", landmarks=100).fit(X, NUMBERS)
    assert model.report_.kept == "refined"
    assert "one kernel alone" in model.report_.reason
    assert np.isnan(model.report_.losses[2])
    assert model.report_.relevance == model.selection_.refinement.relevance


def test_time_that_is_up_leaves_what_there_is(monkeypatch):
    whole = ke.LSSVMRegressor("best", time_limit=600.0).fit(X, NUMBERS)
    assert ke.ARDGaussian in _kinds(whole)

    def late(*arguments):
        raise _elections.contest.TimeUp

    monkeypatch.setattr(_elections.halves, "_descend", late)
    model = ke.LSSVMRegressor("best").fit(X, NUMBERS)
    assert "time was up" in model.report_.reason
    usual = ke.LSSVMRegressor("committee").fit(X, NUMBERS)
    np.testing.assert_array_equal(model.predict(NEW), usual.predict(NEW))


def test_two_refined_kernels_are_a_committee():
    X, y = make_friedman1(300, noise=0.5, random_state=0)
    model = ke.LSSVMRegressor("best").fit(X, y)
    assert len(model.committee_.kernels) == 2
    assert model.report_.kept == "committee"
    assert "have 100% of the weight" in model.report_.reason
