"""No argument is ignored without a word: landmarks, samples, and what refines."""

import numpy as np
import pytest
from unused_arguments import CRITERIA, ELECTING, elected, evaluated, other_arguments, outcome, walk

import kernelect as ke

RNG = np.random.default_rng(1)
MANY = RNG.normal(size=(200, 3))
LABELS = (MANY[:, 0] * MANY[:, 1] + 0.3 * RNG.normal(size=200) > 0).astype(int)
X, Y = MANY[:80], LABELS[:80]
REFINING = {"per_column": False, "penalty": 0.5, "bounds": (0.5, 2.0), **other_arguments(X)}


@pytest.mark.parametrize(("name", "value"), [("landmarks", 40), ("sample", 80)])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_evaluate(criterion, name, value):
    scores = evaluated(MANY, LABELS, criterion)
    walk(lambda: scores(**{name: value}), scores, name, "many", criterion)


@pytest.mark.parametrize("criterion", ["auto", *ELECTING])
def test_select(criterion):
    decisive = elected(MANY, LABELS, criterion)
    walk(lambda: decisive(landmarks=40), decisive, "landmarks", "select many", criterion)


@pytest.mark.parametrize("name", REFINING)
@pytest.mark.parametrize("start", [None, ke.Gaussian(2.0)])
@pytest.mark.parametrize("criterion", ["auto", "loo", "cv", "evidence", "sm", "kta", "ckta", "ks"])
def test_refine(criterion, start, name):
    target = X[:, 0] + np.sin(2 * X[:, 1]) if criterion == "evidence" else Y

    def refined(**given):
        found = ke.refine(X, target, start, criterion, **given)
        way = found.refinement
        return repr(found.kernel), found.lam, way.loss, way.start_loss, way.relevance

    if criterion in ("sm", "kta", "ckta") and (
        name == "sample_weight" or (start and name == "lam")
    ):
        # They are for the election and the judge alone, which is said.
        assert outcome(lambda: refined(**{name: REFINING[name]}), name)[1]
        return
    walk(lambda: refined(**{name: REFINING[name]}), refined, name, criterion, start)
