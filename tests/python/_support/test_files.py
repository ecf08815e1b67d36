"""What is written takes the place of a file, and of nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest
from child_process import ENVIRONMENT

import kernelect as ke
from kernelect._support.files import write_text, written

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links, pipes and modes of another system")


def test_a_link_leads_where_it_did(tmp_path):
    (tmp_path / "there").mkdir()
    file, link = tmp_path / "there" / "file", tmp_path / "link"
    file.write_text("former")
    link.symlink_to(file)
    write_text(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    assert os.listdir(tmp_path / "there") == ["file"]


def test_who_may_read_a_file_stays_as_it_was(tmp_path):
    file = tmp_path / "file"
    file.write_text("former")
    file.chmod(0o600)
    write_text(file, "new")
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_pipe_is_written_to(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "new")
    reader.join(10)
    assert read == ["new"]
    assert pipe.is_fifo()


def test_a_model_goes_into_a_pipe(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    model = ke.LSSVMClassifier(ke.Gaussian(1.0), lam=1.0).fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    ke.save(model, pipe)
    reader.join(10)
    (tmp_path / "model.npz").write_bytes(read[0])
    assert (ke.load(tmp_path / "model.npz").predict([[0.0], [2.0]]) == [0, 1]).all()


@pytest.mark.parametrize("through", ["a pipe", "a file"])
def test_standard_output_by_its_name(tmp_path, through):
    (tmp_path / "data.csv").write_text("a,y\n" + "".join(f"{k},{k // 10}\n" for k in range(20)))
    words = ["select", "data.csv", "--target", "y", "--quiet", "--json", "/dev/stdout"]
    command = [sys.executable, "-m", "kernelect", *words]
    where = os.readlink("/dev/stdout")
    how = {"cwd": tmp_path, "env": ENVIRONMENT}
    if through == "a pipe":
        said = subprocess.run(command, stdout=subprocess.PIPE, check=True, **how).stdout
    else:
        with (tmp_path / "said").open("wb") as file:
            subprocess.run(command, stdout=file, check=True, **how)
        said = (tmp_path / "said").read_bytes()
    assert said.startswith(b'{\n  "kernelect":')
    assert os.readlink("/dev/stdout") == where


def test_a_name_as_long_as_names_may_be(tmp_path):
    longest = tmp_path / ("n" * 255)
    write_text(longest, "new")
    assert longest.read_text() == "new"


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(IsADirectoryError):
        write_text(tmp_path, "new")
    assert os.listdir(tmp_path) == []


def test_an_interrupt_leaves_what_was_there(tmp_path):
    file = tmp_path / "file"
    file.write_text("former")

    def interrupted():
        with written(file) as new:
            new.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert file.read_text() == "former"
    assert os.listdir(tmp_path) == ["file"]
