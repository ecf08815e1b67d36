"""Remedies in two dialects: an argument in Python is an option on the command line."""

from __future__ import annotations

from typing import TypeVar, final

Message = TypeVar("Message", bound=Exception)

_NAME = "on_command_line"


@final
class Remedy(str):
    """What to do, in the words of Python; `option` says the same on the command line."""

    option: str

    def __new__(cls, in_python: str, option: str) -> Remedy:
        """Make a text that remembers its other form."""
        remedy = super().__new__(cls, in_python)
        remedy.option = option
        return remedy


def advised(kind: type[Message], fault: str, remedy: str) -> Message:
    """Make an error or a warning ``fault; remedy``, which the command line may word its own way.

    Its type stays what it is, so that nobody who catches it needs to know.
    """
    message = kind(f"{fault}; {remedy}")
    if isinstance(remedy, Remedy):
        vars(message)[_NAME] = f"{fault}; {remedy.option}"
    return message


def worded(kind: type[Message], in_python: str, on_command_line: str) -> Message:
    """Make an error or a warning that is worded another way on the command line."""
    message = kind(in_python)
    vars(message)[_NAME] = on_command_line
    return message


def on_command_line(message: object) -> str:
    """Return the words of an error or a warning for the command line."""
    return str(getattr(message, _NAME, message))
