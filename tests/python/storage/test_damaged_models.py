"""Files that are no models, or damaged, or of another version: refused in a sentence."""

import copy
import io
import json
import pickle
import warnings
import zipfile
from functools import partial

import numpy as np
import pytest
from damage import damaged
from problems import problem
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

import kernelect as ke
from kernelect._support import files
from kernelect.storage import _files
from kernelect.storage._decoding import Decoder

X, Y = problem("binary", n=30)
TWO = [ke.Gaussian(1.0), ke.Matern(1.5)]
MODELS = {
    "learner": ke.LSSVMClassifier(ke.Gaussian(2.0), lam=0.5).fit(X, Y),
    "regressor": ke.LSSVMRegressor(ke.Gaussian(2.0), lam=0.5).fit(X, X[:, 0]),
    "mkl": ke.MKLClassifier("average", TWO).fit(X, Y),
    "svc": ke.KernelSelector(SVC(), [ke.Gaussian(1.0)]).fit(X, Y),
    "svr": SVR().fit(X, X[:, 0]),
    "callable": ke.KernelSelector(SVC(), [ke.Matern(1.5)]).fit(X, Y),
    "pipeline": make_pipeline(StandardScaler(), ke.LSSVMClassifier("rbf", lam=1.0)).fit(X, Y),
}
WRONG = (None, [], {}, "x", -1, 1.5, True, 10**6, [1, 2, 3], {"is": "array", "name": "array_0"})
WRONG_ARRAYS = (
    np.zeros(0),
    np.zeros((1, 1)),
    np.full(7, 10**6),
    np.full((2, 10**3), -1, dtype=np.int32),
    np.array(["x"]),
    np.array(np.nan),
)


def parts(model, tmp_path):
    ke.save(model, tmp_path / "model.npz")
    with np.load(tmp_path / "model.npz") as archive:
        arrays = {name: archive[name] for name in archive.files}
    return json.loads(arrays.pop("kernelect").tobytes()), arrays


def write(path, data, arrays):
    text = json.dumps(data).encode()
    np.savez(path, kernelect=np.frombuffer(text, dtype=np.uint8), **arrays)


def refused_or_harmless(load):
    """Load and use; what can be loaded must not do worse than refuse."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            model = load()
        except ValueError as error:
            return " ".join(str(error).splitlines()) == str(error)
        try:
            model.predict(X)
        except (ValueError, TypeError, AttributeError):  # parameters, which a fit would look at
            return False
    return False


def decoded(data, arrays):
    return _files._decoded("model.npz", data, Decoder(arrays, {}))["model"]


@pytest.mark.parametrize("name", MODELS)
def test_every_part_replaced(name, tmp_path):
    data, arrays = parts(MODELS[name], tmp_path)
    # What is in kernels and results has tests of its own.
    others = damaged(data, WRONG, closed=("data",))
    assert sum(refused_or_harmless(partial(decoded, other, arrays)) for other in others) > 100


@pytest.mark.parametrize("name", MODELS)
def test_every_array_replaced(name, tmp_path):
    data, arrays = parts(MODELS[name], tmp_path)
    for key in arrays:
        lacking = {other: array for other, array in arrays.items() if other != key}
        assert refused_or_harmless(partial(decoded, data, lacking))
        for wrong in WRONG_ARRAYS:
            refused_or_harmless(partial(decoded, data, {**arrays, key: wrong}))


def test_every_byte_counts(tmp_path):
    ke.save(MODELS["learner"], tmp_path / "model.npz")
    whole = (tmp_path / "model.npz").read_bytes()
    random = np.random.default_rng(0)
    for cut in (1, 10, 100, len(whole) // 2, len(whole) - 1):
        (tmp_path / "cut.npz").write_bytes(whole[:cut])
        with pytest.raises(ValueError, match=r"neither a JSON file nor|is not a saved model"):
            ke.load(tmp_path / "cut.npz")
    for _ in range(300):
        broken = bytearray(whole)
        broken[random.integers(len(whole))] ^= int(random.integers(1, 256))
        (tmp_path / "broken.npz").write_bytes(broken)
        refused_or_harmless(partial(ke.load, tmp_path / "broken.npz"))


def test_nothing_is_executed(tmp_path):
    class Trap:
        def __reduce__(self):
            return (pytest.fail, ("code of the file ran",))

    data, arrays = parts(MODELS["learner"], tmp_path)
    arrays["array_0"] = np.array([Trap()], dtype=object)
    write(tmp_path / "trap.npz", data, arrays)
    with pytest.raises(ValueError, match="is not a saved model, or it is damaged"):
        ke.load(tmp_path / "trap.npz")
    (tmp_path / "trap.pickle").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ValueError, match=r"neither a JSON file nor the archive of a model"):
        ke.load(tmp_path / "trap.pickle")
    for kind in ("os.system", "Popen", "Function"):
        data["model"]["class"] = kind
        write(tmp_path / "trap.npz", data, {})
        with pytest.raises(ValueError, match="which this version does not know"):
            ke.load(tmp_path / "trap.npz")


def test_methods_cannot_be_replaced(tmp_path):
    data, arrays = parts(MODELS["learner"], tmp_path)
    for name in ("predict", "__class__", "__dict__", "_outputs", "kernel", "C", "a b", "lam"):
        other = copy.deepcopy(data)
        other["model"]["fitted"][name] = 1
        write(tmp_path / "other.npz", other, arrays)
        with pytest.raises(ValueError, match="its parts have the wrong form"):
            ke.load(tmp_path / "other.npz")


def test_versions(tmp_path):
    data, arrays = parts(MODELS["svr"], tmp_path)
    write(tmp_path / "new.npz", {**data, "format": 99}, arrays)
    with pytest.raises(ValueError, match="has format 99, and this version reads up to 1; use a"):
        ke.load(tmp_path / "new.npz")
    del data["model"]["fitted"]["_n_support"]
    write(tmp_path / "old.npz", data, arrays)
    with pytest.raises(ValueError, match=r"SVR lacks _n_support of scikit-learn .* fit it anew"):
        ke.load(tmp_path / "old.npz")


def test_parameters_of_other_versions(tmp_path):
    data, arrays = parts(MODELS["learner"], tmp_path)
    del data["model"]["params"]["time_limit"]  # as if it had come later
    write(tmp_path / "old.npz", data, arrays)
    assert ke.load(tmp_path / "old.npz").time_limit is None
    data["model"]["params"]["depth"] = 3
    write(tmp_path / "new.npz", {**data, "kernelect": "9.9.0"}, arrays)
    with pytest.raises(ValueError, match=r"saved by kernelect 9\.9\.0, and this is"):
        ke.load(tmp_path / "new.npz")
    write(tmp_path / "same.npz", data, arrays)
    with pytest.raises(ValueError, match="wrong form; save it anew"):
        ke.load(tmp_path / "same.npz")


def test_other_files(tmp_path):
    np.savez(tmp_path / "data.npz", X=X, y=Y)
    with pytest.raises(ValueError, match="is not a saved model, or it is damaged; save it anew"):
        ke.load(tmp_path / "data.npz")
    with zipfile.ZipFile(tmp_path / "words.zip", "w") as archive:
        archive.writestr("kernelect", "words")
    with pytest.raises(ValueError, match="is not a saved model"):
        ke.load(tmp_path / "words.zip")
    with pytest.raises(FileNotFoundError):
        ke.load(tmp_path / "nowhere.npz")


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (ke.KernelSelector(GaussianProcessRegressor()), "GaussianProcessRegressor cannot be saved"),
        (LogisticRegression(), "a LogisticRegression cannot be saved without pickle; what can"),
        (ke.KernelSelector(SVC(), folds=KFold(3)), "KernelSelector.folds holds KFold"),
        (ke.LSSVMRegressor("auto", lam=object()), "LSSVMRegressor.lam holds"),
        (ke.InfiniteMKLClassifier(random_state=np.random.RandomState(0)), "random_state holds"),
    ],
)
def test_what_cannot_be_saved(model, words, tmp_path):
    with pytest.raises(TypeError, match=words):
        ke.save(model, tmp_path / "model.npz")
    assert not list(tmp_path.iterdir())


def test_names_that_mislead(tmp_path):
    with pytest.raises(ValueError, match="a model holds arrays, which JSON cannot hold; give"):
        ke.save(MODELS["learner"], tmp_path / "model.json")
    with pytest.raises(TypeError, match="only kernels, tables and selections"):
        ke.save(3, tmp_path / "three.json")


def test_no_half_written_file(tmp_path, monkeypatch):
    path = tmp_path / "model.npz"
    ke.save(MODELS["learner"], path)
    before = path.read_bytes()

    def full(*_, **__):
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez", lambda file, **_: (file.write(b"PK"), full()))
    with pytest.raises(OSError, match="no space"):
        ke.save(MODELS["mkl"], path)
    with pytest.raises(KeyboardInterrupt), files.written(path):
        raise KeyboardInterrupt
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.npz"]


def test_files_have_the_usual_rights(tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("")
    ke.save(MODELS["learner"], tmp_path / "model.npz")
    assert (tmp_path / "model.npz").stat().st_mode == plain.stat().st_mode


def test_a_model_in_memory_only_names_a_path():
    with pytest.raises(TypeError):
        ke.save(MODELS["learner"], io.BytesIO())
