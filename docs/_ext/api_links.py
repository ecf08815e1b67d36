"""Names of the API in the text lead to their entries: the first of each on a page."""

from __future__ import annotations

import re
from collections.abc import Collection

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.nodes import make_refnode

_NAME = re.compile(r"(?:ke\.|kernelect\.)?([A-Za-z_][\w.]*?)(?:\(.*\))?", re.DOTALL)


def entry(text: str, names: Collection[str]) -> str | None:
    """Full name of what a piece of code begins with, or None where there is no single one.

    Methods and classes of the rooms are known without their room, as ``Selection.params_for``.
    """
    found = _NAME.fullmatch(text)
    if found is None:
        return None
    name = found[1]
    if f"kernelect.{name}" in names:
        return f"kernelect.{name}"
    if not name[0].isupper() or len(name) == 1:  # words such as "path" and X mean arguments
        return None
    ends = [full for full in names if full.endswith(f".{name}")]
    return ends[0] if len(ends) == 1 else None


def _link(app: Sphinx, doctree: nodes.document, page: str) -> None:
    objects = app.env.domains["py"].objects
    seen: set[str] = set()
    for literal in list(doctree.findall(nodes.literal)):
        name = entry(literal.astext(), objects)
        if name is None or name in seen or objects[name].docname == page:
            continue
        if isinstance(literal.parent, (nodes.reference, nodes.title)):
            continue
        seen.add(name)
        place = objects[name]
        link = literal.deepcopy()
        literal.replace_self(
            make_refnode(app.builder, page, place.docname, place.node_id, link, name)
        )


def setup(app: Sphinx) -> dict[str, bool]:
    """Set the links once all entries are known."""
    app.connect("doctree-resolved", _link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
