"""The map is true: public names are in the API reference, rooms and headers in CONTRIBUTING."""

import importlib
import pkgutil
import re
from pathlib import Path

import kernelect

ROOT = Path(__file__).resolve().parents[3]
API = (ROOT / "docs" / "api.rst").read_text(encoding="utf-8")
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

# Public names that the reference leaves out, each with its reason.
LEFT_OUT = {
    "kernelect.__version__": "every package has it",
    "kernelect.cli.main": "a program; the quick start and --help describe it",
    "kernelect.mkl.ConvergenceWarning": "scikit-learn's, and documented there",
}
# Rooms whose modules are parts of their face, where all names are.
UNSHOWN = {"kernelect.bounds"}


def public_modules():
    """Return the package, its public rooms and the modules in these that are public by name."""
    modules = pkgutil.walk_packages(kernelect.__path__, "kernelect.")
    names = [module.name for module in modules if "._" not in module.name]
    return {name: importlib.import_module(name) for name in ("kernelect", *names)}


def is_module(value):
    return hasattr(value, "__spec__")


def documented():
    """Return the names in the reference: entries of tables, and what is described in place."""
    entries = re.findall(r"^   ([A-Za-z_][\w.]*)$", API, re.MULTILINE)
    data = re.findall(r"^(?:\.\. py:data::|            ) ([\w.]+)$", API, re.MULTILINE)
    return [f"kernelect.{name}" for name in (*entries, *data)]


def test_a_room_shows_its_public_modules():
    for name, module in public_modules().items():
        room, _, entry = name.rpartition(".")
        if room.startswith("kernelect.") and room not in UNSHOWN:
            assert entry in importlib.import_module(room).__all__, name
            assert module.__all__, name


def test_every_public_name_is_in_the_reference():
    names = documented()
    objects = {
        id(pkgutil.resolve_name(name)) for name in names if callable(pkgutil.resolve_name(name))
    }
    missing = set()
    for room, module in public_modules().items():
        for entry in getattr(module, "__all__", ()):
            value, name = getattr(module, entry), f"{room}.{entry}"
            # Constants have no identity of their own, so they go by their name.
            there = id(value) in objects or any(same_place(name, known) for known in names)
            if not there and not is_module(value) and name not in LEFT_OUT:
                missing.add(name)
    assert not missing, f"not in docs/api.rst: {', '.join(sorted(missing))}"


def same_place(name, known):
    """Whether two names are one entry of one module, by whatever way it is reached."""
    (room, _, entry), (other, _, same) = name.rpartition("."), known.rpartition(".")
    return entry == same and pkgutil.resolve_name(room) is pkgutil.resolve_name(other)


def test_no_name_is_twice_in_the_reference():
    names = documented()
    objects = [
        id(pkgutil.resolve_name(name)) for name in names if callable(pkgutil.resolve_name(name))
    ]
    assert len(set(names)) == len(names)
    assert len(set(objects)) == len(objects)


def test_exceptions_are_still_needed():
    for name in LEFT_OUT:
        room, _, entry = name.rpartition(".")
        assert entry in importlib.import_module(room).__all__, name
        assert name not in documented()


def section(title):
    """Return the text below a heading of CONTRIBUTING, up to the next of its rank."""
    rank = title.split(" ")[0]
    start = GUIDE.index(f"\n{title}\n") + len(title) + 2
    following = re.search(rf"^#{{1,{len(rank)}}} ", GUIDE[start:], re.MULTILINE)
    return GUIDE[start : start + following.start()] if following else GUIDE[start:]


def listed(title):
    """Return what the list below a heading names: for each folder, the names in its entry."""
    entries = re.findall(r"^- `([\w/]+)/?`((?:.*\n)(?:  .*\n)*)", section(title), re.MULTILINE)
    assert entries, title
    return {folder.rstrip("/"): set(re.findall(r"`([\w.]+)`", text)) for folder, text in entries}


def folders(path):
    skipped = {"__pycache__"}
    return {
        folder.name for folder in path.iterdir() if folder.is_dir() and folder.name not in skipped
    }


def test_the_map_has_every_room_of_the_package():
    package = ROOT / "python" / "kernelect"
    modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
    rooms = listed("### The package: `python/kernelect`")
    assert set(rooms) == folders(package) | modules
    for room, named in rooms.items():
        inner = folders(package / room) if (package / room).is_dir() else set()
        assert inner <= named, f"{room}: {', '.join(sorted(inner - named))} missing"
        there = {path.stem for path in (package / room).glob("**/*.py")} | inner
        there |= {path.name for path in package.iterdir()} | folders(package)
        unknown = {name for name in named if name.startswith("_") and name not in there}
        assert not unknown, f"{room} has no {', '.join(sorted(unknown))}"


def test_the_map_has_every_room_and_header_of_the_core():
    rooms = listed("### The core: `cpp/include/kernelect` and `cpp/src`")
    headers, sources = ROOT / "cpp" / "include" / "kernelect", ROOT / "cpp" / "src"
    assert set(rooms) == folders(headers) | folders(sources)
    for room, named in rooms.items():
        there = {
            path.stem for place in (headers, sources) for path in (place / room).rglob("*.?pp")
        }
        assert named == there, f"{room}: not alike are {', '.join(sorted(named ^ there))}"


def test_a_header_among_the_sources_is_included_by_its_own_room_alone():
    sources = ROOT / "cpp" / "src"
    private = {str(path.relative_to(sources)) for path in sources.rglob("*.hpp")}
    assert private
    for path in [*(ROOT / "cpp").rglob("*.?pp"), *(ROOT / "tests" / "cpp").rglob("*.?pp")]:
        included = private & set(re.findall(r'#include "([\w/.]+)"', path.read_text()))
        own = {name for name in included if path.parent == (sources / name).parent}
        assert included == own, f"{path}: {', '.join(included - own)} belong in cpp/include"


def test_the_map_has_every_file_of_the_bindings():
    (named,) = listed("### The border: `cpp/bindings`").values()
    there = {path.stem for path in (ROOT / "cpp" / "bindings").glob("*.?pp")}
    assert named == there, f"not alike are {', '.join(sorted(named ^ there))}"


def test_the_map_has_every_folder_of_the_tests():
    for title, folder in (
        ("### Tests of the package: `tests/python`", "python"),
        ("### Tests of the core: `tests/cpp`", "cpp"),
    ):
        rooms = set(re.findall(r"`(\w+)/`", section(title)))
        there = folders(ROOT / "tests" / folder)
        assert there <= rooms | set(listed_rooms()), f"{folder}: {there - rooms}"


def test_the_map_has_every_helper_of_the_tests():
    helpers = [*(ROOT / "tests" / "python").glob("*.py"), *(ROOT / "tests" / "cpp").glob("*.hpp")]
    named = {path.relative_to(ROOT).as_posix() for path in helpers if path.stem != "conftest"}
    missing = {name for name in named if f"`{name}`" not in GUIDE}
    assert not missing, ", ".join(sorted(missing))


def listed_rooms():
    """Return all rooms of package and core: a folder of tests may be named after any of them."""
    return {
        *listed("### The package: `python/kernelect`"),
        *listed("### The core: `cpp/include/kernelect` and `cpp/src`"),
    }


def test_every_path_in_contributing_is_there():
    paths = re.findall(r"`((?:python|cpp|tests|docs|bench|examples)/[\w./]*)`", GUIDE)
    paths += re.findall(r"`(\w+\.(?:md|toml|json))`", GUIDE)
    gone = {path for path in paths if not (ROOT / path).exists()}
    assert not gone, ", ".join(sorted(gone))


def test_every_module_in_contributing_is_there():
    named = set(re.findall(r"`(_\w+?)(?:\.pyi?)?/?`", GUIDE)) - {"__init__", "__all__"}
    package = ROOT / "python" / "kernelect"
    gone = named - {path.stem for path in package.rglob("*")}
    assert not gone, ", ".join(sorted(gone))
