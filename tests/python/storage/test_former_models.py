"""Models that releases have saved go on being loaded, and predict what they did."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from fixtures import models

import kernelect as ke

FIXTURES = Path(models.__file__).parent
FOLDERS = sorted(FIXTURES.glob("models_*"))
FILES = [file for folder in FOLDERS for file in sorted(folder.glob("*.npz"))]


def facts(folder):
    return json.loads((folder / "facts.json").read_text())


def test_there_are_models_of_this_format():
    assert FOLDERS
    for folder in FOLDERS:
        assert {file.stem for file in folder.glob("*.npz")} == set(facts(folder))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_model_predicts_what_it_did(file):
    with np.load(file, allow_pickle=False) as archive:
        stamp = json.loads(archive["kernelect"].tobytes())
    assert f"models_{stamp['kernelect']}" == file.parent.name
    assert stamp["format"] <= ke.storage.MODEL_FORMAT
    with warnings.catch_warnings():
        # scikit-learn's estimators inside may be of another version of scikit-learn.
        warnings.filterwarnings("ignore", "Trying to unpickle estimator")
        model = ke.load(file)
    wanted = facts(file.parent)[file.stem]
    assert type(model).__name__ == wanted.pop("type")
    found = models.facts_of(model)
    assert "predict" in wanted
    for method, values in wanted.items():  # methods may come later, but none may go
        if isinstance(values[0], str):
            assert found[method] == values
        else:
            np.testing.assert_allclose(found[method], values, rtol=1e-10, atol=1e-12)
