"""Edit links that lead to what a page was made of: a script, a module, or the page itself."""

from __future__ import annotations

import inspect
import pkgutil
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

_PLACE = "https://github.com/kernelect/kernelect/edit/main/"
# Pages that show a file of the repository.
_SHOWN = {
    "gallery/index": "examples/GALLERY_HEADER.rst",
    "papers/index": "docs/papers/README.md",
    "changelog": "CHANGELOG.md",
    "contributing": "CONTRIBUTING.md",
}


def source(page: str, suffix: str) -> str:
    """Path, within the repository, of what somebody who wants another text has to edit."""
    room, _, name = page.rpartition("/")
    if page in _SHOWN:
        return _SHOWN[page]
    if room == "gallery":
        return f"examples/{name}.py"
    if room == "generated":
        value = inspect.unwrap(pkgutil.resolve_name(name))
        parts = Path(inspect.getfile(value)).parts
        start = len(parts) - parts[::-1].index("kernelect")
        return "/".join(("python", "kernelect", *parts[start:]))
    return f"docs/{page}{suffix}"


def _link(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    if doctree is None:  # search and index are made of nothing that could be edited
        context["theme_use_edit_page_button"] = False
        return
    place = _PLACE + source(page, context.get("page_source_suffix") or ".rst")
    context["edit_page_provider_name"] = "GitHub"
    # The theme wants a template with this word in it; the place is known already.
    context["edit_page_url_template"] = place + "{# file_name #}"


def setup(app: Sphinx) -> dict[str, bool]:
    """Set the links before the theme reads where they lead."""
    app.connect("html-page-context", _link, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
