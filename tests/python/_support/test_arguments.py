"""The checks of arguments: what passes, and the one sentence that everything else gets."""

import re

import numpy as np
import pytest

from kernelect._support.arguments import (
    check_choice,
    check_flag,
    check_fraction,
    check_number,
    check_numbers,
    check_positive,
    check_whole,
    did_you_mean,
    nearest,
    shown,
)


def refused(kind, message, check, *arguments, **limits):
    with pytest.raises(kind) as caught:
        check(*arguments, **limits)
    assert type(caught.value) is kind
    assert str(caught.value) == message


@pytest.mark.parametrize("value", [3, np.int32(3), np.uint8(3)])
def test_whole_numbers_pass(value):
    found = check_whole(value, "t", least=1, most=3)
    assert type(found) is int
    assert found == 3


@pytest.mark.parametrize("value", ["3", 3.0, np.float64(3), True, None, [3]])
def test_other_types_are_no_whole_numbers(value):
    said = f"t must be a whole number, not {shown(value)}"
    refused(TypeError, said, check_whole, value, "t", least=1)


def test_limits_of_whole_numbers():
    at_least = "t must be a whole number of at least 1, not 0"
    refused(ValueError, at_least, check_whole, np.int64(0), "t", least=1)
    refused(ValueError, "t must be from 1 to 9, not 10", check_whole, 10, "t", least=1, most=9)


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.int8(2)])
def test_numbers_pass(value):
    assert type(check_number(value, "C", positive=True)) is float
    assert check_number(value, "C", zero=True) == check_number(-value, "C") * -1 == 2.0


@pytest.mark.parametrize("value", ["1", True, np.True_, None, [1.0], 1j])
def test_other_types_are_no_numbers(value):
    said = f"C must be a number, not {shown(value)}"
    refused(TypeError, said, check_number, value, "C", positive=True)


def test_limits_of_numbers():
    positive = "C must be a positive finite number, not "
    for value in (0, -1.5, np.inf, np.nan):
        refused(ValueError, positive + shown(value), check_number, value, "C", positive=True)
    said = "C must be zero or a positive finite number, not -1"
    refused(ValueError, said, check_number, -1, "C", zero=True)
    refused(ValueError, "C must be finite, not nan", check_number, np.nan, "C")


def test_arrays_of_numbers():
    assert check_numbers([1, 2], "n", least=1, most=2).tolist() == [1.0, 2.0]
    assert check_positive(3, "n").shape == ()
    assert check_fraction([0.1, 0.9], "delta").dtype == np.float64
    limits = {"least": 0.0, "most": 1.0}
    said = "pep must be at least 0 and at most 1 and finite, not 1.5"
    refused(ValueError, said, check_numbers, 1.5, "pep", **limits)
    refused(ValueError, "n must be above 0 and finite, not [1, 0]", check_positive, [1, 0], "n")
    for value in (0.0, 1.0):
        said = f"delta must lie strictly between 0 and 1, not {value}"
        refused(ValueError, said, check_fraction, value, "delta")
    refused(TypeError, "n must hold numbers, not ['a']", check_positive, ["a"], "n")


def test_choices():
    assert check_choice("sum", "form", ("sum", "product")) == "sum"
    said = "form must be 'sum' or 'product', not 'sun'"
    refused(ValueError, said, check_choice, "sun", "form", ("sum", "product"))
    refused(ValueError, "f must be 'a', 'b' or 'c', not ['a']", check_choice, ["a"], "f", "abc")
    refused(ValueError, "f must be one of a, b, c, d, not 3", check_choice, 3, "f", "abcd")


def test_flags():
    assert check_flag(np.True_, "bias") is True
    refused(TypeError, "bias must be True or False, not 1", check_flag, 1, "bias")


def test_the_nearest_name_is_suggested():
    names = ("gaussian", "laplacian", "linear")
    assert nearest("gausian", names) == "gaussian"
    assert nearest("zzz", names) is None
    assert did_you_mean("lapacian", names) == "did you mean 'laplacian'?"
    assert did_you_mean("zzz", names) == "known are gaussian, laplacian, linear"
    assert did_you_mean("zzz", names, "it has three") == "it has three"


def test_long_arguments_are_shown_by_their_type():
    assert shown(np.float64(1.5)) == "1.5"
    assert shown("a\nb") == r"'a\nb'"
    assert shown("a" * 70) == "an object of type str"
    assert re.fullmatch("an object of type ndarray", shown(np.eye(4)))
