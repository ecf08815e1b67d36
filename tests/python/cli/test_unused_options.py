"""No option is ignored without a word: it changes what comes out, or a message names it."""

import json

import numpy as np
import pytest
from command_line import run

OPTIONS = {
    "--lam": "3",
    "--lam-convention": "mean",
    "--no-bias": None,
    "--folds": "4",
    "--groups": "who",
    "--scoring": "roc_auc",
    "--landmarks": "30",
    "--sample": "70",
}


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    random = np.random.default_rng(1)
    X = random.normal(size=(200, 3))
    path = tmp_path_factory.mktemp("rows") / "rows.npz"
    y = (X[:, 0] * X[:, 1] + 0.3 * random.normal(size=200) > 0).astype(int)
    np.savez(path, X=X, y=y, who=np.arange(200) // 8)
    return path


def scores(done):
    """Return the scores of a result, by criterion, of all candidates."""
    return json.loads(done.stdout)["result"]


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("criterion", ["sm", "loo", "cv", "er", "gcv", "ks", "auto"])
@pytest.mark.parametrize("command", ["select", "evaluate"])
def test_walk(rows, command, criterion, option):
    if (command, criterion) == ("evaluate", "auto"):
        pytest.skip("auto elects alone")
    by = "--criterion" if command == "select" else "--criteria"
    asked = (command, rows, by, criterion, "--grid", "-1:2", "--json", "-")
    given = (option,) if OPTIONS[option] is None else (option, OPTIONS[option])
    changed = run(*asked, *given)
    if changed.returncode != 0:
        assert option.strip("-").replace("-", "_") in changed.stderr.replace("-", "_")
        return
    plain = run(*asked)
    named = f"{option} plays no part" in changed.stderr
    assert "no part" not in plain.stderr
    assert named == (scores(changed) == scores(plain)), changed.stderr
