"""Documentation, built by ``sphinx-build -W docs build/docs``."""

import hashlib
import os
from pathlib import Path

# The examples are small: more threads of BLAS would only wait for one another, and it reads this
# when it is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from sphinx_gallery.sorting import ExplicitOrder

import kernelect

project = "kernelect"
author = project_copyright = "The kernelect authors"
release = version = kernelect.__version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["_templates"]
# The gallery writes its scripts and notebooks beside its pages, and parsers of both are about.
exclude_patterns = ["_templates", "_build", "papers/README.md", "gallery/*.ipynb", "gallery/*.py"]
html_static_path = ["_static"]
html_theme = "alabaster"
html_theme_options = {
    "description": "Elects a kernel, straight from the kernel matrices",
    "fixed_sidebar": True,
    "page_width": "1240px",
    "body_max_width": "960px",  # 100 characters of code
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

# An example is run again when its script has changed, and all are when the library has.
_LIBRARY = Path(kernelect.__file__).parent
_FINGERPRINT = Path(__file__).parent / "gallery" / ".library"


def _fingerprint() -> str:
    """Digest of the installed library: its modules and its compiled cores."""
    digest = hashlib.sha256()
    for path in sorted(_LIBRARY.rglob("*")):
        if path.suffix in {".py", ".so", ".pyd"}:
            digest.update(str(path.relative_to(_LIBRARY)).encode() + path.read_bytes())
    return digest.hexdigest()


_present = _fingerprint()
_former = _FINGERPRINT.read_text(encoding="ascii") if _FINGERPRINT.exists() else ""

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": ExplicitOrder(
        [
            "choose_a_bandwidth.py",
            "compare_criteria.py",
            "why_a_kernel_is_good.py",
            "lssvm_with_automatic_lambda.py",
            "kernel_learning.py",
            "large_n.py",
            "text.py",
            "*",
        ]
    ),
    "backreferences_dir": "generated/backreferences",
    "doc_module": ("kernelect",),
    "run_stale_examples": _present != _former,
    "capture_repr": ("_repr_html_",),
    "abort_on_example_error": True,
    "write_computation_times": False,
    "show_signature": False,
}


def _keep_fingerprint(app: object, failure: Exception | None) -> None:
    if failure is None:
        _FINGERPRINT.write_text(_present, encoding="ascii")


def setup(app: object) -> None:
    """Remember which library the gallery was made with, once it is made."""
    app.connect("build-finished", _keep_fingerprint)
