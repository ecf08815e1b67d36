"""Completion of shells: by their scripts, and by the shells themselves where they are installed."""

import os
import select
import shutil
import subprocess
import time

import pytest
from command_line import refusal, run

from kernelect import criteria
from kernelect.cli._completion import USUAL
from kernelect.lssvm._elections.ways import WAYS


def needs(shell):
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"there is no {shell}")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_names_every_command_and_option(shell):
    script = run("completion", shell).stdout
    for word in ("demo", "select", "evaluate", "fit", "predict", "completion"):
        assert word in script
    for option in ("standardize", "probabilities", "criterion", "save", "lam-convention", "quiet"):
        assert option in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, capture_output=True, check=True)


def completed_by_bash(*words: str) -> list[str]:
    script = run("completion", "bash").stdout
    script += f"COMP_WORDS=({' '.join(repr(word) for word in words)})\n"
    script += f'COMP_CWORD={len(words) - 1}\n_kernelect\nprintf "%s\\n" "${{COMPREPLY[@]}}"\n'
    done = subprocess.run(["bash"], input=script, text=True, capture_output=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def completed_by_fish(*words: str) -> list[str]:
    script = run("completion", "fish").stdout + f"complete -C '{' '.join(words)}'\n"
    done = subprocess.run(
        ["fish", "--no-config"], input=script, text=True, capture_output=True, check=True
    )
    assert done.stderr == ""
    return [line.partition("\t")[0] for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    "completed",
    [
        pytest.param(completed_by_bash, marks=needs("bash")),
        pytest.param(completed_by_fish, marks=needs("fish")),
    ],
)
def test_shells_complete(completed):
    assert completed("kernelect", "se") == ["select"]
    assert completed("kernelect", "--v") == ["--version"]
    assert completed("kernelect", "fit", "--lam") == ["--lam", "--lam-convention"]
    assert sorted(completed("kernelect", "fit", "--lam-convention", "")) == ["mean", "sum"]
    assert completed("kernelect", "completion", "z") == ["zsh"]
    assert completed("kernelect", "select", "a.csv", "--criterion", "ks") == ["ks"]
    assert "refined" in completed("kernelect", "fit", "a.csv", "--kernel", "r")
    assert "--probabilities" in completed("kernelect", "predict", "m.npz", "--")


@needs("zsh")
def test_zsh_completes(tmp_path):
    """Zsh completes only what is typed: here into a terminal that nobody sees."""
    import pty

    (tmp_path / "_kernelect").write_text(run("completion", "zsh").stdout)
    terminal, its_end = pty.openpty()
    shell = subprocess.Popen(
        ["zsh", "-f", "-i"],
        cwd=tmp_path,
        env={**os.environ, "TERM": "dumb", "HOME": str(tmp_path), "PS1": "ready> "},
        stdin=its_end,
        stdout=its_end,
        stderr=its_end,
        start_new_session=True,
    )
    os.close(its_end)
    try:
        typed(terminal, "unsetopt beep; fpath=($PWD $fpath)\n", "ready> ")
        typed(terminal, "autoload -U compinit; compinit -u -D; PS1='set> '\n", "\rset> ")
        for begun, whole in {
            "kernelect se": "kernelect select",
            "kernelect --v": "kernelect --version",
            "kernelect fit --lam-c": "kernelect fit --lam-convention",
            "kernelect completion z": "kernelect completion zsh",
            "kernelect predict m.npz --prob": "kernelect predict m.npz --probabilities",
        }.items():
            typed(terminal, f"{begun}\t", whole)
            typed(terminal, "\x15\n", "\rset> ")
    finally:
        shell.kill()
        shell.wait()
        os.close(terminal)


def typed(terminal: int, keys: str, awaited: str) -> None:
    """Press keys, and wait until the terminal shows what is awaited, for twenty seconds at most."""
    os.write(terminal, keys.encode())
    shown, end = "", time.monotonic() + 20.0
    while awaited not in shown:
        assert time.monotonic() < end, shown
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 65536).decode(errors="replace")


def test_bad_shells_are_refused():
    assert "'csh'; did you mean 'zsh'?" in refusal("completion", "csh")


def test_what_is_offered_is_what_there_is():
    assert USUAL["criterion"] == ["auto", *criteria.names()]
    assert USUAL["criteria"] == ["all", *criteria.names()]
    assert {*USUAL["kernel"], "poly", "gaussian", "precomputed"} == set(WAYS)


def test_descriptions_keep_their_marks():
    assert "default: auto, from the target\u2019s values".replace(":", "\\:") in (
        run("completion", "zsh").stdout
    )
    assert r"default: auto, from the target\'s values" in run("completion", "fish").stdout


@needs("fish")
def test_fish_describes_options_and_not_their_values():
    def shown(begun):
        script = run("completion", "fish").stdout + f"complete -C '{begun}'\n"
        done = subprocess.run(
            ["fish", "--no-config"], input=script, text=True, capture_output=True, check=True
        )
        return done.stdout.splitlines()

    (option,) = shown("kernelect select --crit")
    assert option.startswith("--criterion\twhat elects (default: auto")
    assert shown("kernelect select --rule ") == ["best", "one_se"]
