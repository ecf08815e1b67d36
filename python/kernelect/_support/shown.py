"""How an argument is named in a message."""

from __future__ import annotations


def shown(value: object) -> str:
    """Give the value itself where it is short, else its type."""
    text = repr(value)
    if len(text) <= 60 and "\n" not in text:
        return text
    return f"an object of type {type(value).__name__}"
