"""The library's messages on the command line: one line each, with options in place of arguments."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

# The library's messages name Python arguments; on the command line the remedy is an option.
_REMEDIES = {
    r"gaussian_grid\((\S+), (\S+), (\S+)\), or kernels='auto'": r"--grid \1:\2:\3, or --grid auto",
    r"gaussian_grid\((\S+), (\S+)\), or kernels='auto'": r"--grid \1:\2, or --grid auto",
    r"standardise them, for example with StandardScaler": "standardise them with --standardize",
    r"pass task='(\w+)'": r"pass --task \1",
}


@contextmanager
def warnings_as_lines() -> Iterator[list[str]]:
    """Print each warning meant for users once, as one line, and collect them."""
    warned: list[str] = []

    def show(message: Warning | str, *_: object, **__: object) -> None:
        sentence = one_line(message)
        if sentence not in warned:
            warned.append(sentence)
            print(f"warning: {sentence}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield warned


def one_line(message: object) -> str:
    """Fold a message into one line and name options in place of arguments."""
    line = " ".join(str(message).split()) or type(message).__name__
    for in_python, here in _REMEDIES.items():
        line = re.sub(in_python, here, line)
    return line
