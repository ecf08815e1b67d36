"""Standard output and standard error that are closed, full or without a reader."""

from __future__ import annotations

import os
import subprocess

import numpy as np
import pytest
from child_process import ENVIRONMENT
from command_line import MODULE, run

import kernelect as ke

pytestmark = pytest.mark.skipif(os.name == "nt", reason="streams close otherwise there")
# What is printed waits for more, or it does not.
BUFFERED = pytest.mark.parametrize("unbuffered", ["", "1"])


def command(line, folder, unbuffered=""):
    """Run the command line in a shell, as the streams that it opens are."""
    return subprocess.run(
        ["sh", "-c", line.replace("kernelect", " ".join(MODULE))],
        env={**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table, one without a relation, and a model of the first."""
    folder = tmp_path_factory.mktemp("streams")
    rows = np.random.default_rng(0).normal(size=(60, 2)).round(2)
    lines = [f"{a},{b},{int(a > 0)}" for a, b in rows]
    (folder / "data.csv").write_text("\n".join(["a,b,y", *lines]) + "\n")
    lines = [f"{a},{b},{k % 3}" for k, (a, b) in enumerate(rows)]
    (folder / "noise.csv").write_text("\n".join(["a,b,y", *lines]) + "\n")
    words = ("fit", folder / "data.csv", "--kernel", "rbf", "--save", folder / "model.npz")
    assert run(*words).returncode == 0
    return folder


class Gone:
    """A stream that nobody reads any more."""

    def __enter__(self):
        reader, self.writer = os.pipe()
        os.close(reader)
        return self.writer

    def __exit__(self, *_):
        os.close(self.writer)


@BUFFERED
@pytest.mark.parametrize(
    "words", [["evaluate", "data.csv"], ["predict", "model.npz", "data.csv", "--quiet"], ["--help"]]
)
def test_a_reader_that_leaves_is_no_error(words, folder, unbuffered):
    with Gone() as writer:
        done = subprocess.run(
            [*MODULE, *words],
            stdout=writer,
            stderr=subprocess.PIPE,
            env={**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered},
            cwd=folder,
            check=False,
        )
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "demo --quiet --json - >&-",
            "standard output is closed; name a file to write to",
        ),
        ("select - --format csv <&-", "cannot read standard input: it is closed"),
    ],
)
def test_streams_that_are_closed(line, said, folder):
    """Python has None in their places, which has no such attribute."""
    done = command(f"kernelect {line}", folder)
    assert done.returncode == 2
    assert done.stderr == f"kernelect: {said}\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device here is always full")
@BUFFERED
@pytest.mark.parametrize(
    "words", ["select data.csv", "evaluate data.csv --json -", "predict model.npz data.csv --quiet"]
)
def test_standard_output_that_is_full(words, folder, unbuffered):
    done = command(f"kernelect {words} > /dev/full", folder, unbuffered)
    assert done.returncode == 2
    assert done.stderr == "kernelect: [Errno 28] No space left on device\n"


def predictions(folder):
    return "\n".join(["prediction", *map(str, predicted(folder)), ""])


def predicted(folder):
    rows = np.loadtxt(folder / "data.csv", delimiter=",", skiprows=1, usecols=(0, 1))
    return ke.load(folder / "model.npz").predict(rows).tolist()


@BUFFERED
@pytest.mark.parametrize("errors", ["2>&-", "2>/dev/full"])
def test_predictions_where_nothing_can_be_said(errors, folder, unbuffered):
    """The score became a line of the predictions, or they were lost with it."""
    done = command(f"kernelect predict model.npz data.csv {errors}", folder, unbuffered)
    assert done.returncode == 0
    assert done.stdout == predictions(folder)


@BUFFERED
def test_work_goes_on_where_nobody_reads_what_is_said(folder, tmp_path, unbuffered):
    """The first warning ended it, as if all had been well."""
    model = tmp_path / "model.npz"

    def out(*words, stderr):
        return subprocess.run(
            [*MODULE, *words],
            env={**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered},
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            check=True,
        ).stdout

    with Gone() as writer:
        fit = ("fit", "noise.csv", "--kernel", "auto", "--save", str(model))
        assert "saved: " in out(*fit, stderr=writer)
        assert out("predict", "model.npz", "data.csv", stderr=writer) == predictions(folder)
    assert model.exists()
    assert "warning: " in out(*fit, stderr=subprocess.STDOUT)  # so there was something to say
