"""The examples run, draw, and are all in the gallery."""

import runpy
from pathlib import Path

import matplotlib as mpl
import pytest

mpl.use("Agg")
import matplotlib.pyplot as plt

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.stem)
@pytest.mark.filterwarnings("ignore:FigureCanvasAgg is non-interactive")
def test_example_runs_and_draws(script, capsys):
    runpy.run_path(str(script), run_name="__main__")
    assert plt.get_fignums()
    plt.close("all")
    assert capsys.readouterr().out


def test_gallery_lists_every_example():
    listed = (ROOT / "docs" / "gallery" / "index.rst").read_text(encoding="utf-8").split()
    assert {script.stem for script in EXAMPLES} <= set(listed)
