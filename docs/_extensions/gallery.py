"""Sphinx extension: runs the scripts in ``examples/`` and makes a page of each, with its pictures."""

from __future__ import annotations

import ast
import contextlib
import io
import runpy
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PAGES = ROOT / "docs" / "gallery"


def run(script: Path, folder: Path) -> tuple[str, list[Path]]:
    """Run one example off screen and give what it printed and drew."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    plt.close("all")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")
        runpy.run_path(str(script), run_name="__main__")
    pictures = []
    for number in plt.get_fignums():
        picture = folder / f"{script.stem}_{number}.png"
        plt.figure(number).savefig(picture, dpi=110)
        pictures.append(picture)
    plt.close("all")
    return printed.getvalue(), pictures


def page(script: Path, printed: str, pictures: list[Path]) -> str:
    """Write one example as a page: its text, its code, what it printed, what it drew."""
    source = script.read_text(encoding="utf-8")
    text = ast.get_docstring(ast.parse(source)) or script.stem
    code = source.split('"""', 2)[2].strip("\n")

    def block(directive: str, content: str) -> list[str]:
        lines = [f"   {line}".rstrip() for line in content.splitlines()]
        return [f".. {directive}", "", *lines, ""]

    parts = [text, "", *block("code-block:: python", code)]
    if printed:
        parts += ["It prints", "", *block("code-block:: text", printed)]
    for number, picture in enumerate(pictures, start=1):
        parts += [f".. image:: {picture.name}", f"   :alt: {text.splitlines()[0]}, {number}", ""]
    return "\n".join(parts)


def make(app: Any) -> None:
    """Make all pages before the documents are read; one is run again only when it changed."""
    PAGES.mkdir(exist_ok=True)
    for script in sorted(EXAMPLES.glob("*.py")):
        target = PAGES / f"{script.stem}.rst"
        if target.exists() and target.stat().st_mtime > script.stat().st_mtime:
            continue
        printed, pictures = run(script, PAGES)
        target.write_text(page(script, printed, pictures), encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    """Tell sphinx."""
    app.connect("builder-inited", make)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
