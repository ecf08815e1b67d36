"""Words that read oddly, and what is said in their place."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ENDINGS = {".py", ".pyi", ".cpp", ".hpp", ".rst", ".md"}
# What is not wanted, an example of it, and what to write.
ODD = [
    (r"(?<!are )\bso many\b(?! words)", "on so many rows", "this many"),
    (r"\bdear(?:er|est)?\b", "the dearest of them", "costly, expensive"),
    (r'"""(?:Gives?|Tells?) ', '"""Give the sum."""', "Return, Say or Whether"),
    (r"\(spec: |\b[Ss]pec section|\bspec/", "(spec: rules)", "what that says, which is not here"),
]


def places(pattern):
    """Return where the pattern stands, apart from this file and from pages that bench writes."""
    own = {Path(__file__).resolve()}
    for folder in ("python", "cpp", "bench", "tests", "docs", "examples"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in ENDINGS or path in own or "papers" in path.parts[-2:]:
                continue
            for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
                if re.search(pattern, line):
                    yield f"{path.relative_to(ROOT)}:{number}"


@pytest.mark.parametrize(("pattern", "example", "better"), ODD)
def test_no_odd_words(pattern, example, better):
    assert re.search(pattern, example)
    found = list(places(pattern))
    assert not found, f"write {better} in {', '.join(found)}"
