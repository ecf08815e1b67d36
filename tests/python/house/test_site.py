"""The pages of the documentation lead where they should."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"


def extension(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / "_ext" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pages():
    """Return every page with its suffix, also those that are made when the site is built."""
    for path in DOCS.rglob("*"):
        page = path.relative_to(DOCS)
        written = path.suffix in {".rst", ".md"} and path.name != "README.md"
        if written and page.parts[0] not in {"generated", "gallery", "_templates"}:
            yield page.with_suffix("").as_posix(), path.suffix
    for script in (ROOT / "examples").glob("*.py"):
        yield f"gallery/{script.stem}", ".rst"
    reference = (DOCS / "api.rst").read_text(encoding="utf-8")
    for name in re.findall(r"^   ([A-Za-z_][\w.]*)$", reference, re.MULTILINE):
        yield f"generated/kernelect.{name}", ".rst"


def test_every_page_names_the_file_that_it_is_made_of():
    source = extension("edit_links").source
    made_of = {page: source(page, suffix) for page, suffix in pages()}
    assert made_of["gallery/text"] == "examples/text.py"
    assert made_of["generated/kernelect.select"] == "python/kernelect/selection/_select.py"
    missing = {page for page, file in made_of.items() if not (ROOT / file).is_file()}
    assert not missing


@pytest.mark.parametrize(
    ("formula", "parts"),
    [
        (r"\|x - x'\|^2", ("&#x02016;", "&#x02032;", "<mn>2</mn>")),
        (r"\arg\min_v v'Mv", ("arg", "min")),
        (r"\frac1n \bar y^\top N^r \bar y", ("<mfrac>", "<mover>")),
    ],
)
def test_formulas_are_drawn_without_a_script(formula, parts):
    pytest.importorskip("latex2mathml")
    drawn = extension("mathml").mathml(formula, "inline")
    assert drawn.startswith("<math")
    assert all(part in drawn for part in parts)
    assert "\\" not in drawn


def test_a_command_that_is_not_known_is_told():
    pytest.importorskip("latex2mathml")
    assert "\\unheard" in extension("mathml").mathml(r"\unheard x", "inline")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("select", "kernelect.select"),
        ('ke.select(X, y, lam="auto")', "kernelect.select"),
        ("Selection.params_for", "kernelect.results.Selection.params_for"),
        ("Selection", "kernelect.results.Selection"),
        ("results.Selection", "kernelect.results.Selection"),
        ("path", None),  # the name of an argument too
        ("Folds", None),  # of two rooms
        ("SVC", None),
        ("kernelect select FILE", None),
        ("X", None),
    ],
)
def test_names_of_the_api_lead_to_their_entries(text, name):
    pytest.importorskip("sphinx")
    names = {
        "kernelect.select",
        "kernelect.results.Selection",
        "kernelect.results.Selection.params_for",
        "kernelect.io.path",
        "kernelect.io.Dataset.X",
        "kernelect.criteria.Folds",
        "kernelect.results.Folds",
    }
    assert extension("api_links").entry(text, names) == name
