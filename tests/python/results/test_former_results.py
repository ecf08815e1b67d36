"""Results that releases have saved go on being loaded, and say what they said."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from fixtures import results

import kernelect as ke


def facts(folder):
    return json.loads((folder / "facts.json").read_text())


FOLDERS = sorted(Path(results.__file__).parent.glob("results_*"))
NAMES = [
    (folder, name) for folder in FOLDERS for name in json.loads((folder / "facts.json").read_text())
]


def same(found, wanted):
    """Numbers are as they were to the last bit, and so is all that is told."""
    assert found.keys() == wanted.keys()
    for key, values in wanted["scores"].items():
        np.testing.assert_array_equal(found["scores"][key], values)
    rest = [{key: told[key] for key in told if key != "scores"} for told in (found, wanted)]
    assert rest[0] == rest[1]


def test_there_are_results_of_this_version():
    assert FOLDERS
    assert set(results.RESULTS) == {name for folder, name in NAMES if folder == FOLDERS[-1]}


@pytest.mark.parametrize(("folder", "name"), NAMES, ids=lambda value: getattr(value, "name", value))
def test_a_result_says_what_it_said(folder, name):
    loaded = ke.load(folder / f"{name}.json")
    same(results.facts_of(loaded), facts(folder)[name])
    assert pickle.loads((folder / f"{name}.pickle").read_bytes()) == loaded


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_reports_and_kernels(folder):
    assert isinstance(ke.load(folder / "report.json"), ke.results.Selection)
    told = json.loads((folder / "kernels.json").read_text())
    assert [repr(ke.serialization.from_dict(data)) for _, data in told] == [
        text for text, _ in told
    ]


def test_every_class_of_kernels_is_in_some_file():
    texts = "".join((folder / "kernels.json").read_text() for folder in FOLDERS)
    without_data = {"Function"}  # its code is never stored
    kinds = {*ke.serialization._KINDS} - without_data
    assert {kind for kind in kinds if f'"{kind}"' not in texts} == set()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_pickled_kernels_and_criteria(folder):
    parts = pickle.loads((folder / "parts.pickle").read_bytes())
    assert {part: repr(part) for part in parts} == parts
    if folder == FOLDERS[-1]:
        names = {part.name for part in parts if isinstance(part, ke.criteria.Criterion)}
        assert names == {*ke.criteria.names()}


@pytest.mark.parametrize("name", results.RESULTS)
def test_newer_results_are_refused_in_a_sentence(name):
    data = json.loads((FOLDERS[-1] / f"{name}.json").read_text())
    data["format"] = ke.serialization.FORMAT + 1
    with pytest.raises(ValueError, match="this version reads up to 1; use a newer kernelect"):
        ke.serialization.from_dict(data)
