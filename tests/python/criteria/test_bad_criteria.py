"""Criteria and parameters of them that are refused, each with one sentence."""

from __future__ import annotations

import numpy as np
import pytest
from refusals import ONE, X, Y, cases, refuses

import kernelect as ke

RNG = np.random.default_rng(3)
FOLDS = "(PredefinedSplit for fold numbers) or (train, test) pairs of indices, not "


@cases(
    ("nearly", "smm", ValueError, "unknown criterion 'smm'; did you mean 'sm'?"),
    ("capitals", "CKTA", ValueError, "did you mean 'ckta'?"),
    ("strange", "zzzz", ValueError, "unknown criterion 'zzzz'; known are sm,"),
    ("parameters", "sm(r=3)", ValueError, "pass the object SM(r=3) of kernelect.criteria"),
    ("number", 3, TypeError, "criteria must be names or objects of kernelect.criteria, not 3"),
    ("none", None, TypeError, "criteria must be names or objects of kernelect.criteria, not None"),
    (
        "numbers",
        [3],
        TypeError,
        "a criterion is a name, an object of kernelect.criteria or a function of K and y, not 3",
    ),
    ("empty", [], ValueError, "criteria is empty; name at least one, for example 'sm'"),
    ("twice", ["sm", "kta", "sm"], ValueError, "criterion 'sm' is given twice; name it once"),
    ("twice otherwise", ["sm", ke.criteria.SM()], ValueError, "criterion 'sm' is given twice"),
)
def test_criteria(given, kind, said):
    refuses(lambda: ke.evaluate(X, Y, ONE, given), kind, said)


@cases(
    ("r zero", lambda c: c.SM(0), ValueError, "sm: r must be from 1 to 1000, not 0"),
    ("r part", lambda c: c.SM(1.5), TypeError, "sm: r must be a whole number, not 1.5"),
    ("r truth", lambda c: c.SM(True), TypeError, "sm: r must be a whole number, not True"),
    ("normalization", lambda c: c.SM(normalization="tr"), ValueError, "'trace' or 'sum', not 'tr'"),
    ("list", lambda c: c.SM(normalization=["sum"]), ValueError, "'trace' or 'sum', not ['sum']"),
    (
        "weighted",
        lambda c: c.SM(weighted=3),
        TypeError,
        "sm: weighted must be True or False, not 3",
    ),
    ("relative", lambda c: c.SM(relative=None), TypeError, "sm: relative must be True or False"),
    ("ckta", lambda c: c.CKTA("cores"), ValueError, "variant must be 'cortes' or 'survey', not"),
    ("ncut", lambda c: c.Ncut("x"), ValueError, "variant must be 'ratio' or 'shi_malik', not 'x'"),
    ("kcsm", lambda c: c.KCSM("yes"), TypeError, "kcsm: bounded must be True or False, not 'yes'"),
    ("hinge", lambda c: c.SMHinge(weighted="no"), TypeError, "sm_hinge: weighted must be True or"),
    ("phi", lambda c: c.SMPhi(weighted="no"), TypeError, "sm_phi: weighted must be True or False"),
    ("stratified", lambda c: c.CV(stratified="no"), TypeError, "cv: stratified must be True or"),
    (
        "shuffled",
        lambda c: c.CV(shuffled=0),
        TypeError,
        "cv: shuffled must be True or False, not 0",
    ),
    (
        "fold numbers",
        lambda c: c.CV(folds=np.arange(60) % 5),
        TypeError,
        FOLDS + "an object of type ndarray",
    ),
    ("fold list", lambda c: c.CV(folds=[0, 1, 0]), TypeError, FOLDS + "[0, 1, 0]"),
    ("fold pairs", lambda c: c.KS(folds=[(0, 1)]), TypeError, FOLDS + "[(0, 1)]"),
    ("fold text", lambda c: c.BIF(folds="five"), TypeError, FOLDS + "'five'"),
    ("fold truth", lambda c: c.CV(folds=True), TypeError, FOLDS + "True"),
)
def test_parameters_of_criteria(given, kind, said):
    refuses(lambda: given(ke.criteria), kind, said)


def test_numpy_parameters_are_as_good():
    assert ke.criteria.SM(np.int64(3), weighted=np.bool_(False)).key == "sm(r=3, weighted=False)"
    assert ke.criteria.KCSM(np.bool_(True)) == ke.criteria.KCSM(True)
    assert ke.criteria.CV(folds=np.int64(3)).key == "cv(folds=3)"


def test_criteria_without_a_form():
    target = RNG.normal(size=12)
    refuses(lambda: ke.evaluate(X, target, ONE, "fsm"), ValueError, "fsm is defined for classific")
    refuses(lambda: ke.evaluate(X, target, ONE, "mmd"), ValueError, "pass task='classification' if")
    three = ["a", "b", "c"] * 4
    refuses(
        lambda: ke.evaluate(X, three, ONE, "ncut"), ValueError, "two classes only, and y has 3;"
    )
    survey = ke.criteria.CKTA("survey")
    refuses(lambda: ke.evaluate(X, three, ONE, survey), ValueError, "for two classes only, and y")


def test_a_criterion_of_unknown_evidence_is_refused():
    class Own(ke.criteria.Criterion):
        name, direction, regression = "own", 1, True

    # Python's own sentence about abstract methods, which has no remedy.
    with pytest.raises(TypeError, match=r"abstract methods '?column'?, '?needs'?"):
        Own()

    class Wrong(Own):
        def needs(self):
            return ke.criteria.Needs(loo=True)

        def column(self, evidence):
            return evidence.ridge.loo.outputs

    refuses(lambda: ke.evaluate(X, Y, ONE, Wrong()), ValueError, "let needs() give Needs(outputs=")

    class Flat(Wrong):
        def column(self, evidence):
            return self.scored(evidence.ridge.loo.squared.mean(axis=-1))

    refuses(lambda: ke.evaluate(X, Y, ONE, Flat()), TypeError, "gave (1, 1) in place of a column")
