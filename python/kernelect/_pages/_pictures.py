"""Pictures as SVG inside a page: their ink is that of the text around them, light or dark."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK = "#010203"  # stands for the colour of the text, which the page knows
_FAINT = "#040506"  # stands for grids
_INKED = (
    "text.color",
    "axes.edgecolor",
    "axes.labelcolor",
    "axes.titlecolor",
    "xtick.color",
    "ytick.color",
    "legend.labelcolor",
)

_CLEAR = ("figure.facecolor", "axes.facecolor", "savefig.facecolor", "legend.facecolor")
_LEAST = 0.65  # of its width, to which a picture shrinks on a narrow page before it scrolls


def figure(draw: Callable[[], Axes], caption: str, words: str) -> str:
    """Draw, and return the picture with its caption; `words` are for those who cannot see it."""
    import matplotlib.pyplot as plt
    from matplotlib import rc_context

    style: dict[Any, Any] = {
        **dict.fromkeys(_INKED, _INK),
        **dict.fromkeys(_CLEAR, "none"),
        "svg.hashsalt": words,
        "font.size": 9.0,
    }
    with rc_context(style):
        axes = draw()
        drawn = axes.get_figure(root=True)
        assert drawn is not None
        for line in (*axes.get_xgridlines(), *axes.get_ygridlines()):
            line.set_color(_FAINT)
        text = StringIO()
        drawn.savefig(text, format="svg", metadata={"Date": None})
        width = float(drawn.get_figwidth())
        plt.close(drawn)
    return (
        f'<figure style="flex: 0 1 {width:.1f}in"><div class="scroll">'
        f'<div style="min-width: {_LEAST * width:.1f}in">{_inline(text.getvalue(), words)}</div>'
        f"</div><figcaption>{caption}</figcaption></figure>"
    )


def _inline(svg: str, words: str) -> str:
    """Make a file of SVG a part of a page: no header, as wide as there is room."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg\b[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg\b[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    # Names of glyphs and clips are the picture's own, or one picture would use those of another.
    own = f"p{crc32(words.encode()):08x}-"
    svg = re.sub(r'\bid="', f'id="{own}', svg)
    svg = re.sub(r'(href="#|url\(#)', rf"\1{own}", svg)
    svg = svg.replace(_INK, "currentColor").replace(_FAINT, "var(--line)")
    svg = re.sub(r"#([0-9a-f]{2})\1\1\b", lambda grey: _ink_of(grey.group()), svg)
    return svg.replace("<svg", f'<svg role="img" aria-label="{escape(words)}"', 1)


def _ink_of(grey: str) -> str:
    """Return what black and dark greys are on paper of any colour; light ones stay."""
    if grey == "#000000":
        return "currentColor"
    return "var(--soft)" if grey < "#808080" else grey
