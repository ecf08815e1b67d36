"""From a table to predictions without Python: ``fit``, ``predict``, quiet, help."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from command_line import refusal, result_of, run
from sklearn.datasets import dump_svmlight_file, load_diabetes, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kernelect as ke
from kernelect import io


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(text.splitlines()))


@pytest.fixture(scope="module")
def flowers(tmp_path_factory):
    """A table of flowers to learn from, one without its target, and one with gaps and text."""
    folder = tmp_path_factory.mktemp("flowers")
    data = load_iris(as_frame=True)
    frame = data.frame.rename(columns={"target": "species"})
    frame["species"] = np.array(["setosa", "versicolor", "virginica"])[frame["species"]]
    frame["size"] = np.where(frame["petal length (cm)"] > 4, "large", "small")
    frame = frame[["species", *[name for name in frame if name != "species"]]]
    new = frame.iloc[::5]
    frame.drop(index=new.index).to_csv(folder / "old.csv", index=False)
    new.to_csv(folder / "new.csv", index=False)
    new[["size", *data.feature_names[::-1]]].to_csv(folder / "unknown.csv", index=False)
    return folder


def test_from_a_table_to_predictions(flowers):
    model = flowers / "flowers.npz"
    fitted = run(
        *("fit", flowers / "old.csv", "--target", "species", "--encode", "--standardize"),
        *("--save", model),
    )
    assert fitted.returncode == 0, fitted.stderr
    assert "120 rows, 5 columns, standardised, classification with 3 classes" in fitted.stdout
    assert "fitted:   Gaussian(tau=" in fitted.stdout
    assert "\nwhy:      3 kernels together predict unseen rows" in fitted.stdout
    assert "(the largest class alone: 0.3333)" in fitted.stdout
    assert f"kernelect predict {model} FILE" in fitted.stdout
    known, unknown = (run("predict", model, flowers / name) for name in ("new.csv", "unknown.csv"))
    assert known.stderr == "new.csv: accuracy 0.9667 on 30 rows\n"
    assert unknown.stderr == ""
    assert known.stdout == unknown.stdout
    predicted = rows_of(known.stdout)
    assert predicted[0] == ["prediction"]
    data, _ = io.learn(flowers / "old.csv", target="species", encode=True)
    twin = make_pipeline(StandardScaler(), ke.LSSVMClassifier()).fit(data.X, data.y)
    rows = io.read(flowers / "new.csv", target="species", encode=True)
    assert [row[0] for row in predicted[1:]] == twin.predict(rows.X).tolist()
    np.testing.assert_array_equal(ke.load(model).predict(rows.X), twin.predict(rows.X))


def test_probabilities_output_and_json(flowers, tmp_path):
    model = tmp_path / "m.npz"
    run("fit", flowers / "old.csv", "--target", "species", "--encode", "--save", model)
    output, report = tmp_path / "p.csv", tmp_path / "p.json"
    done = run(
        *("predict", model, flowers / "new.csv", "--probabilities", "--output", output),
        *("--json", report),
    )
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == f"{output}: 30 predictions written"
    rows = rows_of(output.read_text())
    names = ["setosa", "versicolor", "virginica"]
    assert rows[0] == ["prediction", *(f"probability of {name}" for name in names)]
    shares = np.array([row[1:] for row in rows[1:]], dtype=float)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert [row[0] for row in rows[1:]] == [names[k] for k in shares.argmax(axis=1)]
    written = json.loads(report.read_text())
    assert written["predictions"]["prediction"] == [row[0] for row in rows[1:]]
    assert written["score"] > 0.9
    alone = result_of("predict", model, flowers / "new.csv", "--probabilities")
    assert alone["predictions"] == written["predictions"]


def test_numbers_and_their_deviations(tmp_path):
    X, y = load_diabetes(return_X_y=True)
    np.savez(tmp_path / "old.npz", X=X[:300], y=y[:300])
    np.savez(tmp_path / "new.npz", X=X[300:])
    written = result_of("fit", tmp_path / "old.npz", "--save", tmp_path / "m.npz")
    assert written["baseline"] == 0.0
    assert 0.4 < written["held_out_score"] < 0.6
    done = run("predict", tmp_path / "m.npz", tmp_path / "new.npz", "--deviations")
    rows = np.array(rows_of(done.stdout)[1:], dtype=float)
    mean, deviation = ke.load(tmp_path / "m.npz").predict(X[300:], return_std=True)
    np.testing.assert_array_equal(rows, np.column_stack([mean, deviation]))


def test_kernels_and_regularisation_of_ones_own(tmp_path):
    X, y = load_diabetes(return_X_y=True)
    np.savez(tmp_path / "old.npz", X=X[:100], y=y[:100])
    run(
        *("fit", tmp_path / "old.npz", "--kernel", "laplacian", "--lam", "0.5", "--no-bias"),
        *("--lam-convention", "mean", "--save", tmp_path / "m.npz"),
    )
    model = ke.load(tmp_path / "m.npz")
    assert isinstance(model.kernel_, ke.Laplacian)
    assert (model.lam_, model.lam_convention, model.bias) == (0.5, "mean", False)


def test_landmarks(tmp_path):
    X, y = load_diabetes(return_X_y=True)
    np.savez(tmp_path / "old.npz", X=X[:100], y=y[:100])
    saved = ("fit", tmp_path / "old.npz", "--kernel", "rbf", "--save", tmp_path / "m.npz")
    run(*saved, "--landmarks", "none")
    assert ke.load(tmp_path / "m.npz").solver_ == "exact"
    run(*saved, "--landmarks", "20")
    assert ke.load(tmp_path / "m.npz").X_fit_.shape == (20, 10)
    asked = ("predict", tmp_path / "m.npz", tmp_path / "old.npz", "--deviations")
    written = tmp_path / "deviations.csv"
    done = run(*asked, "--output", written)
    assert done.returncode == 0, done.stderr
    assert "deviation" in written.read_text().splitlines()[0]
    assert "give fewer, or --landmarks none" in refusal(*saved, "--landmarks", "101")


def test_sparse_rows(tmp_path):
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 30)) * (random.uniform(size=(60, 30)) < 0.1)
    y = np.where(X.sum(axis=1) > 0, 1, -1)
    dump_svmlight_file(X, y, str(tmp_path / "old"), zero_based=False)
    dump_svmlight_file(X[:9, :20], y[:9], str(tmp_path / "new"), zero_based=False)
    fitted = run("fit", tmp_path / "old", "--standardize", "--save", tmp_path / "m.npz")
    assert fitted.returncode == 0, fitted.stderr
    done = run("predict", tmp_path / "m.npz", tmp_path / "new")
    assert len(rows_of(done.stdout)) == 10
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["new.csv", "unknown.csv"])
def test_pictures(flowers, tmp_path, name):
    model = tmp_path / "m.npz"
    picture = tmp_path / "fit.png"
    done = run(
        *("fit", flowers / "old.csv", "--target", "species", "--encode", "--standardize"),
        *("--save", model, "--plot", picture),
    )
    assert done.returncode == 0, done.stderr
    assert picture.stat().st_size > 5000
    run("predict", model, flowers / name, "--plot", tmp_path / "predicted.png")
    assert (tmp_path / "predicted.png").stat().st_size > 5000


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("options", [(), ("--deviations",)])
def test_pictures_of_numbers(tmp_path, known, options):
    X, y = load_diabetes(return_X_y=True)
    np.savez(tmp_path / "old.npz", X=X[:100], y=y[:100])
    np.savez(tmp_path / "new.npz", **({"X": X[:50], "y": y[:50]} if known else {"X": X[:50]}))
    run("fit", tmp_path / "old.npz", "--save", tmp_path / "m.npz")
    done = run(
        *("predict", tmp_path / "m.npz", tmp_path / "new.npz", *options),
        *("--plot", tmp_path / "p.svg"),
    )
    assert done.returncode == 0, done.stderr
    assert "observed" in (tmp_path / "p.svg").read_text() or not known


def test_a_fit_can_be_shown_without_being_saved(flowers, tmp_path):
    page, old = tmp_path / "page.html", (flowers / "old.csv", "--target", "species", "--encode")
    done = run("fit", *old, "--report", page)
    assert done.returncode == 0, done.stderr
    assert "saved:    nothing; --save MODEL keeps the model for 'kernelect predict'" in done.stdout
    assert "Held-out predictions" in page.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert json.loads(run("fit", *old, "--json", "-").stdout)["saved"] is None


def test_refusals(flowers, tmp_path):
    model, X = tmp_path / "m.npz", np.random.default_rng(0).normal(size=(20, 2))
    old = flowers / "old.csv"
    assert "fit needs --save MODEL to keep the model" in refusal("fit", old)
    assert "does not end in .npz" in refusal("fit", old, "--save", tmp_path / "m.json")
    assert "several numbers; give one, or auto" in refusal(
        "fit", old, "--save", model, "--lam", "1,2"
    )
    wrong = refusal(
        "fit", old, "--target", "species", "--encode", "--kernel", "rfb", "--save", model
    )
    assert "unknown kernel 'rfb'" in wrong
    plot = ("--kernel", "rbf", "--plot", tmp_path / "p.png", "--save", model)
    assert "--plot shows an election" in refusal("fit", old, *plot)
    assert not model.exists()
    assert "cannot read" in refusal("predict", tmp_path / "nowhere.npz", old)
    assert "is not a saved model" in refusal("predict", old, old)
    ke.save(ke.LSSVMClassifier("auto").fit(X, X[:, 0] > 0), model)
    assert "does not say how a table becomes its rows" in refusal("predict", model, old)
    run("fit", old, "--target", "species", "--encode", "--save", model)
    assert "which have no deviations" in refusal("predict", model, old, "--deviations")
    (tmp_path / "short.csv").write_text("size\nlarge\n")
    assert "has no column" in refusal("predict", model, tmp_path / "short.csv")


@pytest.mark.parametrize("command", ["select", "evaluate", "fit"])
def test_quiet(flowers, tmp_path, command):
    save = ("--save", tmp_path / "m.npz") if command == "fit" else ()
    done = run(
        *(command, flowers / "old.csv", "--target", "species", "--encode", *save),
        *("--quiet", "--json", tmp_path / "r.json"),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert json.loads((tmp_path / "r.json").read_text())["command"] == command


def test_quiet_keeps_warnings_for_json(tmp_path):
    X = np.column_stack([np.arange(20) * 1e6, np.arange(20) % 3 * 1e-3])
    np.savez(tmp_path / "a.npz", X=X, y=np.arange(20) % 2)
    done = run("select", tmp_path / "a.npz", "--quiet", "--json", "-")
    assert done.stderr == ""
    assert any("very different scales" in words for words in json.loads(done.stdout)["warnings"])


def test_quiet_predictions_are_still_predictions(flowers, tmp_path):
    run("fit", flowers / "old.csv", "--target", "species", "--encode", "--save", tmp_path / "m.npz")
    done = run("predict", tmp_path / "m.npz", flowers / "new.csv", "--quiet")
    assert len(rows_of(done.stdout)) == 31
    assert done.stderr == ""


def test_help_teaches_by_example():
    for command in ("demo", "select", "evaluate", "fit", "predict", "completion"):
        text = run(command, "--help").stdout
        assert "examples:" in text
        assert f"kernelect {command}" in text[text.index("examples:") :]
    assert "exit codes: 0" in run("--help").stdout


def test_examples_of_help_are_commands_that_parse(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parsed = []
    monkeypatch.setattr(
        "kernelect.cli._commands._RUN",
        dict.fromkeys(
            ("demo", "select", "evaluate", "fit", "predict", "completion"),
            lambda options, warned: parsed.append(options),
        ),
    )
    from kernelect.cli._help import COMMANDS, EPILOG

    for text in (EPILOG, *(examples for _, examples in COMMANDS.values())):
        for line in text.splitlines():
            words = line.partition("| ")[2] or line.strip()
            if words.startswith("kernelect ") and "COMMAND" not in words:
                words = words.partition(" >")[0].partition("   ")[0]
                arguments = next(csv.reader([words], delimiter=" "))[1:]
                done = run(*arguments)
                assert done.returncode == 0, (line, done.stderr)
    assert len(parsed) > 15


@pytest.mark.parametrize("kernel", ["committee", "best", "refined"])
def test_learners_of_several_kernels(flowers, tmp_path, kernel):
    """A committee's list of lambdas and kernels was formatted as one number, and refused as one."""
    asked = ("fit", flowers / "new.csv", "--target", "species", "--encode", "--kernel", kernel)
    written = result_of(*asked, "--save", tmp_path / "m.npz")
    done = run(*asked, "--save", tmp_path / "m.npz")
    assert done.returncode == 0, done.stderr
    model = ke.load(tmp_path / "m.npz")
    assert written["lam"] == np.asarray(model.lam_).tolist()
    several = isinstance(model.kernel_, list)
    kernels = written["kernel"] if several else [written["kernel"]]
    found = [ke.serialization.from_dict(each) for each in kernels]
    assert found == (model.kernel_ if several else [model.kernel_])
    assert f"fitted:   {', '.join(map(str, found))} with lam = " in done.stdout


def test_a_committee_has_no_landmarks(flowers, tmp_path):
    asked = ("fit", flowers / "new.csv", "--target", "species", "--encode", "--landmarks", "20")
    said = refusal(*asked, "--kernel", "committee", "--save", tmp_path / "m.npz")
    assert "whole matrices; use --landmarks none, or --kernel auto" in said
    assert "solver" not in said


def test_targets_of_another_kind(flowers, tmp_path):
    X, y = load_diabetes(return_X_y=True)
    np.savez(tmp_path / "numbers.npz", X=X[:50], y=y[:50])
    np.savez(tmp_path / "classes.npz", X=X[:50], y=np.where(y[:50] > 100, "high", "low"))
    np.savez(tmp_path / "parts.npz", X=X[:50], y=y[:50] / 7)
    for name in ("numbers", "classes"):
        run(
            "fit",
            tmp_path / f"{name}.npz",
            "--kernel",
            "rbf",
            "--save",
            tmp_path / f"{name}.model.npz",
        )
    said = refusal("predict", tmp_path / "classes.model.npz", tmp_path / "parts.npz")
    assert (
        "parts.npz has numbers with fractions as a target, and the model predicts classes" in said
    )
    said = refusal("predict", tmp_path / "numbers.model.npz", tmp_path / "classes.npz")
    assert "classes.npz has text as a target, and the model predicts numbers" in said


def test_report_on_the_model(flowers, tmp_path):
    pytest.importorskip("matplotlib")
    page = tmp_path / "model.html"
    asked = ("--target", "species", "--encode", "--save", tmp_path / "m.npz", "--report", page)
    done = run("fit", flowers / "old.csv", *asked)
    assert done.returncode == 0, done.stderr
    told = page.read_text(encoding="utf-8")
    assert "What was compared" in told
    assert f"--report {page}" in told
    wrong = refusal("fit", flowers / "old.csv", *asked, "--kernel", "rbf")
    assert "--report shows an election, and --kernel rbf holds none" in wrong
