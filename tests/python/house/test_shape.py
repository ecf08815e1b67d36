"""What keeps the house easy to find one's way in: short files, and one class of a name."""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "python" / "kernelect"
CORE = ROOT / "cpp"
SOURCES = {".py", ".pyi", ".cpp", ".hpp", ".h"}


def sources(folder):
    """Return the source files below a folder, without what a build has left there."""
    return sorted(path for path in folder.rglob("*") if path.suffix in SOURCES)


def too_long(folder, most):
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources(folder)}
    return [f"{path.relative_to(ROOT)}: {lines}" for path, lines in lengths.items() if lines > most]


def test_no_source_file_has_more_than_300_lines():
    for folder in ("python", "cpp", "bench", "docs/guide", "examples"):
        assert too_long(ROOT / folder, 300) == []


def test_no_test_file_has_more_than_350_lines():
    assert too_long(ROOT / "tests", 350) == []


def several(places):
    return {name: sorted(found) for name, found in places.items() if len(found) > 1}


def test_no_two_classes_of_the_package_have_one_name():
    places = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                places[node.name].add(str(path.relative_to(PACKAGE)))
    assert "Kernel" in places
    assert several(places) == {}


def test_no_two_types_of_the_core_have_one_name():
    definition = re.compile(
        r"^ *(?:class|struct|enum class) (\w+)(?: final)?(?: :[^:].*)? *\{", re.MULTILINE
    )
    places = defaultdict(set)
    for path in sources(CORE):
        for name in definition.findall(path.read_text(encoding="utf-8")):
            places[name].add(str(path.relative_to(CORE)))
    assert "KernelSet" in places
    assert several(places) == {}
