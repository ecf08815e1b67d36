"""Files opened once: a pipe gives its bytes to the first who reads them, and to nobody after."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any

_COMPRESSED: dict[str, Callable[[Any], Any]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
}

# What reading a damaged file raises beside ValueError.
DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, csv.Error)

# Longer texts from a file are cut in messages.
_SHOWN = 120


def plain_suffix(path: Path) -> str:
    """Return the ending of a name without that of its compression, in lower case."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in _COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def name_of(path: Path) -> str:
    """Return what messages call a file."""
    return "standard input" if is_standard_input(path) else path.name or str(path)


def is_standard_input(path: Path) -> bool:
    """Whether the path is ``-``, which stands for standard input."""
    return str(path) == "-"


@contextmanager
def open_once(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for its one reading, decompressed; refuse it where it is empty."""
    if is_standard_input(path) and sys.stdin is None:
        raise ValueError("cannot read standard input: it is closed")
    try:
        file: Any = sys.stdin.buffer if is_standard_input(path) else path.open("rb")
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror or error}") from None
    with nullcontext() if is_standard_input(path) else file:
        try:
            empty = not file.peek(1)  # looks without taking
        except OSError as error:
            raise ValueError(f"cannot read {path}: {error.strerror or error}") from None
        if empty:
            raise ValueError(f"{name_of(path)} is empty")
        opener = _COMPRESSED.get(path.suffix.lower())
        if opener is None:
            yield file
        else:
            with opener(file) as plain:
                yield plain


def seekable(file: IO[bytes]) -> IO[bytes]:
    """Return a file in which one can go back: itself, or a copy of a pipe's bytes."""
    return file if file.seekable() else io.BytesIO(file.read())


def cause(error: BaseException) -> str:
    """Return the first line of an error for a sentence in brackets, cut where it is long."""
    lines = str(error).splitlines()
    return shortened(lines[0].rstrip(".")) if lines else type(error).__name__


def shortened(text: str) -> str:
    """Cut text from a file for a message."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
