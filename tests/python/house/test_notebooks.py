"""What notebooks show: diagrams of estimators with what the fit has found, results, progress."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
import tqdm.auto
from problems import problem
from sklearn import config_context
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import kernelect as ke

TWO = [ke.Gaussian(1.0), ke.Gaussian(8.0)]
ESTIMATORS = {
    "classifier": (
        ke.LSSVMClassifier("auto"),
        "binary",
        r"Gaussian\(tau=.* accuracy [\d.]+ of rows left",
    ),
    "regressor": (
        ke.LSSVMRegressor("auto"),
        "regression",
        r"Gaussian\(tau=.* R² [\d.]+ of rows left",
    ),
    "committee": (
        ke.LSSVMRegressor("committee"),
        "regression",
        r"\d models together: R² [\d.]+ of rows left",
    ),
    "fixed": (ke.LSSVMClassifier(ke.Linear(), lam=0.5), "binary", r"Linear\(\) with λ = 0.5"),
    "mkl": (ke.MKLClassifier("average", TWO), "binary", "2 kernels in use, gap"),
    "mkl regressor": (ke.MKLRegressor("average", TWO), "regression", "2 kernels in use, gap"),
    "infinite": (ke.InfiniteMKLClassifier("ikl"), "binary", r"\d+ kernels? in use, gap"),
    "selector": (ke.KernelSelector(SVC(), TWO), "binary", r"elected: Gaussian\(tau="),
    "selector of SVR": (ke.KernelSelector(SVR(), TWO), "regression", r"elected: Gaussian\(tau="),
}
BELOW = '<div style="font-family: monospace'  # begins what is added to the diagram
VOID = {"input", "br", "img", "meta", "link", "hr"}


class Balanced(HTMLParser):
    """Counts what is opened and closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


def check_html(text: str) -> str:
    parser = Balanced()
    parser.feed(text)
    assert parser.open == []
    return text


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", ESTIMATORS)
def test_diagrams_have_what_the_fit_has_found(name):
    estimator, task, words = ESTIMATORS[name]
    X, y = problem(task, n=50)
    new = clone(estimator)
    assert BELOW not in new._repr_mimebundle_()["text/html"]
    fitted = new.fit(X, y)
    for text in (fitted._repr_mimebundle_()["text/html"], fitted._repr_html_()):
        assert "sk-top-container" in text  # scikit-learn's diagram
        assert re.search(rf"<summary>{words}", text)
        check_html(text[text.index(BELOW) :])
    with config_context(display="text"):
        assert "text/html" not in fitted._repr_mimebundle_()
        assert not hasattr(fitted, "_repr_html_")


def test_the_diagram_of_a_selector_has_the_estimator_inside():
    X, y = problem("binary", n=50)
    selector = ke.KernelSelector(SVC(C=7.0), TWO)
    assert "estimator: SVC" in selector._repr_html_()
    assert "best_estimator_: SVC" in selector.fit(X, y)._repr_html_()
    assert "estimator: LSSVMClassifier" in ke.KernelSelector()._repr_html_()
    assert "KernelSelector" in make_pipeline(StandardScaler(), selector)._repr_html_()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_results_fold_their_details():
    X, y = problem("binary", n=60)
    chosen = ke.select(X, y)
    text = check_html(chosen._repr_html_())
    assert "<code>SVC(" in text
    assert "within one standard error</summary>" in text
    assert "<summary>all 31 candidates</summary>" in text
    without = check_html(ke.select(X, y, criterion="ckta")._repr_html_())
    assert "within one standard error" not in without
    check_html(chosen.table._repr_html_())


def test_progress_is_a_bar_of_the_notebook_where_there_is_one(monkeypatch):
    seen = []

    class Bar(tqdm.auto.tqdm):
        def __init__(self, *args, **options):
            seen.append(options["desc"])
            super().__init__(*args, **options)

    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    X, y = problem("binary", n=40)
    ke.evaluate(X, y, TWO, "sm", progress=True)
    assert len(seen) == 1


def test_agreement_is_a_table():
    X, y = problem("binary")
    shown = check_html(ke.agreement(ke.evaluate(X, y, TWO, ["sm", "kta"]))._repr_html_())
    left = ' style="text-align: left"'
    head = f"<table><thead><tr><th{left}></th><th>sm</th><th>kta</th></tr></thead>"
    assert shown.startswith(head)
