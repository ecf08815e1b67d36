"""A pipe gives its bytes once: nothing of it may be lost to a look before the reading."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from kernelect.io import read

ROWS = 3000


def svmlight() -> bytes:
    lines = (f"{1 if i % 3 else -1} 1:{i} 2:{i % 7}\n" for i in range(ROWS))
    return "".join(lines).encode()


def table() -> bytes:
    lines = (f"{i},{i % 7},{'a' if i % 3 else 'b'}\n" for i in range(ROWS))
    return ("first,second,kind\n" + "".join(lines)).encode()


def archive() -> bytes:
    file = io.BytesIO()
    X = np.arange(2.0 * ROWS).reshape(ROWS, 2)
    np.savez(file, X=X, y=np.arange(ROWS) % 3)
    return file.getvalue()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a thing of POSIX")
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("data", svmlight()),
        ("data.svm.gz", gzip.compress(svmlight())),
        ("data.csv", table()),
        ("data.csv.gz", gzip.compress(table())),
        ("data.npz", archive()),
    ],
)
def test_every_row_of_a_pipe_is_read(tmp_path: Path, name: str, content: bytes) -> None:
    plain, pipe = tmp_path / name, tmp_path / f"pipe.{name}"
    plain.write_bytes(content)
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    piped = read(pipe)
    writer.join()
    expected = read(plain)
    assert piped.X.shape == (ROWS, 2)
    np.testing.assert_array_equal(piped.X, expected.X)
    np.testing.assert_array_equal(piped.y, expected.y)


@pytest.mark.skipif(not os.path.exists("/dev/stdin"), reason="there is no /dev/stdin")
def test_the_command_line_reads_standard_input() -> None:
    command = [sys.executable, "-m", "kernelect", "evaluate", "/dev/stdin", "--criteria", "sm"]
    done = subprocess.run(command, input=svmlight(), capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    assert f"stdin: {ROWS} rows, 2 columns" in done.stdout.decode()
