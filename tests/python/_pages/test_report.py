"""Reports on elections: one page that needs nothing else, and says what there is to say."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import warnings
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from command_line import refusal, run
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.preprocessing import StandardScaler

import kernelect as ke
from kernelect._pages import _judged, _sections

pytest.importorskip("matplotlib").use("Agg")

pytestmark = pytest.mark.filterwarnings("ignore:the winner:UserWarning")
SMALL = ke.gaussian_grid(-4, 8, step=2)
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X)[:150], y[:150]


@pytest.fixture(scope="module")
def pages(tmp_path_factory, cancer):
    """Pages on classes, on numbers in a data frame, on noise, and without data."""
    folder = tmp_path_factory.mktemp("pages")
    X, y = cancer
    ke.select(X, y, SMALL).report(folder / "classes.html", X=X, y=y, title="Cells <1 & 2>")
    data = load_diabetes(as_frame=True)
    frame, numbers = data.data[:150], data.target[:150]
    rates = [ke.ARDGaussian([1.0] * 5 + [0.1] * 5), ke.Gaussian(1e-3)]
    ke.select(frame, numbers, rates, lam="auto").report(folder / "numbers.html", X=frame, y=numbers)
    random = np.random.default_rng(0)
    noise, labels = random.normal(size=(60, 2)), random.integers(0, 2, 60)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chosen = ke.select(noise, labels, SMALL)
    chosen.report(folder / "noise.html", X=noise, y=labels)
    chosen.report(folder / "unseen.html")
    ke.select(X, y, SMALL).report(folder / "without.html")
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.iterdir()} | {
        "folder": folder
    }


def words(page: str) -> str:
    plain = re.sub(r"<(style|script|svg).*?</\1>|<[^>]+>", " ", page, flags=re.DOTALL)
    return html.unescape(" ".join(plain.split()))


def test_the_decision_and_how_sure_it_is(pages, cancer):
    chosen = ke.select(*cancer, SMALL)
    text = words(pages["classes"])
    assert (
        f"{chosen.kernel} was elected among 7 candidates. Its accuracy on held-out rows is" in text
    )
    assert f"is {chosen.held_out_score:.4g}; always predicting the largest class gives" in text
    assert f"{chosen.evidence:.1f} standard errors better than a constant" in text
    near = ke.rivals(chosen)
    many = "" if len(near) == 2 else "s"
    assert f"{len(near) - 1} candidate{many} that the data cannot tell from the winner" in text
    assert "Cells <1 & 2>" in text
    assert "<title>Cells &lt;1 &amp; 2&gt;</title>" in pages["classes"]


def test_pictures(pages):
    labels = {
        name: set(re.findall(r'aria-label="([^"]+)"', pages[name]))
        for name in ("classes", "numbers", "without")
    }
    always = {"the deciding criterion over the candidates", "all criteria over the candidates"}
    spectrum = {"share of the labels at each eigenvalue"}
    assert labels["without"] == always
    assert labels["classes"] == always | spectrum | {
        "confusion of classes",
        "calibration of probabilities",
    }
    assert labels["numbers"] == always | spectrum | {
        "observed against predicted",
        "standardised residuals",
        "Relevance of the columns",
    }
    for name in ("classes", "numbers", "noise"):
        for svg in re.findall(r"<svg.*?</svg>", pages[name], flags=re.DOTALL):
            assert len(list(ET.fromstring(svg).iter())) > 50  # something was drawn


def test_warnings_come_with_remedies(pages):
    assert 'class="warning">no evidence' in pages["noise"]
    assert "try other columns, more rows or other kernels" in pages["noise"]
    assert 'class="warning">no evidence' in pages["unseen"]  # which takes no data to know
    assert 'class="warning"' not in pages["classes"]


def test_less_than_a_constant_is_not_called_better(pages):
    assert "standard errors worse than a constant" in words(pages["noise"])
    assert "better than a constant" not in words(pages["noise"])


def test_nothing_comes_from_elsewhere(pages):
    for name in ("classes", "numbers", "noise", "without"):
        page = pages[name]
        for link in re.findall(r'(?:src|href)="([^"]*)"', page):
            assert link.startswith(("#", "data:"))
        others = set(re.findall(r"https?://[^\s\"'<]+", page))
        assert others <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
        assert "@import" not in page
        assert "<metadata>" not in page


def test_names_inside_a_page_are_its_own(pages):
    page = pages["classes"]
    names = re.findall(r'\bid="([^"]+)"', page)
    assert len(names) == len(set(names))
    used = re.findall(r'(?:href="#|url\(#)([^")]+)', page)
    assert set(used) <= set(names)


@pytest.mark.parametrize("name", ["classes", "numbers"])
def test_the_code_gives_the_model_again(pages, cancer, name):
    blocks = re.findall(r"<pre>(.*?)</pre>", pages[name], flags=re.DOTALL)
    X, y = cancer
    if name == "numbers":
        X, y = load_diabetes(return_X_y=True)
        X, y = X[:150], y[:150]
    names = {"X": X, "y": y}
    exec(html.unescape(blocks[-1]), names)  # noqa: S102
    said = re.search(r"(?:accuracy|R²) on held-out rows is ([\d.]+);", words(pages[name]))
    score = float(said.group(1))
    assert names["judged"].loo_score_ == pytest.approx(score, abs=1e-4)
    assert names["model"].score(X, y) > 0.3


def test_held_out_predictions_are_those_of_the_model_that_was_judged(cancer):
    X, y = cancer
    chosen = ke.select(X, y, SMALL, lam="auto")
    judged = _judged.judge(chosen, X, y)
    twin = ke.LSSVMClassifier(chosen.kernel, lam=chosen.lam).fit(X, y)
    assert judged.score == twin.loo_score_ == pytest.approx(chosen.held_out_score)
    data, numbers = load_diabetes(return_X_y=True)
    chosen = ke.select(data[:80], numbers[:80], SMALL, "ckta")
    judged = _judged.judge(chosen, data[:80], numbers[:80])
    model = ke.LSSVMRegressor(chosen.kernel).fit(data[:80], numbers[:80])
    assert judged.score == pytest.approx(model.loo_score_)
    standard = (judged.observed - judged.predicted) / judged.deviation
    assert np.mean(standard**2) == pytest.approx(1.0)


def test_many_rows_are_a_sample_and_the_page_says_so(cancer, tmp_path, monkeypatch):
    X, y = cancer
    monkeypatch.setattr(_judged, "MOST_ROWS", 60)
    ke.select(X, y, SMALL).report(tmp_path / "r.html", X=X, y=y)
    assert "50 of the 150 rows are shown." in words((tmp_path / "r.html").read_text("utf-8"))


def test_kernel_matrices_sums_and_several_numbers(cancer, tmp_path):
    X, y = cancer
    matrices = [kernel(X) for kernel in SMALL[:3]]
    chosen = ke.select(None, y, matrices)
    chosen.report(tmp_path / "m.html", X=matrices[chosen.index], y=y)
    assert "confusion of classes" in (tmp_path / "m.html").read_text("utf-8")
    with pytest.raises(ValueError, match="so X must be that matrix"):
        chosen.report(tmp_path / "n.html", X=X, y=y)
    members = [ke.Gaussian(8.0) + 0.5 * ke.Linear(), ke.Gaussian(1e-6)]
    ke.select(X, y, members).report(tmp_path / "s.html", X=X, y=y)
    assert "Members of the kernel" in (tmp_path / "s.html").read_text("utf-8")
    both = np.column_stack([X[:, 0], X[:, 1]])
    ke.select(X[:, 2:], both, SMALL).report(tmp_path / "t.html", X=X[:, 2:], y=both)
    assert "Predictions of rows" not in (tmp_path / "t.html").read_text("utf-8")


def test_a_long_sum_is_named_by_its_members(cancer, tmp_path):
    X, y = cancer
    long = ke.Gaussian(8.0) + ke.normalized(ke.Polynomial(2)) + ke.Linear()
    long += ke.on_columns([0, 2], ke.Gaussian(16.0))
    ke.select(X, y, [long, ke.Gaussian(1e-6)]).report(tmp_path / "s.html", X=X, y=y)
    page = words((tmp_path / "s.html").read_text("utf-8"))
    assert "A sum of 4 kernels was elected among 2 candidates" in page
    assert "higher loss of the runner-up" in page  # a lead may be more than 100 %
    blocks = re.findall(r"<pre>(.*?)</pre>", (tmp_path / "s.html").read_text("utf-8"), re.DOTALL)
    names = {"X": X, "y": y}
    exec(html.unescape(blocks[-1]), names)  # noqa: S102
    assert names["judged"].kernel_ == long


def test_relevances_do_not_depend_on_the_units_of_columns(cancer, tmp_path, monkeypatch):
    X, y = cancer
    seen, plots = [], _sections.relevance
    monkeypatch.setattr(_sections, "relevance", lambda shares: seen.append(shares) or plots(shares))
    units = np.array([1.0, 10.0, 0.1])
    for unit in (np.ones(3), units):
        kernel = ke.ARDGaussian([0.5, 0.2, 0.1] / unit**2)
        rows = X[:, :3] * unit
        ke.select(rows, y, [kernel]).report(tmp_path / "r.html", X=rows, y=y)
        assert "Relevance of the columns" in (tmp_path / "r.html").read_text("utf-8")
    assert list(seen[0]) == ["x0", "x1", "x2"]
    assert seen[1] == pytest.approx(seen[0], rel=1e-9)


def test_refusals(cancer, tmp_path):
    X, y = cancer
    chosen = ke.select(X, y, SMALL)
    with pytest.raises(ValueError, match="a report needs both X and y"):
        chosen.report(tmp_path / "r.html", X=X)
    with pytest.raises(ValueError, match="X has 150 rows, but y has 149"):
        chosen.report(tmp_path / "r.html", X=X, y=y[1:])
    with pytest.raises(TypeError, match="title must be text"):
        chosen.report(tmp_path / "r.html", title=3)
    assert not list(tmp_path.iterdir())


def test_the_command_line(tmp_path):
    frame = load_iris(as_frame=True).frame
    frame["petal length (cm)"] *= 1e5
    frame.to_csv(tmp_path / "flowers.csv", index=False)
    done = run("select", tmp_path / "flowers.csv", "--report", tmp_path / "r.html")
    assert done.returncode == 0, done.stderr
    page = words((tmp_path / "r.html").read_text("utf-8"))
    assert "flowers.csv flowers.csv Gaussian(" in page  # title, heading, decision
    assert f"kernelect select {tmp_path / 'flowers.csv'} --report" in page
    assert "standardise them with --standardize" in page
    assert "does not end in .html" in refusal(
        "select", tmp_path / "flowers.csv", "--report", tmp_path / "r.pdf"
    )


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.parametrize("width", [1200, 400])
@pytest.mark.parametrize("name", ["classes", "numbers"])
def test_in_a_browser(pages, tmp_path, name, width):
    """Loads without a word on the console, draws every picture, and is no wider than its window."""
    # A window has a least width; a frame inside has none.
    path = tmp_path / "page.html"
    path.write_text(
        f'<body><iframe width="{width}" height="9000" style="border: 0" '
        f'srcdoc="{html.escape(pages[name])}"></iframe><script>'
        "onload = () => { const page = frames[0].document;"
        "const drawn = [...page.querySelectorAll('figure svg')].map(s => s.getBoundingClientRect())"
        ".filter(box => box.width > 200 && box.height > 50).length;"
        "document.title = [page.documentElement.scrollWidth, drawn, frames[0].innerWidth];"
        "};</script></body>",
        encoding="utf-8",
    )
    done = subprocess.run(
        [
            *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
            *("--enable-logging=stderr", f"--user-data-dir={tmp_path / 'profile'}"),
            *("--window-size=1300,1000", "--dump-dom", path.as_uri()),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "CONSOLE" not in done.stderr
    wide, drawn, window = map(
        int, re.search(r"<title>(\d+),(\d+),(\d+)</title>", done.stdout).groups()
    )
    assert window == width
    assert wide <= width
    assert drawn == pages[name].count("<figure")


def test_data_frames_name_their_columns(tmp_path):
    data = load_diabetes(as_frame=True)
    frame = pd.DataFrame(data.data[:100])
    kernels = [ke.ARDGaussian(np.linspace(0.1, 2, 10)), ke.Gaussian(1e-3)]
    ke.select(frame, data.target[:100], kernels).report(
        tmp_path / "r.html", X=frame, y=data.target[:100]
    )
    assert "Relevance of the columns" in (tmp_path / "r.html").read_text("utf-8")


def test_what_came_of_a_refinement(tmp_path, cancer):
    X, y = cancer
    chosen = ke.refine(X[:60, :3], y[:60], ke.Gaussian(4.0))
    chosen.report(tmp_path / "r.html")
    text = words((tmp_path / "r.html").read_text("utf-8"))
    assert not chosen.refinement.adopted
    said = chosen.refinement._said()
    assert f"Refinement {said.capitalize()[0]}{said[1:]}." in text
    assert "Candidates and rivals" in text


def test_a_refined_kernel_is_told_by_what_it_saved(tmp_path):
    X = np.random.default_rng(0).normal(size=(200, 3))
    frame, y = pd.DataFrame(X, columns=["dose", "age", "noise"]), np.sin(2 * X[:, 0])
    chosen = ke.refine(frame, y)
    chosen.report(tmp_path / "r.html", X=frame, y=y)
    assert "parameters were refined on all rows" in (tmp_path / "r.html").read_text("utf-8")
    chosen.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    text = words(page)
    assert f"was refined from {chosen.refinement.start}, which was elected before." in text
    assert f"{chosen.refinement.gain:.1%} of the loss of {chosen.refinement.start} saved" in text
    assert "Relevance of the columns" in text
    assert "dose" in page
    assert "has no standard error" not in text
    assert "Candidates and rivals" not in text


def test_a_single_candidate_is_not_elected_among_candidates(tmp_path):
    X, y = load_iris(return_X_y=True)
    ke.select(X, y, [ke.Gaussian(21.34603755)]).report(tmp_path / "one.html")
    page = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert "<strong>Gaussian(tau=21.35)</strong> was the only candidate. Its accuracy" in page
