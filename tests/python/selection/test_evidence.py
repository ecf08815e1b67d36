"""How much better than a constant the winner is, what people know of it, and what is said."""

import json
import warnings

import numpy as np
import pytest
from command_line import run
from problems import TASKS, api_task, problem
from sklearn.metrics import get_scorer_names, r2_score, roc_auc_score
from sklearn.model_selection import LeaveOneOut, TimeSeriesSplit
from sklearn.svm import SVC

import kernelect as ke
from kernelect.criteria import CV, LOO

GRID = ke.gaussian_grid(-2, 6)
pytestmark = pytest.mark.filterwarnings("ignore:the winner .* stands at the edge")


def signal(task, n=150, seed=0):
    """Rows and a target that one can learn."""
    x, y = problem(task, n=n, seed=seed)
    x[:, 0] += 3.0 * y if task != "regression" else 0.0
    return x, y


def said(*call, **options):
    """What an election warns about."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        chosen = ke.select(*call, **options)
    return chosen, [str(warning.message) for warning in caught]


def columns(y, task):
    if task == "regression":
        return y[:, None]
    codes = np.unique(y, return_inverse=True)[1]
    if task == "binary":
        return np.where(codes == 1, 1.0, -1.0)[:, None]
    return np.where(codes[:, None] == np.arange(codes.max() + 1), 1.0, -1.0)


@pytest.mark.parametrize("task", TASKS)
def test_figures_by_hand(task):
    x, y = problem(task, n=80)
    chosen = ke.select(x, y, GRID, "loo", lam=0.5)
    learner = ke.LSSVMRegressor if task == "regression" else ke.LSSVMClassifier
    model = learner(chosen.kernel, lam=0.5).fit(x, y)
    Y = columns(y, task)
    residuals = model.loo_residuals_.reshape(Y.shape)
    constant = ((Y - Y.mean(axis=0)) ** 2).mean(axis=1)
    points = constant - (residuals**2).mean(axis=1)
    assert chosen.baseline == pytest.approx(constant.mean(), rel=1e-12)
    assert chosen.gain == pytest.approx(points.mean(), rel=1e-9)
    assert chosen.evidence == pytest.approx(points.mean() / (points.std(ddof=1) / 80**0.5))
    assert chosen.held_out_score == pytest.approx(model.loo_score_)


@pytest.mark.parametrize("task", ["binary", "multiclass"])
def test_wrong_decisions_beside_the_larger_class(task):
    x, y = problem(task, n=80)
    chosen = ke.select(x, y, GRID, LOO(loss="zero_one"))
    share = np.bincount(y).max() / 80
    assert chosen.baseline == pytest.approx(1.0 - share)
    assert chosen.held_out_score == pytest.approx(1.0 - chosen.score)
    assert chosen.gain == pytest.approx(chosen.held_out_score - share)


def test_scores_beside_those_of_a_constant():
    x, y = problem("binary", n=80)
    expected = {"roc_auc": 0.5, "balanced_accuracy": 0.5, "accuracy": np.bincount(y).max() / 80}
    for scoring, baseline in expected.items():
        chosen = ke.select(x, y, GRID, scoring=scoring)
        assert chosen.baseline == pytest.approx(baseline)
        assert chosen.gain == pytest.approx(chosen.score - baseline)
    auc = ke.select(x, y, GRID, scoring="roc_auc")
    model = ke.LSSVMClassifier(auc.kernel, lam=1.0).fit(x, y)
    outputs = model.held_out_outputs(LeaveOneOut())[:, 0]
    assert auc.score == pytest.approx(roc_auc_score(y, outputs))
    signs = np.where(y == 1, 1.0, -1.0)
    points = (outputs - outputs.mean()) / outputs.std() * (signs - signs.mean()) / signs.std()
    assert points.mean() == pytest.approx(np.corrcoef(outputs, signs)[0, 1])
    assert auc.evidence == pytest.approx(points.mean() / (points.std(ddof=1) / 80**0.5))
    x, y = problem("regression", n=80)
    assert ke.select(x, y, GRID, scoring="r2").baseline == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("scoring", sorted(get_scorer_names()))
@pytest.mark.filterwarnings("ignore")  # of scorers, about the candidates themselves
def test_no_scorer_trips_over_a_constant(scoring):
    x, y = problem("binary", n=40)
    try:
        column = ke.evaluate(x, y, GRID, "loo", scoring=scoring).column()
    except ValueError:  # a scorer of something else
        return
    assert np.isfinite(column.baselines).all() or np.isnan(column.baselines).all()
    assert np.isfinite(column.evidence).all()


def test_several_targets_and_folds_that_leave_rows_out():
    x, y = problem("regression", n=60)
    both = np.column_stack([y, 100.0 * x[:, 1] ** 2])
    chosen = ke.select(x, both, GRID, "loo")
    outputs = both - ke.LSSVMRegressor(chosen.kernel, lam=1.0).fit(x, both).loo_residuals_
    assert chosen.held_out_score == pytest.approx(r2_score(both, outputs))
    folds = TimeSeriesSplit(4)
    chosen = ke.select(x, y, GRID, CV(folds=folds))
    found = ke.LSSVMRegressor(chosen.kernel, lam=1.0).fit(x, y).held_out_outputs(folds)[:, 0]
    kept = np.isfinite(found)
    assert chosen.held_out_score == pytest.approx(r2_score(y[kept], found[kept]))
    assert chosen.baseline == pytest.approx(((y - y.mean()) ** 2)[kept].mean())
    assert ke.select(x, both, GRID, CV(folds=folds)).held_out_score is None


def test_weights_count():
    """A row of weight two is as two rows in the baseline and in the accuracy."""
    x, y = problem("binary", n=60)
    weights = np.where(y == 0, 3.0, 1.0)
    chosen = ke.select(x, y, GRID, "loo", sample_weight=weights)
    signs = np.where(y == 1, 1.0, -1.0)
    mean = np.average(signs, weights=weights)
    assert chosen.baseline == pytest.approx(np.average((signs - mean) ** 2, weights=weights))
    right = ke.select(x, y, GRID, "loo", sample_weight=weights, scoring="accuracy")
    assert right.held_out_score == pytest.approx(right.score)
    zero_one = ke.select(x, y, GRID, LOO(loss="zero_one"), sample_weight=weights)
    sizes = np.bincount(y, weights=weights)
    assert zero_one.baseline == pytest.approx(1.0 - sizes.max() / sizes.sum())
    x, y = problem("regression", n=60)
    chosen = ke.select(x, y, GRID, "loo", sample_weight=1.0 + np.arange(60) % 3)
    found = ke.LSSVMRegressor(chosen.kernel, lam=1.0).fit(x, y, 1.0 + np.arange(60) % 3)
    r2 = r2_score(y, y - found.loo_residuals_, sample_weight=1.0 + np.arange(60) % 3)
    assert chosen.held_out_score == pytest.approx(r2)
    table = [ke.evaluate(x, y, GRID, "br", sample_weight=w) for w in (None, np.full(60, 1 + 1e-12))]
    assert table[0].scores["br"] == pytest.approx(table[1].scores["br"], rel=1e-9)


def test_a_search_has_the_figures_of_its_winner():
    x, y = signal("binary", n=100)
    chosen = ke.select(x, y, GRID, lam="auto")
    alone = ke.select(x, y, [chosen.kernel], "loo", lam=chosen.lam)
    for name in ("baseline", "gain", "evidence", "held_out_score"):
        assert getattr(chosen, name) == pytest.approx(getattr(alone, name), rel=1e-9)


def test_criteria_that_hold_nothing_out_have_no_such_figures():
    x, y = signal("binary", n=60)
    for criterion in ("sm", "gcv", "br"):
        chosen = ke.select(x, y, GRID, criterion)
        assert chosen.baseline is chosen.gain is chosen.evidence is chosen.held_out_score is None
        assert "held out" not in repr(chosen)
    for criterion in ("cv", "bif", "ks"):
        assert ke.select(x, y, GRID, criterion).evidence > 5


@pytest.mark.parametrize("lam", [1.0, "auto"])
@pytest.mark.parametrize("task", TASKS)
def test_noise_is_told_and_a_signal_is_not(task, lam):
    told = []
    for seed in range(12):
        x, y = signal(task, n=100, seed=seed)
        noise = np.random.default_rng(seed).permutation(y)
        found, messages = said(x, noise, lam=lam, task=api_task(task))
        told.append(any("no evidence" in message for message in messages))
        assert told[-1] == (found.evidence < 1.645 or found.gain <= 0.0)
        found, messages = said(x, y, lam=lam, task=api_task(task))
        assert not any("no evidence" in m or "larger class" in m for m in messages)
    assert sum(told) >= 10


@pytest.mark.filterwarnings("ignore:class .* has a single member")
def test_countless_standard_errors_are_not_counted():
    X, y = np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([1, -1])
    with pytest.warns(UserWarning, match=r"\(loo = 4, baseline 1\); try"):
        ke.select(X, y)


def test_noise_is_told_by_scores():
    told = []
    for seed in range(10):
        x, y = signal("binary", n=100, seed=seed)
        noise = np.random.default_rng(seed).permutation(y)
        found, messages = said(x, noise, scoring="roc_auc")
        told.append(any("no evidence" in message for message in messages))
        assert told[-1] == (found.evidence < 3.0 or found.gain <= 0.0)
        assert not any("no evidence" in m for m in said(x, y, scoring="roc_auc")[1])
    assert sum(told) >= 9


def test_decisions_no_better_than_the_larger_class_are_told():
    """Rows of which some are doubtful and none is likelier to be of the smaller class."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=(400, 1))
    y = rng.random(400) < np.where(x[:, 0] > 0.0, 0.4, 0.02)
    chosen, messages = said(x, y, lam="auto")
    assert chosen.evidence > 4.0
    assert any(
        "predicts no better than always choosing the larger class False" in m for m in messages
    )
    # Whoever asks for another score than accuracy knows that.
    _, messages = said(x, y, lam="auto", scoring="roc_auc")
    assert not any("no evidence" in m or "larger class" in m for m in messages)


def test_learners_and_the_command_line_say_so(tmp_path):
    x, y = signal("binary", n=100)
    noise = np.random.default_rng(1).permutation(y)
    for model in (
        ke.LSSVMClassifier("auto"),
        ke.LSSVMClassifier("auto", class_weight="balanced"),
        ke.LSSVMRegressor("auto"),
        ke.KernelSelector(SVC()),
        ke.KernelSelector(),
    ):
        with pytest.warns(UserWarning, match="no evidence: the best candidate"):
            model.fit(x, noise)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.fit(x, y)
    path = tmp_path / "noise.csv"
    rows = [",".join(map(str, [*row, label])) for row, label in zip(x, noise, strict=True)]
    path.write_text("\n".join(["a,b,c,d,kind", *rows]))
    done = run("select", path, "--json", tmp_path / "out.json")
    assert "no evidence: the best candidate" in done.stderr
    assert " of rows held out\n" in done.stdout
    written = json.loads((tmp_path / "out.json").read_text())
    assert any("no evidence" in message for message in written["warnings"])
    assert written["result"]["gain"] == pytest.approx(ke.select(x, noise).gain)


@pytest.mark.parametrize("task", TASKS)
def test_shown_and_saved(task, tmp_path):
    x, y = signal(task, n=60)
    chosen = ke.select(x, y, GRID, lam="auto")
    name = "R2" if task == "regression" else "accuracy"
    text = f", {name} {chosen.held_out_score:.4g} of rows held out ("
    assert text in repr(chosen)
    assert text in chosen._repr_html_()
    assert f'title="{name} ' in chosen.table._repr_html_()
    plain = chosen.to_dict()
    for figure in ("baseline", "gain", "evidence", "held_out_score"):
        assert plain[figure] == getattr(chosen, figure)
    assert plain["table"]["criteria"]["loo"]["held_out_scores"]
    ke.save(chosen, tmp_path / "chosen.json")
    loaded = ke.load(tmp_path / "chosen.json")
    assert loaded == chosen
    assert loaded.evidence == chosen.evidence
    assert repr(loaded) == repr(chosen)
