"""Whether the text of a kernel can be copied into code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..kernels import Kernel
from .serialization import to_dict

_NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]?\d+)?")
# What the parameters of kernels are unless they are written.
_DEFAULTS = {0.0, 1.0}


def printed_whole(kernel: Kernel) -> bool:
    """Whether the text of a kernel has its numbers with all digits.

    Widths of columns and weights have six, and of many columns some are left out. Functions are
    named alone, however they are written.
    """
    try:
        numbers = set(_numbers(to_dict(kernel)))
    except TypeError:
        return True
    written = repr(kernel)
    found = {float(number) for number in _NUMBER.findall(written)}
    return "..." not in written and numbers <= found | _DEFAULTS


def _numbers(item: Any) -> Iterator[float]:
    if isinstance(item, float):
        yield item
    elif isinstance(item, dict):
        for each in item.values():
            yield from _numbers(each)
    elif isinstance(item, list):
        for each in item:
            yield from _numbers(each)
