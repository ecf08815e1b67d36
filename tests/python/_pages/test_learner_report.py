"""Reports on fitted learners: what they compared, and the members of a committee."""

from __future__ import annotations

import html
import json
import re

import numpy as np
import pytest
from command_line import run
from sklearn.datasets import load_breast_cancer, load_wine, make_friedman1
from sklearn.exceptions import NotFittedError

import kernelect as ke

pytest.importorskip("matplotlib").use("Agg")


def words(path):
    page = path.read_text(encoding="utf-8")
    plain = re.sub(r"<(style|script|svg).*?</\1>|<[^>]+>", " ", page, flags=re.DOTALL)
    return html.unescape(" ".join(plain.split()))


@pytest.fixture(scope="module")
def friedman():
    X, y = make_friedman1(150, noise=0.5, random_state=0)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def test_members_with_their_weights_and_lambdas(tmp_path):
    X, y = load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    model = ke.LSSVMClassifier("committee").fit(X, y)
    committee = model.committee_
    assert len(committee.kernels) > 1
    model.report(tmp_path / "page.html", X=X, y=y)
    told = words(tmp_path / "page.html")
    assert f"{len(committee.kernels)} kernels predict together" in told
    for kernel, lam, weight in zip(
        committee.kernels, committee.lams, committee.weights, strict=True
    ):
        assert f"{weight:.3f} {kernel} {lam:.4g}" in told
    right = f"Their accuracy on held-out rows is {model.loo_score_:.4g}"
    assert right in told
    assert "model = LSSVMClassifier(kernel='committee').fit(X, y)" in told


def test_the_ways_that_were_compared(friedman, tmp_path):
    X, y = friedman
    model = ke.LSSVMRegressor().fit(X, y)
    model.report(tmp_path / "page.html")
    told = words(tmp_path / "page.html")
    assert "The fitted model" in told
    assert f"{model.report_.kept}: {model.report_.reason}" in told
    assert f"R² on held-out rows is {model.loo_score_:.4g}" in told
    assert "also shows where the labels lie" in told


def test_an_elected_kernel_that_stays_alone(friedman, tmp_path):
    X, y = friedman
    model = ke.LSSVMRegressor("auto").fit(X, y)
    model.report(tmp_path / "page.html", title="Alone")
    told = words(tmp_path / "page.html")
    assert f"{model.kernel_} was elected among" in told
    assert "Members of the committee" not in told
    assert "What was compared" not in told


def test_predictions_beside_groups_say_that_rows_are_left_out_one_at_a_time(tmp_path):
    random = np.random.default_rng(0)
    X = np.repeat(random.normal(size=(20, 3)), 5, axis=0) + 0.01 * random.normal(size=(100, 3))
    y, groups = np.repeat(random.integers(0, 2, 20), 5), np.repeat(np.arange(20), 5)
    said = "Rows are left out one at a time here, whatever the folds or groups"
    for given, expected in ((groups, True), (None, False)):
        model = ke.LSSVMClassifier("auto").fit(X, y, groups=given)
        for name, reported in (("learner", model), ("election", model.selection_)):
            reported.report(tmp_path / f"{name}.html", X=X, y=y)
            assert (said in words(tmp_path / f"{name}.html")) == expected
    for criterion, expected in (("ks", True), ("gcv", False)):
        ke.select(X, y, "rbf", criterion).report(tmp_path / "page.html", X=X, y=y)
        assert (said in words(tmp_path / "page.html")) == expected


def test_members_of_one_kernel_are_told_apart_by_their_lambdas():
    from kernelect._pages._together import members

    kernel = ke.Gaussian(4.0)
    committee = ke.results.Committee(
        [kernel, kernel], np.array([0.1, 1.0]), np.array([0.3, 0.7]), kernel, 0.5, 1.0, 0.1, 1.0, 9
    )
    shown = members(committee)
    assert "λ = 0.1" in shown
    assert "λ = 1" in shown


def test_without_an_election(friedman, tmp_path):
    X, y = friedman
    with pytest.raises(NotFittedError):
        ke.LSSVMRegressor().report(tmp_path / "page.html")
    model = ke.LSSVMRegressor(ke.Gaussian(8.0), lam=0.1).fit(X, y)
    with pytest.raises(ValueError, match="no election to report; use kernel='best'"):
        model.report(tmp_path / "page.html")


def test_many_widths_are_shown_by_the_first_and_the_last():
    lengths = np.arange(1.0, 21.0)
    assert str(ke.Matern(1.5, lengths)) == (
        "Matern(nu=1.5, length_scale=[1, 2, 3, 4, ..., 19, 20])"
    )
    assert "..." not in repr(ke.Matern(1.5, lengths[:8]))


@pytest.mark.parametrize("command", [["select"], ["fit", "--save", "model.npz"]])
def test_the_code_is_for_the_rows_of_the_file(command, tmp_path, monkeypatch):
    """Rows that --standardize had brought to one scale were called X."""
    monkeypatch.chdir(tmp_path)
    X, y = load_wine(return_X_y=True)
    np.savez("wine.npz", X=X, y=y)
    done = run(*command, "wine.npz", "--standardize", "--report", "page.html", "--json", "-")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text()
    names = {"X": X, "y": y}
    blocks = re.findall(r"<pre>(.*?)</pre>", page, flags=re.DOTALL)
    exec(html.unescape(blocks[-1]), names)  # noqa: S102
    said = json.loads(done.stdout)
    score = said["held_out_score"] if command[0] == "fit" else said["result"]["held_out_score"]
    fitted = names["model" if command[0] == "fit" else "judged"]
    assert fitted.loo_score_ == pytest.approx(score)


@pytest.mark.parametrize("given", [("groups",), ("sample_weight",), ("sample_weight", "groups")])
def test_the_code_says_what_else_the_model_was_fitted_to(friedman, tmp_path, given):
    X, y = friedman
    known = {"groups": np.arange(150) // 6, "sample_weight": 1.0 + np.arange(150) % 3}
    model = ke.LSSVMRegressor("auto").fit(X, y, **{name: known[name] for name in given})
    model.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    code = html.unescape(re.findall(r"<pre>(.*?)</pre>", page, flags=re.DOTALL)[-1])
    names = {"X": X, "y": y, **known}
    exec(code.partition("# the elected kernel")[0], names)  # noqa: S102
    np.testing.assert_array_equal(names["model"].predict(X), model.predict(X))
