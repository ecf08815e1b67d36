"""Models in files: what is loaded predicts what was saved, to the last bit."""

import json
import zipfile

import numpy as np
import pandas as pd
import pytest
from problems import problem
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import make_multilabel_classification
from sklearn.exceptions import NotFittedError
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

import kernelect as ke

METHODS = ("predict", "predict_proba", "decision_function", "score_samples", "held_out_outputs")
TWO = [ke.Gaussian(1.0), ke.Gaussian(8.0)]
MODELS = {
    "lssvm": ke.LSSVMClassifier("auto"),
    "lssvm fixed": ke.LSSVMClassifier(ke.Gaussian(2.0), lam=0.5, class_weight={0: 1.0, 1: 2.0}),
    "lssvm laplacian": ke.LSSVMClassifier("laplacian", lam_convention="mean", bias=False),
    "regressor": ke.LSSVMRegressor("auto"),
    "regressor, refined": ke.LSSVMRegressor("refined"),
    "regressor, committee": ke.LSSVMRegressor("committee"),
    "regressor, best": ke.LSSVMRegressor("best"),
    "mkl": ke.MKLClassifier("fkl", TWO, lam="cv", t=[2, 4]),
    "nlmkl": ke.MKLClassifier("nlmkl", [*TWO, ke.Linear()]),
    "gmkl": ke.MKLClassifier("gmkl", form="product", penalty_weight=1e-3),
    "mkl regressor": ke.MKLRegressor("lp", TWO, p=1.5),
    "infinite": ke.InfiniteMKLClassifier("ikl", [ke.mkl.GaussianFamily((0.1, 1.0))]),
    "infinite regressor": ke.InfiniteMKLRegressor(family="both", max_rounds=3),
    "selector": ke.KernelSelector(),
    "selector of SVC": ke.KernelSelector(SVC(), C="auto"),
    "selector of NuSVC": ke.KernelSelector(NuSVC(nu=0.3), TWO, "ckta"),
    "selector of SVR": ke.KernelSelector(SVR(), regularization="auto"),
    "selector of NuSVR": ke.KernelSelector(NuSVR(), TWO, ke.criteria.SM(r=3)),
    "selector of ridge": ke.KernelSelector(KernelRidge(), C="auto"),
    "selector of Matern": ke.KernelSelector(SVC(), [ke.Matern(1.5), ke.Matern(0.5)]),
    "selector of one class": ke.KernelSelector(OneClassSVM(), TWO),
    "selector without refit": ke.KernelSelector(SVC(), TWO, refit=False),
    "pipeline": make_pipeline(StandardScaler(), ke.KernelSelector(SVC(), C="auto")),
    "pipeline of scalers": make_pipeline(RobustScaler(), MinMaxScaler(), ke.LSSVMRegressor("auto")),
}


def through_a_file(model, tmp_path, **options):
    ke.save(model, tmp_path / "model.npz")
    return ke.load(tmp_path / "model.npz", **options)


def same(one, two):
    if isinstance(one, tuple):
        assert len(one) == len(two)
        for left, right in zip(one, two, strict=True):
            same(left, right)
        return
    np.testing.assert_array_equal(one, two)
    assert one.dtype == two.dtype


def assert_same_model(model, loaded, X):
    assert type(loaded) is type(model)
    assert repr(loaded) == repr(model)
    for method in METHODS:
        assert hasattr(loaded, method) == hasattr(model, method)
        if hasattr(model, method) and not getattr(model, "refit", True) is False:
            given = () if method == "held_out_outputs" else (X,)
            same(getattr(model, method)(*given), getattr(loaded, method)(*given))
    if isinstance(model, ke.LSSVMRegressor):
        same(model.predict(X, return_std=True), loaded.predict(X, return_std=True))
    left_out = {"_metadata_request", "_deviations"}
    assert set(vars(loaded)) | left_out == set(vars(model)) | left_out


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_predictions_are_the_same(name, tmp_path):
    task = "regression" if "regress" in name or "SVR" in name or "ridge" in name else "binary"
    X, y = problem("regression" if name.endswith("scalers") else task, n=60)
    model = clone(MODELS[name]).fit(X, y)
    loaded = through_a_file(model, tmp_path)
    assert_same_model(model, loaded, np.vstack([X, X + 0.1]))
    clone(loaded).fit(X, y)
    if hasattr(model, "result_"):
        assert loaded.result_ == model.result_
        assert list(loaded.cv_results_) == list(model.cv_results_)
        for key, column in model.cv_results_.items():
            np.testing.assert_array_equal(loaded.cv_results_[key], column)


@pytest.mark.filterwarnings("ignore:the winner:UserWarning")
@pytest.mark.parametrize("kind", [ke.LSSVMClassifier, ke.MKLClassifier, ke.KernelSelector])
def test_labels_of_every_kind(kind, tmp_path):
    X, y = problem("multiclass", n=60)
    for labels in (
        np.array(["b", "ä", "longer", "d"])[y],
        np.array(["b", "ä", "longer", "d"], dtype=object)[y],
        y.astype(np.int8),
        y * 2.0,
    ):
        model = (kind("average", TWO) if kind is ke.MKLClassifier else kind()).fit(X, labels)
        loaded = through_a_file(model, tmp_path)
        same(model.predict(X), loaded.predict(X))
        same(model.classes_, loaded.classes_)


def test_several_labels_weights_and_targets(tmp_path):
    X, Y = make_multilabel_classification(60, 5, n_classes=3, random_state=0)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 60)
    model = ke.LSSVMClassifier(ke.Gaussian(20.0)).fit(X, Y, weights)
    assert_same_model(model, through_a_file(model, tmp_path), X)
    numbers = ke.LSSVMRegressor(ke.Gaussian(20.0), lam_per_target=True).fit(X, Y + 0.1 * X[:, :3])
    assert_same_model(numbers, through_a_file(numbers, tmp_path), X)


@pytest.mark.filterwarnings("ignore:SVC with the elected kernel predicts hardly better")
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array])
@pytest.mark.parametrize("name", ["lssvm fixed", "mkl", "selector of SVC", "selector of Matern"])
def test_sparse_rows(form, name, tmp_path):
    X, y = problem("binary", n=60)
    rows = form(np.where(X > 0.3, X, 0.0))
    model = clone(MODELS[name]).fit(rows, y)
    assert_same_model(model, through_a_file(model, tmp_path), rows)


def test_data_frames(tmp_path):
    X, y = problem("binary", n=60)
    frame = pd.DataFrame(X[:, :3], columns=["a", "b", "c"])
    kernel = ke.on_columns(["c", "a"], ke.Gaussian(2.0))
    for model in (
        ke.LSSVMClassifier(kernel),
        ke.KernelSelector(SVC(), [kernel, ke.Gaussian(1.0)]),
        make_pipeline(StandardScaler(), ke.LSSVMClassifier("auto")),
    ):
        model.fit(frame, y)
        loaded = through_a_file(model, tmp_path)
        assert_same_model(model, loaded, frame)
        same(model.feature_names_in_, loaded.feature_names_in_)


def test_kernel_matrices(tmp_path):
    X, y = problem("binary", n=40)
    matrices = [kernel(X) for kernel in TWO]
    stored = ke.MKLClassifier("simple", matrices).fit(None, y)
    assert_same_model(stored, through_a_file(stored, tmp_path), matrices)
    chosen = ke.KernelSelector(SVC(), "precomputed").fit(matrices, y)
    assert_same_model(chosen, through_a_file(chosen, tmp_path), matrices)
    weights = np.ones(40)
    weights[:5] = 0.0
    chosen.fit(matrices, y, sample_weight=weights)
    assert_same_model(chosen, through_a_file(chosen, tmp_path), matrices)
    learner = ke.LSSVMClassifier("precomputed").fit(matrices[0], y)
    assert_same_model(learner, through_a_file(learner, tmp_path), matrices[0])


def test_functions_come_by_name(tmp_path):
    X, y = problem("binary", n=40)
    for model in (
        ke.LSSVMClassifier(cosine_similarity, lam=0.1),
        ke.KernelSelector(SVC(), [cosine_similarity, ke.kernels.Function(cosine_similarity)]),
        ke.MKLClassifier("average", [cosine_similarity, ke.Gaussian(1.0)]),
    ):
        model.fit(X, y)
        by_name = {"cosine_similarity": cosine_similarity}
        assert_same_model(model, through_a_file(model, tmp_path, functions=by_name), X)
        with pytest.raises(ValueError, match="rests on the function 'cosine_similarity'"):
            ke.load(tmp_path / "model.npz")


def test_models_that_are_not_fitted(tmp_path):
    X, _ = problem("binary", n=40)
    loaded = through_a_file(ke.KernelSelector(SVC(C=3.0), TWO), tmp_path)
    assert loaded.estimator.C == 3.0
    assert loaded.kernels == TWO
    with pytest.raises(NotFittedError):
        loaded.predict(X)


def test_requests_of_metadata(tmp_path):
    with config_context(enable_metadata_routing=True):
        model = ke.LSSVMClassifier("auto").set_fit_request(sample_weight="importance")
    loaded = through_a_file(model, tmp_path)
    requests = loaded._get_metadata_request().fit.requests
    assert requests == model._get_metadata_request().fit.requests
    assert requests["sample_weight"] == "importance"


def test_the_file_is_arrays_and_json(tmp_path):
    X, y = problem("binary", n=40)
    ke.save(ke.LSSVMClassifier("auto").fit(X, y), tmp_path / "model.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["model.npz"]
    with np.load(tmp_path / "model.npz", allow_pickle=False) as archive:
        data = json.loads(archive["kernelect"].tobytes())
        assert all(archive[name].dtype.kind in "fiubUM" for name in archive.files)
    assert data["kernelect"] == ke.__version__
    assert data["format"] == ke.storage.MODEL_FORMAT
    with zipfile.ZipFile(tmp_path / "model.npz") as archive:
        assert archive.testzip() is None


def test_results_are_json_as_before(tmp_path):
    X, y = problem("binary", n=40)
    chosen = ke.select(X, y, TWO)
    ke.save(chosen, tmp_path / "chosen.json")
    assert json.loads((tmp_path / "chosen.json").read_text())["kind"] == "Selection"
    assert ke.load(tmp_path / "chosen.json") == chosen
