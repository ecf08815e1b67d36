"""What is printed and handed over is the model that was judged: fitted, it gives its numbers."""

import dataclasses
import html
import re

import numpy as np
import pytest
import scipy.sparse
from command_line import result_of, run
from sklearn.datasets import dump_svmlight_file, load_diabetes, load_iris
from sklearn.decomposition import KernelPCA
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, NuSVC, NuSVR, OneClassSVM

import kernelect as ke
from kernelect._support.deadline import Deadline
from kernelect.results import RidgeModel
from kernelect.selection._problem import Problem

LAMS = [0.01, 0.1, 0.5]
GRID = ke.gaussian_grid(-6, 12)
SIZES = (600, 5000, 10_000, 10**6)


def data(task):
    X, y = (load_iris if task == "classification" else load_diabetes)(return_X_y=True)
    return StandardScaler().fit_transform(X)[::3], y[::3]


def made(line):
    """The estimator that a printed line makes, with nothing imported but what it names."""
    names = {"SVC": SVC, "SVR": SVR, "StandardScaler": StandardScaler}
    return eval(line, {**vars(ke), **names, "make_pipeline": make_pipeline})


def file_of(folder, task):
    X, y = data(task)
    y = np.array(["a", "b", "c"])[y] if task == "classification" else y
    np.savez(folder / "data.npz", X=X, y=y)
    return folder / "data.npz", X, y


def printed(done):
    assert done.returncode == 0, done.stderr
    return dict(re.findall(r"^in (kernelect|scikit-learn): +(.*)$", done.stdout, re.MULTILINE))


@pytest.mark.parametrize("convention", ["sum", "mean"])
@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("lam", ["0.01,0.1,0.5", "auto", "0.03"])
def test_the_printed_learner_is_the_one_that_was_judged(tmp_path, task, lam, convention):
    path, X, y = file_of(tmp_path, task)
    done = run("select", path, "--grid", "-2:12", "--lam", lam, "--lam-convention", convention)
    learner = made(printed(done)["kernelect"]).fit(X, y)
    given = lam if lam == "auto" else [float(number) for number in lam.split(",")]
    given = given[0] if len(given) == 1 else given
    chosen = ke.select(X, y, ke.gaussian_grid(-2, 12), lam=given, lam_convention=convention)
    loss = np.square(learner.loo_residuals_).sum() / learner.loo_residuals_.size
    assert loss == pytest.approx(chosen.score, rel=1e-8)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("more", [[], ["--refine"]])
def test_what_is_printed_of_standardised_rows_is_for_those_of_the_file(
    tmp_path, task, sparse, more
):
    """The scaling was left to the reader."""
    X, y = data(task)
    X = X * 10.0 ** np.arange(X.shape[1]) + 3.0 * (not sparse)
    if sparse:
        X[np.random.default_rng(0).random(X.shape) > 0.2] = 0.0
        dump_svmlight_file(X, y, str(path := tmp_path / "rows.svm"), zero_based=False)
        X = scipy.sparse.csr_array(X)
    else:
        np.savez(path := tmp_path / "rows.npz", X=X, y=y)
    options = ["--standardize", "--grid", "-2:12"]
    lines = printed(done := run("select", path, *options, "--criterion", "loo", *more))
    fitted = {where: made(line).fit(X, y) for where, line in lines.items()}
    scaled = StandardScaler(with_mean=not sparse).fit_transform(X)
    chosen = ke.select(scaled, y, ke.gaussian_grid(-2, 12), "loo")
    chosen = ke.refine(scaled, y, chosen) if more else chosen
    assert f"elected: {chosen.kernel}" in done.stdout
    learner = fitted["kernelect"][-1]
    loss = np.square(learner.loo_residuals_).sum() / learner.loo_residuals_.size
    assert loss == pytest.approx(chosen.score, rel=1e-6)
    machine = SVC if task == "classification" else SVR
    own = machine(**chosen.params_for(machine)).fit(scaled, y)
    wanted = own.predict(scaled)
    np.testing.assert_allclose(fitted["scikit-learn"].predict(X), wanted, rtol=1e-6)
    table = run("evaluate", path, *options, "--criteria", "loo").stdout
    assert more or lines["scikit-learn"] in table


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_svr_is_handed_over_in_the_unit_of_y(tmp_path, unit):
    X, y = data("regression")
    np.savez(tmp_path / "data.npz", X=X, y=unit * y)
    done = run("select", tmp_path / "data.npz", "--lam", "auto", "--grid", "-2:14")
    machine = made(printed(done)["scikit-learn"])
    chosen = ke.select(X, y, ke.gaussian_grid(-2, 14), lam="auto")
    assert pytest.approx(unit * np.std(y) / (2 * chosen.lam)) == machine.C
    learner = ke.LSSVMRegressor(chosen.kernel, lam=chosen.lam).fit(X, y)
    band = 3 * np.sqrt(np.log(len(y)) / len(y)) * np.sqrt(np.mean(learner.loo_residuals_**2))
    assert machine.epsilon == pytest.approx(unit * band)
    plain = SVR(gamma=chosen.kernel.gamma, C=0.5 / chosen.lam, epsilon=band / np.std(y))
    same = np.std(y) * plain.fit(X, y / np.std(y)).predict(X)
    found = machine.fit(X, unit * y).predict(X) / unit
    np.testing.assert_allclose(found, same, atol=1e-3 * np.std(y))  # where LIBSVM stops


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_of_many_rows_svr_has_the_size_of_the_least_squares_model(unit):
    random = np.random.default_rng(3)
    X = random.normal(size=(600, 2))
    y = np.sin(X).sum(axis=1) + 0.1 * random.normal(size=600)
    chosen = ke.select(X, unit * y + 3.0 * unit, ke.gaussian_grid(-2, 6), lam="auto")
    learner = ke.LSSVMRegressor(chosen.kernel, lam=chosen.lam).fit(X, y)
    size = np.sqrt(np.mean(learner.dual_coef_**2))
    assert chosen.model.coefficient == pytest.approx(unit * size, rel=1e-6)
    given = chosen.params_for(SVR())
    assert given["C"] == pytest.approx(1.5 * unit * size, rel=1e-6)
    residual = np.sqrt(np.mean((y - learner.predict(X)) ** 2))
    assert given["epsilon"] == pytest.approx(0.5 * unit * residual, rel=1e-6)
    held_out = np.sqrt(np.mean(learner.loo_residuals_**2))
    assert given["epsilon"] > 0.15 * (1.0 + 600 / 10_000) * unit * held_out
    assert given["tol"] == pytest.approx(0.25 * given["epsilon"])
    assert given["tol"] > 1e-3 * unit * np.std(y)
    machine = SVR(**given).fit(X, unit * y)
    distance = np.sqrt(np.mean((machine.predict(X) / unit - learner.predict(X)) ** 2))
    assert distance < 0.2 * residual
    # Where the model goes through all points nothing is left to say how large C is to be.
    bare = dataclasses.replace(chosen.model, coefficient=0.0).params_for(SVR())
    assert bare["C"] == pytest.approx(0.5 * unit * np.std(y) / chosen.lam)
    assert bare["tol"] == pytest.approx(1e-3 * unit * np.std(y))


def test_svc_gets_its_c_everywhere(tmp_path):
    path, X, y = file_of(tmp_path, "classification")
    chosen = ke.select(X, y, GRID, lam=LAMS)
    wanted = SVC(gamma=chosen.kernel.gamma, C=2 / chosen.lam).fit(X, y).decision_function(X)
    options = ["--grid", "-6:12", "--lam", ",".join(map(str, LAMS))]
    line = printed(run("select", path, *options))["scikit-learn"]
    in_notebook = html.unescape(re.search("<code>(.*)</code>", chosen._repr_html_()).group(1))
    table = run("evaluate", path, "--criteria", "kta,loo", *options).stdout
    in_table = re.search(r"^loo .*(SVC\(.*)$", table, re.MULTILINE).group(1)
    assert line == in_notebook == in_table
    for params in (
        chosen.params_for(SVC),
        result_of("select", path, *options)["scikit_learn"],
        result_of("evaluate", path, "--criteria", "loo", *options)["scikit_learn"]["loo"],
        ke.KernelSelector(SVC(), GRID, C="auto", lam=LAMS).fit(X, y).best_params_,
        made(line).get_params(),
    ):
        found = SVC(**params).fit(X, y).decision_function(X)
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert "C=" not in re.search(r"^kta .*(SVC\(.*)$", table, re.MULTILINE).group(1)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize(
    ("kind", "bias"),
    [(KernelRidge, False), (GaussianProcessRegressor, False), (GaussianProcessRegressor, True)],
)
@pytest.mark.parametrize("kernels", [GRID, [ke.Laplacian(0.1), ke.Laplacian(0.5)]])
def test_ridge_and_gaussian_processes_have_the_held_out_loss_that_was_judged(
    kind, bias, kernels, unit
):
    X, y = data("regression")
    X, y = X[:40, :3], unit * (y[:40] + (1e3 if bias else -y[:40].mean()))
    chosen = ke.select(X, y, kernels, "loo", lam=LAMS, bias=bias)
    params = chosen.params_for(kind)
    if kind is KernelRidge and not isinstance(params["kernel"], str):
        params["kernel"] = lambda a, b, k=params["kernel"]: k(a[None, :], b[None, :])[0, 0]
    errors = []
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        model = kind(**params).fit(X[rest], y[rest])
        errors.append(float(model.predict(X[[i]])[0] - y[i]))
    # The constant of a Gaussian process has a wide distribution, not a flat one.
    assert np.mean(np.square(errors)) == pytest.approx(chosen.score, rel=1e-5 if bias else 1e-8)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("bias", [True, False])
def test_a_gaussian_process_has_the_deviations_of_the_model_that_was_judged(unit, bias):
    X, y = data("regression")
    y = unit * (y - 140.0)
    new = X[:50] + 0.3
    chosen = ke.select(X[50:], y[50:], GRID, lam="auto", bias=bias)
    process = GaussianProcessRegressor(**chosen.params_for(GaussianProcessRegressor))
    means, deviations = process.fit(X[50:], y[50:]).predict(new, return_std=True)
    own = ke.LSSVMRegressor(**chosen.params_for(ke.LSSVMRegressor)).fit(X[50:], y[50:])
    wanted, spread = own.predict(new, return_std=True)
    np.testing.assert_allclose(means / unit, wanted / unit, atol=1e-3)
    np.testing.assert_allclose(deviations, spread, rtol=1e-5)


def test_a_band_that_was_chosen_stays():
    X, y = data("regression")
    chosen = ke.select(X, y, GRID, lam=LAMS)
    assert "epsilon" not in chosen.params_for(SVR(epsilon=3.0))
    assert "tol" not in chosen.params_for(SVR(tol=1e-5))
    assert {"epsilon", "tol"} <= set(chosen.params_for(SVR()))
    found = ke.KernelSelector(SVR(epsilon=3.0), GRID, C="auto", lam=LAMS).fit(X, y)
    assert found.best_estimator_.epsilon == 3.0
    assert found.best_params_ == chosen.params_for(SVR(epsilon=3.0))
    assert chosen.model.residual == pytest.approx(np.sqrt(chosen.score))


def test_evaluate_prints_the_same_band_as_select(tmp_path):
    path, _, _ = file_of(tmp_path, "regression")
    options = ["--grid", "-2:12", "--lam", "0.1"]
    line = printed(run("select", path, "--criterion", "loo", *options))["scikit-learn"]
    table = run("evaluate", path, "--criteria", "kta,loo", *options).stdout
    assert re.search(r"^loo .*(SVR\(.*)$", table, re.MULTILINE).group(1) == line


def test_evaluate_fits_nothing_once_its_time_is_up(tmp_path, monkeypatch):
    """A winner was judged again for what is printed, however late it was."""
    path, X, y = file_of(tmp_path, "regression")
    options = ["--criteria", "loo,gcv", "--grid", "0:9", "--lam", "0.1", "--time-limit"]
    usual = run("evaluate", path, *options, "1000").stdout
    chosen = ke.select(X, y, ke.gaussian_grid(0, 9), "loo", lam=0.1)
    assert repr(chosen.params_for(SVR)["epsilon"]) in usual
    scored = Problem.score

    def late(problem, *args):
        table = scored(problem, *args)
        monkeypatch.setattr(Deadline, "over", lambda _: True)
        problem.deadline.reached = True
        return table

    monkeypatch.setattr(Problem, "score", late)
    monkeypatch.setattr("kernelect.selection._judged._solved", None)
    found = run("evaluate", path, *options, "1000")
    assert found.returncode == 0, found.stderr
    machine = made(re.search(r"^loo .*(SVR\(.*)$", found.stdout, re.MULTILINE).group(1))
    assert machine.gamma == chosen.kernel.gamma
    assert [machine.C, machine.epsilon] == pytest.approx([5 * np.std(y), 0.1 * np.std(y)])


def test_what_has_no_ridge_gets_the_kernel_alone():
    X, y = data("classification")
    chosen = ke.select(X, y, GRID, lam=LAMS)
    for kind in (NuSVC, OneClassSVM, KernelPCA, GaussianProcessClassifier):
        assert chosen.params_for(kind) == chosen.kernel.params_for(kind)
    for kind in (NuSVC, GaussianProcessClassifier):
        by_hand = kind(**chosen.kernel.params_for(kind)).fit(X, y).predict(X)
        np.testing.assert_array_equal(kind(**chosen.params_for(kind)).fit(X, y).predict(X), by_hand)
    assert chosen.params_for(NuSVR) == {
        "kernel": "rbf",
        "gamma": chosen.kernel.gamma,
        "C": 0.5 / chosen.lam,
        "tol": 1e-3,
    }
    own = ke.LSSVMClassifier("auto", lam_convention="mean").set_params(
        **chosen.params_for(ke.LSSVMClassifier("auto"))
    )
    assert own.fit(X, y).lam_ == chosen.lam
    assert own.lam_convention == "sum"


def test_criteria_without_a_model_hand_over_the_kernel_alone():
    X, y = data("classification")
    chosen = ke.select(X, y, GRID, "sm")
    assert chosen.model is None
    assert chosen.params_for(SVC) == chosen.kernel.params_for(SVC)


def test_one_standard_error_hands_over_the_model_it_moved_to():
    X, y = data("regression")
    chosen = ke.select(X, y, GRID, lam=LAMS, rule="one_se")
    assert chosen.model.ridge == chosen.lam
    assert chosen.params_for(KernelRidge)["alpha"] == chosen.lam


def test_the_model_is_saved(tmp_path):
    X, y = data("regression")
    chosen = ke.select(X, y, GRID, lam=LAMS, bias=False)
    ke.save(chosen, tmp_path / "chosen.json")
    assert ke.load(tmp_path / "chosen.json").params_for(SVR) == chosen.params_for(SVR)


def test_the_band_of_very_many_rows_is_a_share_of_what_is_not_known():
    model = RidgeModel(1e-6, 600, residual=1.0, coefficient=1.0)
    band = {n: dataclasses.replace(model, rows=n).params_for(SVR())["epsilon"] for n in SIZES}
    assert band == pytest.approx({600: 0.159, 5000: 0.225, 10_000: 0.3, 10**6: 0.3})
    known = dataclasses.replace(model, lam=1.0).params_for(SVR())
    assert known["epsilon"] == pytest.approx(0.5)
