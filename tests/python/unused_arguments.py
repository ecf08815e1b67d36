"""What an argument changes, and what is said where it changes nothing."""

import warnings

import numpy as np

import kernelect as ke

NOTHING = object()
GRID = ke.gaussian_grid(-1, 2)
CRITERIA = ke.criteria.names("classification", 2)
ELECTING = [name for name in CRITERIA if ke.criteria.get(name).direction]


def other_arguments(X):
    """Return another value than the default for each argument about models, and groups of rows."""
    groups = np.argsort(np.argsort(X[:, 1])) // 3
    models = {"lam": 3.0, "lam_convention": "mean", "bias": False}
    return {**models, "folds": 4, "groups": groups, "sample_weight": 1.0 + groups}


def outcome(action, name):
    """What an action returns, and whether it said in so many words that an argument is unused."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = action()
        except ValueError as error:
            return NOTHING, name in str(error)
    words = [str(one.message) for one in caught if "no part" in str(one.message)]
    assert all(name in word for word in words)
    return found, bool(words)


USUAL = {}  # what comes out without the argument, which is the same for all of them


def walk(changed, usual, name, *call):
    """Either the argument plays its part or something is said, and not both."""
    found, said = outcome(changed, name)
    if found is not NOTHING and call not in USUAL:
        USUAL[call], heard = outcome(usual, name)
        assert not heard
    assert said == (found is NOTHING or found == USUAL[call]), (found, said)


def evaluated(X, y, criterion):
    """Return a function of other arguments: what `evaluate` finds with them."""

    def scores(**given):
        table = ke.evaluate(X, y, GRID, criterion, **given)
        return [(key, values.tolist()) for key, values in table.scores.items()]

    return scores


def elected(X, y, criterion):
    """Return a function of other arguments: what `select` decides by with them."""

    def decisive(**given):
        chosen = ke.select(X, y, GRID, criterion, **given)
        return chosen.decisive, chosen.table.scores[chosen.decisive].tolist()

    return decisive
