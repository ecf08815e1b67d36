"""Models that releases have saved go on being loaded, and predict what they did."""

import json
import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest
from fixtures import fitted, models

import kernelect as ke
from kernelect.storage._classes import OURS, RECORDS

FIXTURES = Path(models.__file__).parent
FOLDERS = sorted(FIXTURES.glob("models_*"))
FILES = [file for folder in FOLDERS for file in sorted(folder.glob("*.npz"))]
PICKLES = [file for folder in FOLDERS for file in sorted(folder.glob("*.pickle"))]


def facts(folder):
    return json.loads((folder / "facts.json").read_text())


# Of the command line: files of new rows beside the models that it saved.
FITTED = [(folder, name) for folder in FIXTURES.glob("fitted_*") for name in facts(folder)]


def test_there_are_models_of_this_format():
    assert FOLDERS
    for folder in FOLDERS:
        assert {file.stem for file in folder.glob("*.npz")} == set(facts(folder))


def classes(data):
    """Names of all classes of models and records in a file."""
    if isinstance(data, dict):
        named = {data["class"]} if "class" in data else set()
        return named.union(*map(classes, data.values()))
    return set().union(*map(classes, data)) if isinstance(data, list) else set()


def stamp(file):
    with np.load(file, allow_pickle=False) as archive:
        return json.loads(archive["kernelect"].tobytes())


def test_everything_that_can_be_saved_is_in_some_file():
    ours = {kind.__name__ for kind in OURS}
    saved = [*FILES, *(fitted.model_for(*at) for at in FITTED)]
    known = set().union(*(classes(stamp(file)) for file in saved))
    assert ours | set(RECORDS) <= known


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_model_predicts_what_it_did(file):
    written = stamp(file)
    assert f"models_{written['kernelect']}" == file.parent.name
    assert written["format"] <= ke.storage.MODEL_FORMAT
    with warnings.catch_warnings():
        # scikit-learn's estimators inside may be of another version of scikit-learn.
        warnings.filterwarnings("ignore", "Trying to unpickle estimator")
        check(ke.load(file), facts(file.parent)[file.stem])


@pytest.mark.parametrize("file", PICKLES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_pickled_model_predicts_what_it_did(file):
    check(pickle.loads(file.read_bytes()), facts(file.parent)[file.stem])


def test_there_are_fitted_models_of_every_format():
    assert {name for _, name in FITTED} == set(fitted.FITTED)


@pytest.mark.parametrize(("folder", "name"), FITTED, ids=lambda part: Path(part).name)
def test_a_fitted_model_reads_a_file_and_predicts_what_it_did(folder, name):
    found, wanted = fitted.predicted(folder, name), facts(folder)[name]
    assert found.keys() == wanted.keys()
    for column, values in wanted.items():
        if isinstance(values[0], str):
            assert found[column] == values
        else:
            np.testing.assert_allclose(found[column], values, rtol=1e-10, atol=1e-12)


def check(model, wanted):
    assert type(model).__name__ == wanted.pop("type")
    found = models.facts_of(model)
    assert {"predict", "transform"} & set(wanted)
    for method, values in wanted.items():  # methods may come later, but none may go
        if isinstance(values[0], str):
            assert found[method] == values
        else:
            np.testing.assert_allclose(found[method], values, rtol=1e-10, atol=1e-12)
