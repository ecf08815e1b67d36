"""A disk that is full, a reader that has gone: an error in a sentence, and no half of a file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from child_process import ENVIRONMENT

import kernelect as ke
from kernelect.cli import main

pytestmark = pytest.mark.skipif(os.name == "nt", reason="limits of a process are set otherwise")

ROOM = 300  # bytes that a file may have, less than any of those below
CHILD = f"""
import resource, signal, sys
import numpy as np, kernelect as ke
from kernelect.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
X = np.random.default_rng(0).normal(size=(40, 3))
y = (X[:, 0] > 0).astype(int)
chosen, model = ke.select(X, y), ke.LSSVMClassifier().fit(X, y)
chosen.plot()  # fonts are looked for once, and kept in a file
resource.setrlimit(resource.RLIMIT_FSIZE, ({ROOM}, {ROOM}))
WORK
"""


def child(work, folder):
    return subprocess.run(
        [sys.executable, "-c", CHILD.replace("WORK", work)],
        cwd=folder,
        env={**ENVIRONMENT, "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    "work",
    [
        "ke.save(chosen, 'file')",
        "ke.save(model, 'file')",
        "chosen.report('file', X=X, y=y)",
        "model.report('file', X=X, y=y)",
    ],
)
def test_what_was_there_stays_as_it_was(work, tmp_path):
    (tmp_path / "file").write_text("former")
    done = child(work, tmp_path)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == "OSError: [Errno 27] File too large: 'file'"
    assert (tmp_path / "file").read_text() == "former"
    assert os.listdir(tmp_path) == ["file"]


def test_a_folder_that_is_not_there(tmp_path):
    """The message named the hidden file that was to be written first."""
    gone = str(tmp_path / "nowhere" / "kernel.json")
    with pytest.raises(FileNotFoundError) as refused:
        ke.save(ke.Gaussian(1.0), gone)
    assert refused.value.filename == gone


WRITES = re.compile(
    r"""\bopen\([^)]*["'][wax]|write_(?:text|bytes)\(|\bdumps?\([^)]*, *file|\.to_(?:csv|html)\("""
)


def test_nothing_else_writes_files():
    package = Path(ke.__file__).parent
    for path in sorted(package.rglob("*.py")):
        lines = [line.strip() for line in path.read_text("utf-8").splitlines()]
        code = [line for line in lines if not line.startswith((">>>", "..."))]
        writing = [line for line in code if WRITES.search(line)]
        if path == package / "_support" / "files.py":
            assert len(writing) == 3
        else:
            assert all(line.startswith("write_text(") for line in writing), path


LEARN = ["data.csv", "--target", "y"]


@pytest.mark.parametrize(
    "words",
    [
        ["select", *LEARN, "--json", "file"],
        ["select", *LEARN, "--plot", "file.png"],
        ["select", *LEARN, "--report", "file.html"],
        ["evaluate", *LEARN, "--json", "file"],
        ["fit", *LEARN, "--save", "file.npz"],
        ["fit", *LEARN, "--save", "nowhere.npz", "--report", "file.html"],
        ["predict", "model.npz", "data.csv", "--output", "file"],
        ["predict", "model.npz", "data.csv", "--quiet", "--json", "file"],
        ["predict", "model.npz", "data.csv", "--quiet", "--plot", "file.pdf"],
    ],
    ids=lambda words: f"{words[0]} {words[-2]}",
)
def test_the_command_line(words, tmp_path):
    random = np.random.default_rng(0)
    rows = random.normal(size=(200, 2)).round(2)
    lines = [f"{a},{b},{int(a > 0)}" for a, b in rows]
    (tmp_path / "data.csv").write_text("a,b,y\n" + "\n".join(lines) + "\n")
    assert main(["fit", str(tmp_path / "data.csv"), "--target", "y", "--quiet",
                 "--save", str(tmp_path / "model.npz")]) == 0  # fmt: skip
    (tmp_path / "nowhere.npz").symlink_to(os.devnull)  # which is never full
    (tmp_path / words[-1]).write_text("former")
    done = child(f"sys.exit(main({words!r}))", tmp_path)
    assert done.returncode == 2, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("kernelect:")]
    assert f"File too large: '{words[-1]}'" in line
    assert (tmp_path / words[-1]).read_text() == "former"
    kept = ["data.csv", "model.npz", "nowhere.npz", words[-1]]
    assert sorted(os.listdir(tmp_path)) == sorted(kept)


def test_a_reader_that_has_gone(tmp_path):
    ke.save(ke.select(np.arange(20.0)[:, None], np.arange(20) // 10), tmp_path / "chosen.json")
    code = "from kernelect.cli import main; import sys; sys.exit(main(['demo']))"
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait(60) == 0
    assert b"Traceback" not in errors
    assert Path(tmp_path, "chosen.json").exists()
