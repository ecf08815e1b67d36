"""Messages of the library that name an argument in Python and an option on the command line."""

import pickle
import warnings

import numpy as np
import pytest
from problems import problem

import kernelect as ke
from kernelect._support.remedy import Remedy, advised
from kernelect.cli._messages import one_line

X, Y = problem("binary", n=40, d=3)


def warning_of(action):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", "no evidence")
        action()
    (found,) = caught
    return found.message


def error_of(action):
    with pytest.raises(ValueError, match="task=") as caught:
        action()
    return caught.value


@pytest.mark.parametrize(
    ("message", "in_python", "on_command_line"),
    [
        (
            lambda: warning_of(lambda: ke.select(X, Y, ke.gaussian_grid(12, 16))),
            "for example gaussian_grid(4, 16), or kernels='auto'",
            "for example --grid 4:16, or --grid auto",
        ),
        (
            lambda: warning_of(lambda: ke.select(X, Y, ke.gaussian_grid(12, 16, 0.5))),
            "for example gaussian_grid(4, 16, 0.5), or kernels='auto'",
            "for example --grid 4:16:0.5, or --grid auto",
        ),
        (
            lambda: warning_of(lambda: ke.evaluate(X * [1.0, 1.0, 1e6], Y, criteria="sm")),
            "standardise them, for example with StandardScaler",
            "standardise them with --standardize",
        ),
        (
            lambda: error_of(
                lambda: ke.evaluate(X, X[:, 0], criteria="kta", task="classification")
            ),
            "pass task='regression'",
            "pass --task regression",
        ),
        (
            lambda: error_of(lambda: ke.evaluate(X, X[:, 0], criteria="ekta")),
            "pass task='classification' if it holds labels",
            "pass --task classification if it holds labels",
        ),
    ],
)
def test_both_dialects(message, in_python, on_command_line):
    found = message()
    for carried in (found, pickle.loads(pickle.dumps(found))):
        assert type(carried) in (ValueError, UserWarning)
        assert str(carried).endswith(in_python)
        assert one_line(carried).endswith(on_command_line)
        assert in_python not in one_line(carried)


def test_other_messages_stay_as_they_are():
    assert one_line(ValueError("a\n  b")) == "a b"
    assert one_line(KeyboardInterrupt()) == "KeyboardInterrupt"
    assert one_line(advised(ValueError, "wrong", "do it again")) == "wrong; do it again"


def test_a_remedy_is_text():
    remedy = Remedy("pass x=1", "pass --x 1")
    assert remedy == "pass x=1"
    assert np.array([remedy]).tolist() == ["pass x=1"]
