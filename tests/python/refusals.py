"""How bad input is refused: one sentence, what was given, what is wanted, and the remedy."""

from __future__ import annotations

import re

import numpy as np
import pytest

import kernelect as ke

RNG = np.random.default_rng(3)
X = RNG.normal(size=(12, 3))
Y = np.repeat([0, 1], 6)
ONE = [ke.Gaussian(1.0)]


def changed(array, place, value):
    array = np.array(array, dtype=object if isinstance(value, str) else float)
    array[place] = value
    return array


def refuses(action, kind, said):
    """`said` occurs in the single sentence that the error consists of."""
    with pytest.raises(kind) as caught:
        action()
    message = str(caught.value)
    assert type(caught.value) is kind
    assert said in message
    assert "\n" not in message
    assert len(message) < 250
    assert not message.endswith(".")
    assert "np." not in message
    assert not re.search(r"\. [A-Z]", message)


def cases(*rows):
    return pytest.mark.parametrize(
        ("given", "kind", "said"), [pytest.param(*row[1:], id=row[0]) for row in rows]
    )
