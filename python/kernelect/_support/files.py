"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO
from uuid import uuid4


@contextmanager
def written(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Yield a file beside the one wanted, which takes its name once all has been written.

    Whatever goes wrong before that, a former file of the name stays as it was. A link leads to the
    same place afterwards, and who may read a file stays as it was. Devices and pipes, which nothing
    may take the place of, get all of it at the end: archives go back in what they write.
    """
    given = Path(path)
    # Standard output has such a name also where it goes to a file.
    if (given.exists() and not given.is_file()) or given.parent.as_posix() in ("/dev", "/dev/fd"):
        whole = BytesIO()
        yield whole
        with given.open("wb") as device:
            device.write(whole.getbuffer())
        return
    target = Path(os.path.realpath(given))
    beside = target.with_name(f".{uuid4().hex[:16]}")  # no longer than the shortest limit of names
    try:
        with beside.open("xb") as file:
            if target.exists():
                shutil.copymode(target, beside)
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except BaseException as error:
        beside.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno and error.filename in (None, str(beside)):
            raise OSError(error.errno, error.strerror, str(given)) from error
        raise


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file in UTF-8, whole or not at all."""
    with written(path) as file:
        file.write(text.encode("utf-8"))
