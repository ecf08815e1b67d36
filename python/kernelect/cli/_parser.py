"""The arguments of the command line, and the one sentence each bad one gets."""

from __future__ import annotations

import argparse
import ast
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from ..criteria import Criterion
    from ..kernels import Kernel

_EPILOG = """\
FILE is svmlight (LIBSVM) text, CSV with a header (.csv, .tsv), or a NumPy archive (.npz) with the
arrays X and y; text may be compressed (.gz, .bz2, .xz).

examples:
  kernelect demo
  kernelect select flowers.csv --target species --standardize
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

    demo_parser = commands.add_parser(
        "demo", help="elect a kernel on data that scikit-learn ships", allow_abbrev=False
    )
    demo_parser.set_defaults(run=demo)
    _add_output(demo_parser)

    select_parser = commands.add_parser(
        "select", help="elect a kernel for FILE", allow_abbrev=False
    )
    select_parser.add_argument(
        "--criterion",
        type=_deciding,
        default="auto",
        metavar="NAME",
        help="what elects (default: auto, a shortlist verified by exact leave-one-out), with "
        "parameters where wanted: 'sm(r=3)'",
    )
    select_parser.add_argument(
        "--rule",
        choices=["best", "one_se"],
        default="best",
        help="one_se: the widest kernel within one standard error of the best",
    )
    select_parser.set_defaults(run=select)

    evaluate_parser = commands.add_parser(
        "evaluate", help="score every candidate for FILE by several criteria", allow_abbrev=False
    )
    evaluate_parser.add_argument(
        "--criteria",
        type=_criteria,
        default="sm,kta,ckta",
        metavar="NAME,NAME,...|all",
        help="what scores (default: sm,kta,ckta); all: every criterion that fits the task, of more "
        "than 1000 rows those whose time grows as the square of the rows",
    )
    evaluate_parser.set_defaults(run=evaluate)

    for command in (select_parser, evaluate_parser):
        _add_data(command)
        _add_model(command)
        _add_output(command)
        command.add_argument(
            "--plot",
            type=_picture,
            metavar="FILE",
            help="draw the criteria over the candidates into a .png, .svg or .pdf (needs matplotlib)",
        )
        command.add_argument(
            "--plot-kind",
            choices=["curves", "lambda_map", "spectra", "label_energy"],
            help="draw that instead: lambda_map (kernels by lambdas), spectra (eigenvalues of the "
            "winners), label_energy (the share of the labels at each eigenvalue)",
        )
    options = parser.parse_args(_grid_joined(argv))
    _check_plot_kind(options)
    return options


def _check_plot_kind(options: argparse.Namespace) -> None:
    kind = getattr(options, "plot_kind", None)
    if kind is not None and options.plot is None:
        raise Refused(f"--plot-kind {kind} needs --plot FILE to draw into")
    if kind == "lambda_map" and isinstance(options.lam, float):
        raise Refused("--plot-kind lambda_map needs several; pass --lam 0.1,1,10 or --lam auto")


def _add_data(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="svmlight text, CSV or npz")
    command.add_argument(
        "--target", metavar="COLUMN", help="the column to predict (default: the last; npz: y)"
    )
    command.add_argument(
        "--task",
        choices=["auto", "classification", "regression"],
        default="auto",
        help="default: auto, from the target's values",
    )
    command.add_argument(
        "--grid",
        type=_grid,
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
        type=_lam,
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
        "--folds", type=_folds, default=5, metavar="K", help="for cv, bif and ks (default: 5)"
    )
    command.add_argument(
        "--scoring", metavar="NAME", help="a scikit-learn score for loo and cv in place of a loss"
    )


def model_options(options: argparse.Namespace) -> dict[str, object]:
    """Give the arguments of `evaluate` and `select` that concern fitted models.

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
        type=_json,
        metavar="FILE|-",
        help="write the result as JSON; -: to standard output, and nothing else there",
    )
    command.add_argument(
        "--threads", type=_threads, metavar="N", help="default: the CPUs this process may use"
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


def _grid(given: str) -> Sequence[Kernel] | str:
    from .. import gaussian_grid

    if given == "auto":
        return given
    try:
        bounds = [float(part) for part in given.split(":")]
    except ValueError:
        bounds = []
    if len(bounds) not in (2, 3) or not all(map(math.isfinite, bounds)):
        raise argparse.ArgumentTypeError(
            f"{given!r} is not LOW:HIGH[:STEP] or auto, as in -15:15 or -4:4:0.5"
        )
    try:
        return gaussian_grid(*bounds)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _criteria(given: str) -> list[Criterion] | str:
    if given == "all":
        return given
    # Commas inside parentheses separate a criterion's parameters.
    names = [name.strip() for name in re.split(r",(?![^()]*\))", given)]
    if not all(names):
        raise argparse.ArgumentTypeError(f"{given!r} has an empty name, sm,kta is an example")
    return [_criterion(name) for name in names]


def _deciding(given: str) -> Criterion | str:
    return given if given == "auto" else _criterion(given)


def _lam(given: str) -> float | list[float] | str:
    if given == "auto":
        return given
    try:
        values = [float(part) for part in given.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{given!r} is not a number, several with commas, or auto"
        ) from None
    return values[0] if len(values) == 1 else values


def _folds(given: str) -> int:
    if not given.isdecimal():
        raise argparse.ArgumentTypeError(f"{given!r} is not a whole number, 2 or more")
    return int(given)


def _criterion(given: str) -> Criterion:
    """Make a criterion of a name, or of a name with parameters such as ``sm(r=3)``."""
    from ..criteria import get

    name, parenthesis, _ = given.partition("(")
    try:
        criterion = get(name)
        parameters = _parameters(given) if parenthesis else {}
        if not parameters.keys() <= {item.name for item in fields(criterion)}:
            raise SyntaxError
        return replace(criterion, **parameters)
    except SyntaxError:
        raise argparse.ArgumentTypeError(
            f"{given!r} is not NAME or NAME(PARAMETER=VALUE, ...) as in sm(r=3)"
        ) from None
    except (TypeError, ValueError) as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _parameters(call: str) -> dict[str, object]:
    tree = ast.parse(call, mode="eval").body
    if not isinstance(tree, ast.Call) or tree.args:
        raise SyntaxError
    try:
        return {str(word.arg): ast.literal_eval(word.value) for word in tree.keywords}
    except (TypeError, ValueError):  # a value that is no literal
        raise SyntaxError from None


def _threads(given: str) -> int:
    try:
        threads = int(given)
    except ValueError:
        threads = 0
    if threads < 1:
        raise argparse.ArgumentTypeError(f"{given!r} is not a whole number, 1 or more")
    return threads


def _picture(given: str) -> str:
    if Path(given).suffix.lower() not in (".png", ".svg", ".pdf"):
        raise argparse.ArgumentTypeError(f"{given!r} does not end in .png, .svg or .pdf")
    try:
        import matplotlib as mpl
    except ImportError:
        raise argparse.ArgumentTypeError(
            "drawing needs matplotlib; install it with: pip install kernelect[plots]"
        ) from None
    mpl.use("Agg")  # files only, whatever screen there is
    return _json(given)


def _json(given: str) -> str:
    """Refuse a file that cannot be written before the work is done, not after."""
    path = Path(given)
    if given != "-" and path.is_dir():
        raise argparse.ArgumentTypeError(f"{given!r} is a folder, a file is wanted")
    if given != "-" and not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"the folder of {given!r} does not exist: make it first")
    return given
