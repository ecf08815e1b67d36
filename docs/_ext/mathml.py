"""Formulas as MathML, which browsers draw by themselves: no script, no font and no network.

``html_math_renderer = "mathml"`` turns it on. A formula with an unknown command is a warning, and
with ``sphinx-build -W`` an error.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from latex2mathml import exceptions
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util import logging

_LOGGER = logging.getLogger(__name__)
# Operators that the translator has no name for, and norms, which it takes for relations.
_NAMED = re.compile(r"\\(arg)(?![a-z])")
_REFUSALS = tuple(value for value in vars(exceptions).values() if isinstance(value, type))
_NORM = '<mo fence="false" stretchy="false">&#x02016;</mo>'


def mathml(formula: str, display: str) -> str:
    """Translate a formula; what could not be read stays in it with its backslash."""
    found: str = convert(_NAMED.sub(r"\\operatorname{\1}", formula), display=display)
    found = found.replace(_NORM, _NORM.replace("<mo", '<mo lspace="0" rspace="0"'))
    return found.replace("<mi>&#x02032;</mi>", "<mo>&#x02032;</mo>")  # a prime, set as one


def _checked(self: Any, node: nodes.Element, display: str) -> str:
    try:
        found = mathml(node.astext(), display)
    except _REFUSALS as error:
        found = rf"\{error!r}"
    if "\\" in found:
        _LOGGER.warning("this formula cannot be drawn: %s", node.astext(), location=node)
    return found


def _inline(self: Any, node: nodes.math) -> None:
    self.body.append(_checked(self, node, "inline"))
    raise nodes.SkipNode


def _block(self: Any, node: nodes.math_block) -> None:
    self.body.append(self.starttag(node, "div", CLASS="math"))
    self.body.append(_checked(self, node, "block") + "</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the renderer."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
