"""What takes long to import is imported late, and nobody notices but by the time."""

import pickle
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import kernelect as ke
from kernelect._dispatch import core
from kernelect._support.pictures import PICTURES
from kernelect.plots._draw import KINDS

ROOT = Path(__file__).resolve().parents[3]


def in_new_process(code):
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["select", "--help"]])
def test_help_and_version_import_nothing_large(words):
    code = f"""
import sys
from kernelect.cli import main
assert main({words!r}) == 0
print({{"numpy", "scipy", "sklearn", "matplotlib", "pandas"}} & sys.modules.keys())
"""
    assert in_new_process(code).endswith("set()\n")


def test_the_version_is_that_of_the_core_and_of_the_package():
    assert core.version in (ke.__version__, "dev")  # a build of the core alone knows no version
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.search(r'^version = "(.*)"$', project, re.MULTILINE).group(1) == ke.__version__


def test_all_names_are_there():
    code = """
import kernelect
listed = dir(kernelect)
assert set(kernelect.__all__) <= set(listed)
assert all(hasattr(kernelect, name) for name in listed)
assert not hasattr(kernelect, "no_such_name")
from kernelect import *
assert Gaussian is kernelect.kernels.Gaussian
"""
    in_new_process(code)


@pytest.mark.parametrize(
    "first",
    [
        "from kernelect.results import serialization",
        "import kernelect.grids",
        "from kernelect import io, cli, lssvm, selector",
        "from kernelect.selection import select",
        "import kernelect.serialization as s; assert s is kernelect.results.serialization",
        "from kernelect import Gaussian, select",
    ],
)
def test_any_part_may_be_imported_first(first):
    in_new_process(f"import kernelect\n{first}\nimport kernelect as ke; ke.select, ke.grids")


def test_pickles_load_before_anything_else_is_imported(tmp_path):
    X = np.random.default_rng(0).normal(size=(20, 2))
    chosen = ke.select(X, X[:, 0] > 0, ke.gaussian_grid(-9, 8), "ckta")
    (tmp_path / "new.pickle").write_bytes(pickle.dumps(chosen))
    old = ROOT / "tests" / "python" / "fixtures" / "lssvm_classifier.pickle"
    for path in (tmp_path / "new.pickle", old):
        in_new_process(
            "import pickle, warnings; warnings.simplefilter('ignore'); "
            f"pickle.load(open({str(path)!r}, 'rb'))"
        )


def test_former_modules_are_those_of_today():
    in_new_process(
        "import importlib, kernelect\n"
        "from kernelect._former_names import _MOVED\n"
        "for former, present in _MOVED.items():\n"
        "    old = importlib.import_module('kernelect.' + former)\n"
        "    new = importlib.import_module('kernelect.' + present)\n"
        "    assert old is new and new.__spec__.name == 'kernelect.' + present\n"
    )


def test_pictures_are_those_that_can_be_drawn():
    assert list(KINDS) == list(PICTURES)
    for name, words in PICTURES.items():
        assert KINDS[name].__doc__.lower() == f"{words}."


def test_values_do_not_warn_of_derivatives():
    y = np.arange(40) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ke.evaluate(None, y, [np.eye(40)], ["pep", "er_ratio", "er"])
