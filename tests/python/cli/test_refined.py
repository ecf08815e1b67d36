"""Kernels with many widths on the command line: JSON has them whole, and text names where to."""

import html
import re

import numpy as np
import pandas as pd
import pytest
from command_line import result_of, run

import kernelect as ke


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """Return a table whose first column matters, and what is in it."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(160, 9))
    y = np.sin(2.0 * X[:, 0]) + 0.1 * rng.normal(size=160)
    path = tmp_path_factory.mktemp("rows") / "rows.csv"
    lines = [",".join(map(repr, row)) for row in np.column_stack([X, y]).tolist()]
    path.write_text("\n".join(["a,b,c,d,e,f,g,h,i,y", *lines]) + "\n")
    return path, X, y


def test_json(rows, tmp_path):
    path, X, y = rows
    page, picture = tmp_path / "page.html", tmp_path / "picture.png"
    written = result_of("select", path, "--refine", "--report", page, "--plot", picture)
    frame = pd.DataFrame(X, columns=[*"abcdefghi"])
    chosen = ke.refine(frame, y, ke.select(frame, y))
    assert chosen.refinement.adopted
    assert ke.serialization.from_dict(written) == chosen
    assert ke.serialization.from_dict(written["scikit_learn"]["kernel"]) == chosen.kernel
    assert page.exists()
    assert picture.exists()


def test_text_that_can_be_copied(rows, tmp_path):
    path, *_ = rows
    done = run("select", path, "--refine")
    assert done.returncode == 0
    lines = dict(line.split(":", 1) for line in done.stdout.splitlines() if ":" in line)
    assert "..." in lines["elected"]
    assert lines["in kernelect"].strip().startswith("LSSVMRegressor(kernel=kernel, lam=")
    assert lines["in scikit-learn"].strip().startswith("SVR(kernel=kernel, C=")
    assert lines["kernel"].strip() == "kernelect.load('FILE').kernel, which --json FILE writes"
    file = tmp_path / "chosen.json"
    told = run("select", path, "--refine", "--json", file).stdout
    assert told.splitlines()[-1].endswith(f"kernelect.load('{file}').kernel")
    assert f"{ke.load(file).kernel!r}" in lines["elected"]


def test_text_says_what_judged_the_election(rows):
    path, *_ = rows
    told = run("select", path, "--refine", "--landmarks", "50").stdout
    assert "verified by loo of models with 50 landmarks" in told
    assert "\nrefined: " in told


def test_the_code_of_a_report_has_all_digits(rows, tmp_path):
    _, X, y = rows
    chosen = ke.refine(X[:, :3], y)
    assert chosen.refinement.adopted
    chosen.report(tmp_path / "page.html")
    code = re.findall(r"<pre>(.*?)</pre>", (tmp_path / "page.html").read_text(), re.DOTALL)[-1]
    names = {"X": X[:, :3], "y": y}
    exec(html.unescape(code), names)  # noqa: S102
    assert names["judged"].kernel == chosen.kernel
