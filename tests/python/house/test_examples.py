"""The examples and the code in the documentation run."""

import doctest
import re
import runpy
import textwrap
from pathlib import Path

import matplotlib as mpl
import pytest
from sklearn.datasets import load_iris

import kernelect as ke
from kernelect.criteria import _registry

mpl.use("Agg")
import matplotlib.pyplot as plt

ROOT = Path(__file__).resolve().parents[3]
BLOCK = (
    r"^\.\. (?:code-block:: python\n(?:   :.*\n)*\n((?:   .*\n|\n)+)|literalinclude:: (\S+\.py))"
)
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.stem)
@pytest.mark.filterwarnings("ignore:FigureCanvasAgg is non-interactive")
def test_example_runs_and_draws(script, capsys):
    runpy.run_path(str(script), run_name="__main__")
    assert plt.get_fignums()
    plt.close("all")
    assert capsys.readouterr().out


def test_gallery_orders_every_example():
    settings = (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")
    ordered = re.search(r"ExplicitOrder\(\s*\[(.*?)\]", settings, re.DOTALL)
    listed = set(re.findall(r'"([^"]+\.py)"', ordered[1]))
    assert listed == {script.name for script in EXAMPLES}


@pytest.mark.parametrize("page", ["coming_from", "guide/kernels", "guide/extending"])
def test_code_on_pages_runs(page, monkeypatch, tmp_path):
    path = ROOT / "docs" / f"{page}.rst"
    blocks = [
        textwrap.dedent(block) or (path.parent / file).read_text(encoding="utf-8")
        for block, file in re.findall(BLOCK, path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert blocks
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_registry, "_REGISTRY", dict(_registry._REGISTRY))
    X, y = load_iris(return_X_y=True)
    names = {"ke": ke, "X": X, "y": y}
    for block in blocks:
        exec(compile(block, page, "exec"), names)  # noqa: S102
    plt.close("all")


def test_quick_start_prints_what_it_shows():
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    page = str(ROOT / "docs" / "quick_start.rst")
    done = doctest.testfile(page, module_relative=False, optionflags=flags)
    plt.close("all")
    assert done.attempted > 20
    assert done.failed == 0
