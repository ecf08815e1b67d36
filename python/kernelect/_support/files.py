"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from uuid import uuid4


@contextmanager
def written(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Yield a file beside the one wanted, which takes its name once all has been written.

    Whatever goes wrong before that, a former file of the name stays as it was.
    """
    target = Path(path)
    beside = target.with_name(f".{target.name}.{uuid4().hex[:8]}")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file in UTF-8, whole or not at all."""
    with written(path) as file:
        file.write(text.encode("utf-8"))
