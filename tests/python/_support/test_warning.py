"""Every warning of the package points at the line of whoever asked for the work."""

import ast
import os
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import joblib
import numpy as np
import pytest
from problems import problem
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import kernelect as ke
from kernelect._support.warning import collected_warnings, warn_caller

PACKAGE = Path(ke.__file__).parent
X, Y = problem("binary", n=40, d=3)
LONELY = np.where(np.arange(40) == 0, 2, Y)
NARROW = [ke.Gaussian(1e-9), ke.Gaussian(1e-8)]
EDGE = ke.gaussian_grid(12, 16)
TWO = [ke.Gaussian(0.5), ke.Gaussian(4.0)]


def slow(a, b):
    time.sleep(0.05)
    return ke.Linear()(a, b)


def mkl(*arguments, **parameters):
    return lambda: ke.MKLClassifier(*arguments, **parameters).fit(X, Y)


SITES = {
    "stands at the edge of the grid": lambda: ke.select(X, Y, EDGE),
    "columns have very different scales": lambda: ke.evaluate(X * [1.0, 1.0, 1e6], Y, TWO, "sm"),
    "no evidence: by sm": lambda: ke.select(X, Y, NARROW, "sm"),
    "seconds was reached": lambda: ke.evaluate(X, Y, [slow, *TWO], "loo", time_limit=0.01),
    "has a single member, which": lambda: ke.evaluate(X, LONELY, TWO, "loo"),
    "there is nothing to combine": mkl("simple", TWO[:1]),
    "are repetitions of others": mkl("simple", [*TWO, TWO[0]]),
    "are constant on these rows": mkl("simple", [*TWO, ke.Gaussian(1e40)]),
    "make an indefinite sum": mkl("align_linear", [ke.Gaussian(t) for t in (0.5, 2.0, 2.2, 8.0)]),
    "the weights have not converged": mkl("simple", max_iter=2),
    "in the cross-validation": mkl("fkl", TWO, lam=[0.1, 9.0], max_iter=2, tol=1e-12),
    "and the gap is still": lambda: ke.InfiniteMKLClassifier(max_rounds=1).fit(X, Y),
}


def told(action):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    return caught


@pytest.mark.parametrize("words", SITES)
def test_every_place_that_warns(words):
    caught = told(SITES[words])
    assert any(words in str(warning.message) for warning in caught)
    assert {warning.filename for warning in caught} == {__file__}


def calls_of_warn(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("warnings.warn", "warn"):
            yield node.lineno


def test_nothing_in_the_package_counts_levels():
    found = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in PACKAGE.rglob("*.py")
        for line in calls_of_warn(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


SELECTOR = ke.KernelSelector(SVC(), EDGE)
CALLERS = {
    "meta-estimator": lambda: SELECTOR.fit(X, Y),
    "pipeline": lambda: make_pipeline(StandardScaler(), SELECTOR).fit(X, Y),
    "cross-validation": lambda: cross_val_score(SELECTOR, X, Y, cv=2),
    "grid search": lambda: GridSearchCV(SELECTOR, {"rule": ["best"]}, cv=2).fit(X, Y),
    "kernel learning in a pipeline": lambda: make_pipeline(
        StandardScaler(), ke.MKLClassifier("simple", max_iter=2)
    ).fit(X, Y),
}


@pytest.mark.parametrize("caller", CALLERS)
def test_scikit_learn_in_between_is_not_the_caller(caller):
    caught = told(CALLERS[caller])
    assert caught
    assert {warning.filename for warning in caught} == {__file__}


def test_a_worker_has_no_line_of_the_caller():
    with joblib.parallel_backend("threading"):
        caught = told(lambda: cross_val_score(SELECTOR, X, Y, cv=2, n_jobs=2))
    assert caught
    assert not any(Path(warning.filename).is_relative_to(PACKAGE) for warning in caught)


def test_a_line_warns_once_by_default():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            warn_caller("again and again")
    assert len(caught) == 1


def test_warnings_are_collected_in_one_thread_only():
    inside, done = threading.Event(), threading.Event()

    def other():
        inside.wait(60)
        warn_caller("of another thread")
        done.set()

    thread = threading.Thread(target=other)
    thread.start()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with collected_warnings() as sentences:
            warn_caller("first")
            inside.set()
            done.wait(60)
            with collected_warnings() as within:
                warn_caller("within")
            warn_caller("last")
        warn_caller("after")
        thread.join(60)
    assert (sentences, within) == (["first", "last"], ["within"])
    assert [str(warning.message) for warning in caught] == ["of another thread", "after"]


def test_an_unusual_scipy_is_told_at_the_first_use(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, scipy.linalg, sklearn.svm, sklearn.model_selection\n"
        "sys.modules['scipy.linalg.cython_lapack'] = None\n"
        "import kernelect\n"
        "kernelect.select  # the line to name\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "default", str(script)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
    )
    assert f"{script}:4: UserWarning: SciPy's LAPACK is not usable" in done.stderr
