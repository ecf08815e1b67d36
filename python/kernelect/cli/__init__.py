"""The command line: ``kernelect demo | select | evaluate``."""

from ._commands import main

__all__ = ["main"]
