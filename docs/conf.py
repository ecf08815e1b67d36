"""Documentation, built by ``sphinx-build -W docs build/docs``."""

import hashlib
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

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
    "numpydoc",
    "myst_parser",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "api_links",
    "edit_links",
    "mathml",
    "scores_picture",
]
templates_path = ["_templates"]
# The gallery writes its scripts and notebooks beside its pages, and parsers of both are about.
exclude_patterns = ["_templates", "_build", "papers/README.md", "gallery/*.ipynb", "gallery/*.py"]
html_static_path = ["_static"]
html_css_files = ["custom.css"]
html_title = "kernelect"
_MARK = "_static/mark.svg"
html_favicon = _MARK
html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "logo": {"text": "kernelect", "image_light": _MARK, "image_dark": _MARK},
    "github_url": "https://github.com/kernelect/kernelect",
    "navbar_start": ["navbar-logo", "version"],
    "header_links_before_dropdown": 5,
    "show_toc_level": 2,
    "use_edit_page_button": True,
    "secondary_sidebar_items": {  # no page may match twice
        "papers/*": [],  # room for their tables
        "[!p]**": ["page-toc", "sg_download_links", "edit-this-page"],
    },
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
}
# Pages that are a section by themselves.
_ALONE = ("index", "quick_start", "coming_from", "reliability", "contributing", "changelog")
_SCRIPTS = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
# Examples have room for whole lines of code; the gallery's own page lists them.
html_sidebars = {page: [] for page in (*_ALONE, *(f"gallery/{script.stem}" for script in _SCRIPTS))}
html_context = {"default_mode": "auto"}  # light or dark as the reader's system is
html_show_sourcelink = False
html_math_renderer = "mathml"
copybutton_exclude = ".linenos, .gp, .go"
autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = False
default_role = "literal"
nitpicky = False
# The papers' README is included below a title of its own.
suppress_warnings = ["myst.header"]

# Pages of scripts that are gone would belong to no section, and links to them lead nowhere.
_HERE = Path(__file__).parent
_pages = {page.stem for page in (_HERE / "gallery").glob("*.rst")} - {"index"}
if _pages - {script.stem for script in _SCRIPTS}:
    shutil.rmtree(_HERE / "gallery")
    shutil.rmtree(_HERE / "generated", ignore_errors=True)

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
            "which_gamma_and_c.py",
            "from_grid_search.py",
            "gaussian_process.py",
            "kernel_and_lambda.py",
            "how_sure.py",
            "which_columns_matter.py",
            "several_kernels.py",
            "why_a_kernel_is_good.py",
            "rare_classes.py",
            "groups.py",
            "time_series.py",
            "text.py",
            "string_kernels.py",
            "sensors.py",
            "many_rows.py",
            "compare_criteria.py",
            "save_and_serve.py",
            "*",
        ]
    ),
    "backreferences_dir": "generated/backreferences",
    "doc_module": ("kernelect",),
    "reset_modules": ("matplotlib", "gallery_style.reset"),
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
