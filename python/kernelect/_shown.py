"""How an argument is named in a message."""

from __future__ import annotations


def shown(value: object) -> str:
    """Give the value itself where it is short, else its type."""
    text = repr(value)
    if len(text) <= 60 and "\n" not in text:
        return text
    kind = type(value).__name__
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
