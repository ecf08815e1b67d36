"""Arguments and files that are refused with one line, before anything is written."""

from __future__ import annotations

import pytest
from command_line import refusal


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "required"),
        (["elect"], "invalid choice 'elect'; did you mean 'select'?"),
        (["select"], "FILE"),
        (["select", "FILE", "--criterion", "smm"], "'sm'"),
        (["select", "FILE", "--grid", "3"], "LOW:HIGH"),
        (["select", "FILE", "--grid", "a:b"], "LOW:HIGH"),
        (["select", "FILE", "--grid", "-inf:3"], "LOW:HIGH"),
        (["select", "FILE", "--plot-kind", "spectra"], "needs --plot FILE"),
        (
            ["select", "FILE", "--plot", "a.png", "--plot-kind", "lambda_map"],
            "needs several lambdas: --lam 0.1,1,10 or --lam auto",
        ),
        (["select", "FILE", "--grid", "1:2:3:4"], "LOW:HIGH"),
        (["select", "FILE", "--grid", "5:1"], "--grid"),
        (["select", "FILE", "--grid", "1:5:0"], "--grid"),
        (["select", "FILE", "--grid", "1:5:-1"], "--grid"),
        (["select", "FILE", "--grid"], "--grid"),
        (["select", "FILE", "--threads", "0"], "at least 1"),
        (["select", "FILE", "--threads", "two"], "at least 1"),
        (["select", "FILE", "--task", "guess"], "--task"),
        (["select", "FILE", "--target", "kin"], "did you mean 'kind'?"),
        (["select", "FILE", "--bogus"], "'kernelect select' has no option '--bogus'"),
        (["select", "FILE", "--standardise"], "did you mean '--standardize'?"),
        (["select", "FILE", "--lan=3"], "has no option '--lan'; did you mean '--lam'?"),
        (["demo", "now"], "'now' is one argument too many (see 'kernelect demo --help')"),
        (["select", "FILE", "--format", "pdf"], "'pdf'; choose from "),
        (["select", "FILE", "--target", "kind", "--landmarks", "9999"], "or --landmarks none for"),
        (["select", "FILE", "--no-header"], "leave out --no-header if the first line names"),
        (["select", "FILE", "--json", "FOLDER"], "folder"),
        (["select", "FILE", "--json", "FOLDER/no/out.json"], "does not exist"),
        (["select", "FILE", "--criterion", "sm(r=0)"], "r"),
        (["select", "FILE", "--criterion", "sm(r=2.5)"], "sm: r must be a whole number, not 2.5"),
        (["evaluate", "FILE", "--criteria", "sm(r='a')"], "sm: r must be a whole number, not 'a'"),
        (["select", "FILE", "--criterion", "sm(r={[]: 1})"], "as in sm(r=3)"),
        (["select", "FILE", "--folds", "²"], "'²' is not a whole number of at least 2"),
        (["select", "FILE", "--criterion", "sm(q=3)"], "as in sm(r=3)"),
        (["select", "FILE", "--criterion", "sm(3)"], "as in sm(r=3)"),
        (["select", "FILE", "--criterion", "sm(r=3"], "as in sm(r=3)"),
        (["select", "FILE", "--criterion", "sm(r=print())"], "as in sm(r=3)"),
        (["evaluate", "FILE", "--criteria", "sm,,kta"], "empty name"),
        (["evaluate", "FILE", "--target", "kind", "--criteria", "sm,ktaa"], "'kta'"),
        (["evaluate", "FILE", "--target", "kind", "--criteria", "sm,sm"], "sm"),
        (["demo", "--threads", "-1"], "at least 1"),
    ],
)
def test_bad_arguments(table, arguments, said):
    words = [
        word.replace("FILE", str(table)).replace("FOLDER", str(table.parent)) for word in arguments
    ]
    if "--criterion" in words:
        words += ["--target", "kind"]
    assert said in refusal(*words)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.csv", None, "No such file"),
        ("empty.csv", "", "is empty"),
        ("text.csv", "a,town,t\n1,Ulm,0\n2,Bonn,1\n", "'town' (text 'Ulm' in row 1)"),
        ("gap.csv", "a,b,t\n1,2,0\n,3,1\n", "'a' (missing in row 2)"),
        ("one_row.csv", "a,b,t\n1,2,0\n", ""),
        ("one_class.csv", "a,b,t\n1,2,x\n3,4,x\n5,7,x\n", ""),
        ("words.svm", "these are words\n", "svmlight"),
        ("nan.svm", "1 1:nan 2:1\n0 1:2 2:3\n1 1:2 2:2\n", ""),
        ("inf.svm", "1 1:inf 2:1\n0 1:2 2:3\n1 1:2 2:2\n", ""),
        ("text.npz", "no archive", "not a NumPy archive"),
        ("bad.csv.gz", "not compressed", "cannot be read"),
    ],
)
def test_bad_files(tmp_path, name, content, said):
    if content is not None:
        (tmp_path / name).write_text(content)
    for command in ["select", "evaluate"]:
        assert said in refusal(command, tmp_path / name)


def test_nothing_is_written_on_bad_input(tmp_path):
    (tmp_path / "bad.csv").write_text("a,t\nx,0\ny,1\n")
    refusal("select", tmp_path / "bad.csv", "--json", tmp_path / "out.json")
    assert not (tmp_path / "out.json").exists()
