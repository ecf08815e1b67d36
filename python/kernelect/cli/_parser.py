"""The arguments of the command line, and the one sentence each bad one gets."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from .._support.pictures import PICTURES
from . import _values as values
from ._file_options import add_data
from ._help import COMMANDS, DESCRIPTION, EPILOG
from ._model_options import add_convention, add_fit, add_folds, add_predict, add_shell

Command = Callable[[argparse.Namespace, list[str]], None]


class Refused(Exception):
    """Bad arguments, told in one sentence."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Refused(f"{_plainly(message)} (see '{self.prog} --help')")


def _plainly(message: str) -> str:
    """Say which choice was probably meant, where argparse lists them all."""
    no_choice = re.fullmatch(
        r"argument (\S+): invalid choice: '(.*?)' \(choose from (.*?)\).*", message
    )
    if no_choice is None:
        return message
    name, given, listed = no_choice.groups()
    choices = [choice.strip("' ") for choice in listed.split(",")]
    hint = _hint(given, choices, f"choose from {listed}")
    return f"argument {name}: invalid choice {given!r}; {hint}"


def _hint(given: str, known: Sequence[str], otherwise: str) -> str:
    from .._support.arguments import did_you_mean  # imports NumPy, for which --help does not wait

    return did_you_mean(given, known, otherwise)


def parse(argv: Sequence[str], version: str, run: Mapping[str, Command]) -> argparse.Namespace:
    """Parse the arguments; ``run`` of what is returned is the command to call.

    Parameters
    ----------
    argv : sequence of str
        The arguments after the program's name.
    version : str
        What ``--version`` prints.
    run : mapping of str to callable
        The commands by name.

    Returns
    -------
    argparse.Namespace
        The arguments, converted and checked.
    """
    parser = _Parser(
        prog="kernelect",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"kernelect {version}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, title="commands")
    for name, adders in _COMMANDS.items():
        words, examples = COMMANDS[name]
        command = commands.add_parser(
            name,
            help=words,
            description=f"{words[0].upper()}{words[1:]}.",
            epilog=examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.set_defaults(run=run[name], parser=parser, command=command, quiet=False)
        for add_some in adders:
            add_some(command)
    options, unknown = parser.parse_known_args(_grid_joined(argv))
    if unknown:
        _refuse_unknown(unknown[0], options.command)
    options.typed = shlex.join(["kernelect", *argv])
    _check_plot_kind(options)
    _check_fit_is_of_use(options)
    return options


def _refuse_unknown(given: str, command: argparse.ArgumentParser) -> NoReturn:
    if not given.startswith("-"):
        raise Refused(f"{given!r} is one argument too many (see '{command.prog} --help')")
    name = given.partition("=")[0]
    hint = _hint(name, list(command._option_string_actions), otherwise="")
    fault = f"'{command.prog}' has no option {name!r}"
    raise Refused(f"{fault}{hint and f'; {hint}'} (see '{command.prog} --help')")


def _add_election(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--criterion",
        type=values.deciding,
        default="auto",
        metavar="NAME",
        help="what elects (default: auto, a shortlist verified by exact leave-one-out), with "
        "parameters where wanted: 'sm(r=3)'",
    )
    command.add_argument(
        "--rule",
        choices=["best", "one_se"],
        default="best",
        help="one_se: the widest kernel within one standard error of the best",
    )
    command.add_argument(
        "--refine",
        action="store_true",
        help="give the winner a width for every column, where that predicts unseen rows better",
    )


def _add_criteria(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--criteria",
        type=values.several_criteria,
        default="sm,kta,ckta",
        metavar="NAME,NAME,...|all",
        help="what scores (default: sm,kta,ckta); all: every criterion that fits the task, above "
        "1000 rows only those whose time grows with the square of the rows",
    )


def _add_picture(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--plot",
        type=values.picture,
        metavar="FILE",
        help="save a plot of the result as .png, .svg or .pdf (needs matplotlib)",
    )


def _add_report(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--report",
        type=values.page,
        metavar="FILE",
        help="write a web page (.html): the decision, how sure it is, curves, predictions of "
        "held-out rows, warnings, the code to reproduce it (needs matplotlib)",
    )


def _add_kinds_of_pictures(command: argparse.ArgumentParser) -> None:
    said = [f"{kind} ({words})" for kind, words in PICTURES.items()]
    command.add_argument(
        "--plot-kind",
        choices=list(PICTURES),
        help=f"what to draw (default: curves): {', '.join(said)}",
    )


def _check_plot_kind(options: argparse.Namespace) -> None:
    kind = getattr(options, "plot_kind", None)
    if kind is not None and options.plot is None:
        raise Refused(f"--plot-kind {kind} needs --plot FILE to draw into")
    if kind == "lambda_map" and isinstance(options.lam, float):
        raise Refused("--plot-kind lambda_map needs several lambdas: --lam 0.1,1,10 or --lam auto")


def _check_fit_is_of_use(options: argparse.Namespace) -> None:
    shown = ("save", "report", "plot", "json")
    if "save" in options and all(getattr(options, name) is None for name in shown):
        raise Refused(
            "fit needs --save MODEL to keep the model for 'kernelect predict', or --report, --plot "
            "or --json to show it"
        )


def _add_candidates(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--grid",
        type=values.grid,
        metavar="LOW:HIGH[:STEP]|auto",
        help="Gaussian candidates tau = 2^LOW .. 2^HIGH (default: -15:15); auto: a ladder that "
        "spans the distances in the data",
    )
    command.add_argument("--progress", action="store_true", help="show progress on standard error")


def _add_time_limit(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--time-limit",
        type=values.seconds,
        metavar="SECONDS",
        help="stop after this long, reading the file included, with the best decision so far",
    )


def _add_model(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--lam",
        type=values.lam,
        default=1.0,
        metavar="NUMBER[,NUMBER,...]|auto",
        help="regularisation of the criteria that fit a model (default: 1); auto: searched",
    )
    add_convention(command)
    add_folds(command, "for cv, bif and ks (default: 5); where given, auto verifies by these folds")
    command.add_argument(
        "--landmarks",
        type=values.landmarks,
        default="auto",
        metavar="M|auto|none",
        help="judge models with M landmarks in place of whole kernel matrices (default: auto, as "
        "rows and memory ask for); none: never",
    )
    command.add_argument(
        "--sample",
        type=values.sample,
        metavar="ROWS|auto",
        help="estimate sums over pairs of rows (sm, kta, ckta, ...) by this many rows against all; "
        "auto: as many as tell the candidates apart (default: all pairs)",
    )
    command.add_argument(
        "--scoring", metavar="NAME", help="a scikit-learn score for loo and cv in place of a loss"
    )


def call_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the keywords that `evaluate` and `select` share, but for the time that is left.

    Parameters
    ----------
    options : argparse.Namespace
        What `parse` returned.

    Returns
    -------
    dict
        Keyword arguments.
    """
    names = ("lam", "lam_convention", "bias", "folds", "landmarks", "sample", "scoring", "task")
    given = {name: getattr(options, name) for name in (*names, "progress")}
    return {**given, "n_threads": options.threads}


def _add_output(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--json",
        type=values.writable,
        metavar="FILE|-",
        help="write the result as JSON; -: to standard output, and nothing else there",
    )
    command.add_argument(
        "--quiet", action="store_true", help="print no report and no warnings; errors remain"
    )
    command.add_argument(
        "--threads", type=values.threads, metavar="N", help="default: the CPUs this process may use"
    )


_PICTURES = (_add_picture, _add_kinds_of_pictures)
_RESULTS = (_add_output, *_PICTURES)
_COMMANDS: dict[str, tuple[Callable[[argparse.ArgumentParser], None], ...]] = {
    "demo": (_add_output, _add_picture),
    "select": (
        *(_add_election, add_data, _add_candidates, _add_time_limit, _add_model),
        *(*_RESULTS, _add_report),
    ),
    "evaluate": (_add_criteria, add_data, _add_candidates, _add_time_limit, _add_model, *_RESULTS),
    "fit": (add_data, add_fit, _add_time_limit, *_RESULTS, _add_report),
    "predict": (add_predict, _add_output, _add_picture),
    "completion": (add_shell,),
}


def _grid_joined(argv: Sequence[str]) -> list[str]:
    """Make ``--grid -15:15`` one argument: argparse would take the value for an option."""
    joined: list[str] = []
    for argument in argv:
        if joined and joined[-1] == "--grid":
            joined[-1] = f"--grid={argument}"
        else:
            joined.append(argument)
    return joined
