"""Documentation, built by ``sphinx-build -W docs build/docs``."""

import sys
from pathlib import Path

import kernelect

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "kernelect"
author = "The kernelect authors"
release = version = kernelect.__version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "myst_parser",
    "gallery",
]
templates_path = ["_templates"]
exclude_patterns = ["_extensions", "_templates", "_build", "papers/README.md"]
html_theme = "alabaster"
html_theme_options = {
    "description": "Elects a kernel, straight from the kernel matrices",
    "fixed_sidebar": True,
    "page_width": "1080px",
}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
html_show_sourcelink = False
autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = False
default_role = "literal"
nitpicky = False
