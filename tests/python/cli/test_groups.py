"""``--groups`` and ``--folds``: which rows the commands hold out together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from command_line import refusal, result_of, run
from sklearn.preprocessing import StandardScaler

import kernelect as ke


@pytest.fixture(scope="module")
def visits(tmp_path_factory):
    """Five visits of each patient, nearly alike; nothing but the patient tells the target."""
    random = np.random.default_rng(0)
    patient = np.repeat(np.arange(60), 5)
    rows = random.normal(size=(60, 4))[patient] + 0.01 * random.normal(size=(300, 4))
    frame = pd.DataFrame(rows, columns=list("abcd"))
    frame.insert(2, "patient", [f"p{number}" for number in patient])
    frame["ill"] = random.permutation(np.arange(60) % 2)[patient]
    frame["level"] = random.normal(size=60)[patient] + 0.01 * random.normal(size=300)
    path = tmp_path_factory.mktemp("visits") / "visits.csv"
    frame.to_csv(path, index=False)
    return path


def parts(path, target):
    frame = pd.read_csv(path)
    return frame[list("abcd")].to_numpy(), frame[target], frame["patient"]


CLASSES = ("--target", "ill", "--drop", "level", "--groups", "patient")


LEVELS = ("--target", "level", "--drop", "ill", "--groups", "patient")


@pytest.mark.filterwarnings("ignore:no evidence")
@pytest.mark.parametrize("folds", [None, 3])
def test_select_is_that_of_python(visits, folds):
    X, y, groups = parts(visits, "ill")
    twin = ke.select(X, y, groups=groups, folds=folds)
    told = result_of("select", visits, *CLASSES, *([] if folds is None else ["--folds", folds]))
    assert told["data"]["feature_names"] == list("abcd")
    assert told["result"]["kernel"] == str(twin.kernel)
    assert told["result"]["held_out_score"] == twin.held_out_score < 0.7
    alone = result_of("select", visits, "--target", "ill", "--drop", "level,patient")
    assert alone["result"]["held_out_score"] > 0.95


def test_evaluate_is_that_of_python(visits):
    X, y, groups = parts(visits, "level")
    grid = ke.gaussian_grid(-2, 2)
    twin = ke.evaluate(X, y, grid, ["cv", "loo"], groups=groups, folds=4)
    options = ("--grid", "-2:2", "--criteria", "cv,loo", "--folds", 4)
    told = result_of("evaluate", visits, *LEVELS, *options)
    assert told["result"]["criteria"]["cv"]["scores"] == twin.columns["cv"].values.tolist()


def test_refined_by_whole_groups(visits):
    done = run("select", visits, *LEVELS, "--refine", "--criterion", "cv", "--grid", "-2:2")
    assert done.returncode == 0, done.stderr
    assert "no part" not in done.stderr
    assert "not refined: " in done.stdout


@pytest.mark.filterwarnings("ignore:no evidence")
@pytest.mark.parametrize("scaled", [[], ["--standardize"]])
def test_fit_is_that_of_python(visits, tmp_path, scaled):
    X, y, groups = parts(visits, "level")
    done = run("fit", visits, *LEVELS, *scaled, "--folds", 4, "--save", tmp_path / "m.npz")
    assert done.returncode == 0, done.stderr
    learner = ke.LSSVMRegressor(folds=4)
    if scaled:
        X = StandardScaler().fit_transform(X)
    learner.fit(X, y, groups=groups)
    model = ke.load(tmp_path / "m.npz")
    model = model[-1] if scaled else model
    assert (model.kernel_, model.lam_, model.folds) == (learner.kernel_, learner.lam_, 4)
    held_out = done.stdout.split("held out: R2 ")[1]
    assert float(held_out.split()[0]) < 0.1
    assert learner.loo_score_ > 0.3
    assert held_out.split(" ", 1)[1].startswith("of groups held out together (the mean alone: 0)")


def test_folds_alone(visits, tmp_path):
    options = ("--target", "ill", "--drop", "level,patient", "--save", tmp_path / "m.npz")
    done = run("fit", visits, *options, "--folds", 4)
    assert "of rows held out in folds (the largest class alone: 0.5)" in done.stdout
    assert ke.load(tmp_path / "m.npz").folds == 4
    assert "of rows left out one by one (" in run("fit", visits, *options).stdout


@pytest.mark.parametrize("kernel", ["rbf", "auto"])
def test_fit_says_which_rows_were_held_out(visits, tmp_path, kernel):
    """A family is not elected, so there are no folds to take the score from."""
    done = run("fit", visits, *CLASSES, "--kernel", kernel, "--save", tmp_path / "m.npz")
    told = done.stdout.split("held out: ")[1]
    assert ("whatever the folds" in told) == (kernel == "rbf")
    assert ("groups held out together" in told) == (kernel == "auto")


def test_predict_needs_no_groups(visits, tmp_path):
    run("fit", visits, *CLASSES, "--kernel", "rbf", "--save", tmp_path / "m.npz")
    pd.read_csv(visits)[["d", "c", "b", "a"]].to_csv(tmp_path / "new.csv", index=False)
    few, all_of_them = (
        run("predict", tmp_path / "m.npz", p) for p in (tmp_path / "new.csv", visits)
    )
    assert few.returncode == 0, few.stderr
    assert few.stdout == all_of_them.stdout


def test_what_plays_no_part_is_named(visits, tmp_path):
    options = ("--kernel", "rbf", "--lam", 1, "--folds", 3, "--save", tmp_path / "m.npz")
    assert (
        "warning: --folds and --groups play no part"
        in run("fit", visits, *CLASSES, *options).stderr
    )


@pytest.mark.parametrize("command", [("select",), ("evaluate",), ("fit", "--save", "m.npz")])
def test_refusals(visits, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, *options = command
    asked = (name, visits, *options, "--target", "ill")
    assert "did you mean 'patient'?" in refusal(*asked, "--groups", "patiant")
    assert "'ill' is both the target and the groups" in refusal(*asked, "--groups", "ill")
    assert "'1' is not a whole number" not in refusal(*asked, "--groups", "patient", "--folds", "x")
    if name != "evaluate":
        said = refusal(*asked, "--groups", "patient", "--folds", 61)
        assert "folds = 61 is more than the 60 groups" in said
