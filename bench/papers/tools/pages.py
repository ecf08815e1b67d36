"""Write a page: Markdown, one CSV a table, and pictures.

The words around the tables are written by hand: a page that exists keeps everything outside the two
marker lines, and what stands between them is replaced.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- made by bench.papers: begin -->", "<!-- made by bench.papers: end -->"
# Colours that stay apart for the colour-blind (Okabe and Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")


@dataclass(frozen=True)
class Table:
    """Rows of text and numbers under a caption."""

    name: str
    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def markdown(self) -> str:
        lines = [f"**{self.caption}**", "", _line(self.columns)]
        lines.append("| --- |" + " ---: |" * (len(self.columns) - 1))
        return "\n".join([*lines, *(_line(row) for row in self.rows)])

    def csv(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([[_plain(cell) for cell in row] for row in self.rows])
        return text.getvalue()


@dataclass(frozen=True)
class Picture:
    """A picture and how to draw it on a matplotlib figure."""

    name: str
    caption: str
    draw: Callable[[Any], None]
    size: tuple[float, float] = (7.0, 4.2)


@dataclass(frozen=True)
class Page:
    """What one table or figure of a paper comes to."""

    title: str
    runs: str  # how much was run
    parts: Sequence[Table | Picture] = field(default_factory=list)


def span(counts: Iterable[int]) -> str:
    """Write "5", or "3 to 5" where the counts differ."""
    found = sorted(set(counts))
    return str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"


def _plain(cell: Any) -> Any:
    return cell.replace("**", "").replace("_", "") if isinstance(cell, str) else cell


def _line(cells: Sequence[Any]) -> str:
    shown = (f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in cells)
    return "| " + " | ".join(shown) + " |"


def write(page: Page, name: str, out: Path) -> Path:
    out.mkdir(parents=True, exist_ok=True)
    blocks = [page.runs]
    for part in page.parts:
        if isinstance(part, Table):
            (out / f"{part.name}.csv").write_text(part.csv())
            blocks.append(part.markdown())
        else:
            _draw(part, out / f"{part.name}.png")
            blocks.append(f"![{part.caption}]({part.name}.png)\n\n*{part.caption}*")
    made = "\n\n".join([BEGIN, *blocks, END])
    path = out / f"{name}.md"
    before, after = f"# {page.title}\n\n", "\n"
    if path.exists() and BEGIN in (text := path.read_text()):
        before, after = text.split(BEGIN)[0], text.split(END)[1]
    path.write_text(before + made + after)
    return path


def _draw(picture: Picture, path: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=picture.size, layout="constrained")
    FigureCanvasAgg(figure)
    picture.draw(figure)
    figure.savefig(path, dpi=110, metadata={"Software": None})
