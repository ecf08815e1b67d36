"""Files that no test reads otherwise name what there is: paths, presets, steps, tools."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests import __main__ as command
from tests.steps import cpp_commands

ROOT = Path(__file__).resolve().parents[3]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SANITIZERS = ROOT / ".github" / "workflows" / "sanitizers.yml"
FILES = [ROOT / "pyproject.toml", ROOT / ".pre-commit-config.yaml", *WORKFLOWS]


def text(path):
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_path_is_there(path):
    named = re.findall(r"\b((?:python|cpp|tests|docs|bench|examples)/[\w./]+)", text(path))
    made = ("docs/generated", "docs/gallery")  # by the documentation, and left out of archives
    gone = [name for name in named if not (ROOT / name).exists() and name not in made]
    assert not gone, f"{path.name}: {', '.join(gone)}"


def test_every_preset_is_there():
    known = {
        preset["name"] for preset in json.loads(text(ROOT / "CMakePresets.json"))["workflowPresets"]
    }
    assert known == {"dev", "asan", "tsan"}
    guide = text(ROOT / "CONTRIBUTING.md")
    assert set(re.findall(r"--workflow --preset (\w+)", guide)) <= known
    (listed,) = re.findall(r"preset: \[([\w, ]+)\]", text(SANITIZERS))
    assert set(listed.split(", ")) <= known


@pytest.mark.skipif(sys.platform == "win32", reason="tools have other names there")
def test_every_step_that_is_named_is_there():
    known = {step.name for step in command.steps()}
    for path in (*WORKFLOWS, ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / ".ci" / "run"):
        for words in re.findall(r"-m tests((?: [\w-]+)*)(?:`|$)", text(path), re.MULTILINE):
            steps = {word for word in words.split() if not word.startswith("-")}
            assert steps <= known, path


def test_objects_for_packs_of_8_come_last():
    """The linker keeps the first of equal inline functions, and few machines run those of v4."""
    told = re.sub(r"\$<TARGET_OBJECTS:(\w+)>", r"\1", text(ROOT / "CMakeLists.txt"))
    told = told.replace("${V4}", "v4")
    linked = re.findall(r"\b(?:add_executable|Python_add_library|target_sources)\(([^)]*)\)", told)
    wide = [sources.split() for sources in linked if "${BESIDE_" in sources]
    assert len(wide) == 3  # modules, benchmarks, tests
    for sources in wide:
        last = [name for name in sources if name.startswith("${BESIDE_")]
        assert sources[-len(last) :] == last, sources
        assert not any(f"target_sources({sources[0]} " in line for line in told.splitlines())


@pytest.mark.skipif(sys.platform == "win32", reason="tools have other names there")
def test_a_checkout_may_lie_in_a_folder_named_like_a_room(tmp_path):
    """What is compiled together goes by the rooms of the sources, not by folders above them."""
    makes = []
    for folder in ("elsewhere", "base/faults/tiles"):
        place = tmp_path / folder
        place.mkdir(parents=True)
        for name in ("CMakeLists.txt", "cpp", "tests", "bench"):
            (place / name).symlink_to(ROOT / name)
        configure = cpp_commands()[0]
        configure[configure.index("-B") + 1] = str(place / "build")
        subprocess.run(configure, cwd=place, check=True, capture_output=True)
        together = sorted((place / "build" / "CMakeFiles").rglob("Unity/*.cxx"))
        alone = re.findall(
            r"^build CMakeFiles/tests_.*", text(place / "build/build.ninja"), re.MULTILINE
        )
        makes.append([part.replace(str(place), "") for part in [*map(text, together), *alone]])
    assert len(makes[0]) > 50
    assert makes[0] == makes[1]


def test_the_citation_is_of_this_version_and_names_the_papers():
    citation = text(ROOT / "CITATION.cff")
    (version,) = re.findall(r'^version = "(.*)"', text(ROOT / "pyproject.toml"), re.MULTILINE)
    assert f"\nversion: {version}\n" in citation
    papers = citation.partition("\nreferences:\n")[2]
    assert sorted(re.findall(r"\n    year: (\d+)", papers)) == ["2014", "2015", "2017", "2017"]


def test_workflows_keep_no_credentials_and_end():
    for path in WORKFLOWS:
        told = text(path)
        assert told.count("actions/checkout@") == told.count("persist-credentials: false"), path
        assert told.count("runs-on:") == told.count("timeout-minutes:"), path
        assert "\npermissions:\n  contents: read\n" in told, path


def test_every_file_in_yaml_can_be_read():
    yaml = pytest.importorskip("yaml")
    files = [*(ROOT / ".github").rglob("*.yml"), FILES[1], ROOT / "CITATION.cff"]
    assert len(files) >= 8
    for path in files:
        assert isinstance(yaml.safe_load(text(path)), dict), path
