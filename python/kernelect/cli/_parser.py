"""The arguments of the command line, and the one sentence each bad one gets."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NoReturn

from .._support.pictures import PICTURES
from . import _values as values
from ._file_options import add_file

_EPILOG = """\
FILE is svmlight (LIBSVM) text, CSV with a header (.csv, .tsv), or a NumPy archive (.npz) with the
arrays X and y; text may be compressed (.gz, .bz2, .xz). FILE - is standard input, with --format.

examples:
  kernelect demo
  kernelect select flowers.csv --target species --standardize
  kernelect select people.csv --drop name --encode --impute --standardize
  kernelect evaluate a1a --criteria sm,kta,ckta --grid -10:10 --json scores.json
"""

Command = Callable[[argparse.Namespace, list[str]], None]


class Refused(Exception):
    """Bad arguments, told in one sentence."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Refused(f"{message} (see '{self.prog} --help')")


def parse(
    argv: Sequence[str], version: str, *, demo: Command, select: Command, evaluate: Command
) -> argparse.Namespace:
    """Parse the arguments; ``run`` of what is returned is the command to call.

    Parameters
    ----------
    argv : sequence of str
        The arguments after the program's name.
    version : str
        What ``--version`` prints.
    demo, select, evaluate : callable
        The commands.

    Returns
    -------
    argparse.Namespace
        The arguments, converted and checked.
    """
    parser = _Parser(
        prog="kernelect",
        description="Elect a kernel: score candidates straight from their matrices, pick the best.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"kernelect {version}")
    commands = parser.add_subparsers(metavar="{demo,select,evaluate}", required=True)
    for name, run, words, add in (
        ("demo", demo, "elect a kernel on data where the choice matters", ()),
        ("select", select, "elect a kernel for FILE", (_add_election, _add_data, _add_model)),
        (
            "evaluate",
            evaluate,
            "score every candidate for FILE by several criteria",
            (_add_criteria, _add_data, _add_model),
        ),
    ):
        command = commands.add_parser(name, help=words, allow_abbrev=False)
        command.set_defaults(run=run)
        for add_some in (*add, _add_output):
            add_some(command)
        if name != "demo":
            _add_picture(command)
    options = parser.parse_args(_grid_joined(argv))
    _check_plot_kind(options)
    return options


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


def _add_criteria(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--criteria",
        type=values.several_criteria,
        default="sm,kta,ckta",
        metavar="NAME,NAME,...|all",
        help="what scores (default: sm,kta,ckta); all: every criterion that fits the task, of more "
        "than 1000 rows those whose time grows as the square of the rows",
    )


def _add_picture(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--plot",
        type=values.picture,
        metavar="FILE",
        help="draw the criteria over the candidates into a .png, .svg or .pdf (needs matplotlib)",
    )
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
        raise Refused("--plot-kind lambda_map needs several; pass --lam 0.1,1,10 or --lam auto")


def _add_data(command: argparse.ArgumentParser) -> None:
    add_file(command)
    command.add_argument(
        "--task",
        choices=["auto", "classification", "regression"],
        default="auto",
        help="default: auto, from the target's values",
    )
    command.add_argument(
        "--grid",
        type=values.grid,
        metavar="LOW:HIGH[:STEP]|auto",
        help="Gaussian candidates tau = 2^LOW .. 2^HIGH (default: -15:15); auto: a ladder that "
        "spans the distances in the data",
    )
    command.add_argument(
        "--standardize",
        action="store_true",
        help="give every column unit variance first (sparse rows are not centred)",
    )
    command.add_argument("--progress", action="store_true", help="show progress on standard error")


def _add_model(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--lam",
        type=values.lam,
        default=1.0,
        metavar="NUMBER[,NUMBER,...]|auto",
        help="regularisation of the criteria that fit a model (default: 1); auto: searched",
    )
    command.add_argument(
        "--lam-convention",
        choices=["sum", "mean"],
        default="sum",
        help="K + lam I (default), or K + n lam I",
    )
    command.add_argument(
        "--no-bias",
        dest="bias",
        action="store_false",
        help="kernel ridge regression in place of LSSVM",
    )
    command.add_argument(
        "--folds", type=values.folds, default=5, metavar="K", help="for cv, bif and ks (default: 5)"
    )
    command.add_argument(
        "--scoring", metavar="NAME", help="a scikit-learn score for loo and cv in place of a loss"
    )


def model_options(options: argparse.Namespace) -> dict[str, object]:
    """Return the arguments of `evaluate` and `select` that concern fitted models.

    Parameters
    ----------
    options : argparse.Namespace
        What `parse` returned.

    Returns
    -------
    dict
        Keyword arguments.
    """
    names = ("lam", "lam_convention", "bias", "folds", "scoring")
    return {name: getattr(options, name) for name in names}


def _add_output(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--json",
        type=values.writable,
        metavar="FILE|-",
        help="write the result as JSON; -: to standard output, and nothing else there",
    )
    command.add_argument(
        "--threads", type=values.threads, metavar="N", help="default: the CPUs this process may use"
    )


def _grid_joined(argv: Sequence[str]) -> list[str]:
    """Make ``--grid -15:15`` one argument: argparse would take the value for an option."""
    joined: list[str] = []
    for argument in argv:
        if joined and joined[-1] == "--grid":
            joined[-1] = f"--grid={argument}"
        else:
            joined.append(argument)
    return joined
