"""Standard output and standard error, which may be closed, full or without a reader."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO


def print_out(text: str) -> None:
    """Write what was asked for to standard output, where that is open."""
    if sys.stdout is None:
        raise ValueError("standard output is closed; name a file to write to")
    sys.stdout.write(text)


def say(sentence: str) -> None:
    """Print a line to standard error; where nobody can read it, the work goes on without."""
    if sys.stderr is None:  # which print takes for standard output
        return
    try:
        print(sentence, file=sys.stderr, flush=True)
    except OSError:
        _give_up(sys.stderr)


@contextmanager
def whole_output() -> Iterator[None]:
    """See to it that standard output has been written; a reader that has left is no error.

    Python would try again at its end, and complain, so what cannot be written is dropped.
    """
    try:
        yield
    finally:
        try:
            if sys.stdout is not None:
                sys.stdout.flush()
        except BrokenPipeError:
            _give_up(sys.stdout)
        except OSError:
            _give_up(sys.stdout)
            raise


def _give_up(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
