"""Rooms see only what is below them: contracts on imports, and a check of includes."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def lint(sources):
    """Run the linter on a copy of the sources, with the contracts of this project."""
    command = [
        *(sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"),
        *("--config", str(ROOT / "pyproject.toml"), "--no-cache", "--no-logo"),
    ]
    environment = {**os.environ, "PYTHONPATH": str(sources), "COLUMNS": "200", "NO_COLOR": "1"}
    return subprocess.run(
        command, cwd=sources, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def sources(tmp_path):
    only_python = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "python" / "kernelect", tmp_path / "kernelect", ignore=only_python)
    return tmp_path


def test_the_contracts_are_kept(sources):
    checked = lint(sources)
    assert checked.returncode == 0, checked.stdout + checked.stderr


# Room, a line that does not belong in any module of it, and the import that must be named. All are
# added at once, since every run of the linter takes a third of a second; none of them hides
# another.
WRONG = [
    ("_support", "from .._data import rows", "_data.rows"),
    ("_data", "from ..kernels import Kernel", "kernels"),
    ("criteria", "from ..io import read", "io"),
    ("kernels", "from .._evidence import ridge", "_evidence.ridge"),
    ("_evidence", "from ..results import Choice", "results"),
    ("results", "from ..plots import spectra", "plots"),
    ("mkl", "from ..results import Choice", "results"),
    ("mkl", "from ..criteria import SM", "criteria"),
    ("plots", "from ..selection import select", "selection"),
    ("plots", "from ..mkl import Family", "mkl"),
    ("bounds", "from .._data import rows", "_data.rows"),
    ("selection", "def late():\n    from ..lssvm import LSSVMClassifier", "lssvm"),
    ("lssvm", "from .. import KernelSelector", ""),
]


def test_every_wrong_import_is_named(sources):
    for place, (room, line, _) in enumerate(WRONG):
        module = sources / "kernelect" / room / f"intruder_{place}.py"
        module.write_text(f"{line}\n", encoding="utf-8")
    checked = lint(sources)
    assert checked.returncode == 1, checked.stderr
    for place, (room, _, imported) in enumerate(WRONG):
        wrong = f"kernelect.{room}.intruder_{place} -> kernelect.{imported}".rstrip(".")
        assert wrong in checked.stdout, wrong


def test_a_room_without_a_place_in_the_order_breaks_the_contract(sources):
    (sources / "kernelect" / "attic").mkdir()
    (sources / "kernelect" / "attic" / "__init__.py").write_text('"""New."""\n', encoding="utf-8")
    checked = lint(sources)
    assert checked.returncode == 1
    assert "attic" in checked.stdout


def test_benchmarks_see_private_modules_in_one_place_only():
    private = re.compile(
        r"^ *(?:from|import) kernelect[\w.]*\b_\w+|import.* \b_[a-z]\w*", re.MULTILINE
    )
    found = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "bench").rglob("*.py"))
        if private.search(path.read_text(encoding="utf-8"))
    ]
    assert found == ["bench/inside.py"]


# What each room of the core may include beside itself.
BELOW = {
    "base": set(),
    "linalg": {"base"},
    "tiles": {"base", "linalg"},
    "moments": {"base", "linalg", "tiles"},
    "spectrum": {"base", "linalg", "tiles"},
    "ridge": {"base", "linalg"},  # matrices alone
    "ridge/candidates": {"base", "linalg", "tiles"},  # where matrices come from
    "landmarks": {"base", "linalg"},  # values and sums alone
    "landmarks/sources": {"base", "linalg", "tiles"},  # where values come from
}


def test_rooms_of_the_core_include_only_what_is_below_them():
    wrong = []
    for folder in (ROOT / "cpp" / "include" / "kernelect", ROOT / "cpp" / "src"):
        for path in folder.rglob("*.?pp"):
            room = path.relative_to(folder).parts[0]
            text = path.read_text(encoding="utf-8")
            seen = set(re.findall(r'#include "kernelect/(\w+)/', text))
            assert not re.search(r"#include <(?:pybind11|Python\.h)", text), path
            below = BELOW.get(f"{room}/{path.stem}", BELOW[room])
            wrong += [f"{room}/{path.name} -> {other}" for other in seen - {room} - below]
    assert not wrong, ", ".join(sorted(wrong))
