"""The library's messages on the command line: one line each, with options in place of arguments."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from .._support.remedy import on_command_line
from ._streams import say


@contextmanager
def warnings_as_lines(quiet: bool = False) -> Iterator[list[str]]:
    """Print each warning meant for users once, as one line, and collect them.

    Where all is to be `quiet`, they are collected alone.
    """
    warned: list[str] = []

    def show(message: Warning | str, *_: object, **__: object) -> None:
        sentence = one_line(message)
        if sentence not in warned:
            warned.append(sentence)
            if not quiet:
                say(f"warning: {sentence}")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield warned


def one_line(message: object) -> str:
    """Fold a message into one line, with options in place of arguments where it knows them."""
    return " ".join(on_command_line(message).split()) or type(message).__name__
