"""Checks of arguments, and how a refused one is named: the one place for both.

A wrong type is a TypeError, a wrong value a ValueError, each in one sentence: the argument, what is
wanted, what was given. Of a choice among strings every other object is a wrong value.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import FloatArray

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_LONGEST = 60  # characters of an argument that a message repeats


def shown(value: object) -> str:
    """Return the value as it is written where that is short, else its type."""
    try:
        text = repr(value.item() if isinstance(value, np.generic) else value)
    except ValueError:  # a whole number of more digits than Python converts
        text = ""
    if 0 < len(text) <= _LONGEST and "\n" not in text:
        return text
    return f"an object of type {type(value).__name__}"


def nearest(given: object, known: Iterable[str]) -> str | None:
    """Return the known name that is most like the given one, None where none is like it."""
    near = difflib.get_close_matches(str(given), list(known), n=1, cutoff=0.4)
    return near[0] if near else None


def did_you_mean(given: object, known: Sequence[str], otherwise: str | None = None) -> str:
    """Return the hint at the nearest name, or `otherwise`, by default the list of all names."""
    near = nearest(given, known)
    if near is not None:
        return f"did you mean {near!r}?"
    return f"known are {', '.join(known)}" if otherwise is None else otherwise


def is_whole(value: object) -> bool:
    """Whether the value is a whole number by its type; True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Whether the value is a real number by its type; True and False are none."""
    return is_whole(value) or isinstance(value, (float, np.floating))


def check_whole(value: Any, name: str, *, least: int | None = None, most: int | None = None) -> int:
    """Return a whole number between the limits."""
    if not is_whole(value):
        raise TypeError(f"{name} must be a whole number, not {shown(value)}")
    if (least is not None and value < least) or (most is not None and value > most):
        limits = (
            f"from {least} to {most}" if most is not None else f"a whole number of at least {least}"
        )
        raise ValueError(f"{name} must be {limits}, not {shown(value)}")
    return int(value)


def check_number(value: Any, name: str, *, positive: bool = False, zero: bool = False) -> float:
    """Return a finite number: any, or a `positive` one; `zero` lets that in as well."""
    if not is_number(value):
        raise TypeError(f"{name} must be a number, not {shown(value)}")
    try:
        number = float(value)
    except OverflowError:  # a whole number beyond floating point
        number = math.inf
    if not (positive or zero):
        if not math.isfinite(number):
            raise ValueError(f"{name} must be finite, not {shown(value)}")
    elif not math.isfinite(number) or number < 0 or (number == 0 and not zero):
        wanted = "zero or a positive finite number" if zero else "a positive finite number"
        raise ValueError(f"{name} must be {wanted}, not {shown(value)}")
    return number


def check_numbers(
    value: ArrayLike,
    name: str,
    *,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
) -> FloatArray:
    """Return a number or an array of numbers as float64, all finite and between the limits."""
    try:
        numbers = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must hold numbers, not {shown(value)}") from None
    limits = {
        "at least": (least, np.greater_equal),
        "above": (above, np.greater),
        "at most": (most, np.less_equal),
    }
    given = {words: limit for words, (limit, _) in limits.items() if limit is not None}
    inside = np.isfinite(numbers)
    for words, limit in given.items():
        inside = inside & limits[words][1](numbers, limit)
    if not np.all(inside):
        wanted = " and ".join([f"{words} {limit:g}" for words, limit in given.items()] + ["finite"])
        raise ValueError(f"{name} must be {wanted}, not {shown(value)}")
    return numbers


def check_positive(value: ArrayLike, name: str) -> FloatArray:
    """Return a positive number or an array of them as float64."""
    return check_numbers(value, name, above=0.0)


def check_fraction(value: ArrayLike, name: str) -> FloatArray:
    """Return a number, or an array of them, strictly between 0 and 1 as float64."""
    numbers = check_numbers(value, name)
    if not np.all((numbers > 0) & (numbers < 1)):
        raise ValueError(f"{name} must lie strictly between 0 and 1, not {shown(value)}")
    return numbers


def check_choice(value: Any, name: str, choices: Iterable[str]) -> str:
    """Return one of several strings."""
    known = list(choices)
    if not isinstance(value, str) or value not in known:
        quoted = [repr(choice) for choice in known]
        few = len(known) <= 3
        wanted = (
            f"{', '.join(quoted[:-1])} or {quoted[-1]}" if few else f"one of {', '.join(known)}"
        )
        raise ValueError(f"{name} must be {wanted}, not {shown(value)}")
    return value


def check_flag(value: Any, name: str) -> bool:
    """Return True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, not {shown(value)}")
    return bool(value)
