"""The options of commands that fit a model, use one, or complete what is typed."""

from __future__ import annotations

import argparse

from . import _values as values
from ._file_options import add_format

SHELLS = ("bash", "zsh", "fish")


def add_fit(command: argparse.ArgumentParser) -> None:
    """Add what a model is, and where it goes."""
    command.add_argument(
        "--save",
        type=values.model_file,
        metavar="MODEL",
        help="the file to write (.npz: arrays and JSON), for 'kernelect predict' and ke.load; "
        "not needed where --report, --plot or --json shows the fit",
    )
    command.add_argument(
        "--kernel",
        default="best",
        metavar="NAME",
        help="best (default): elected and refined kernels, which predict together where that gains "
        "on unseen rows; auto: one Gaussian elected by leave-one-out; or a family, whose width is "
        "taken from the data: rbf, laplacian, matern, polynomial, linear, ...",
    )
    command.add_argument(
        "--lam",
        type=values.one_lam,
        default="auto",
        metavar="NUMBER|auto",
        help="regularisation (default: auto, the one with the least leave-one-out loss)",
    )
    add_convention(command)
    add_folds(command, "choose kernel and lambda by K folds (default: leave-one-out)")
    command.add_argument(
        "--landmarks",
        type=values.landmarks,
        default="auto",
        metavar="M|auto|none",
        help="fit a model with M landmarks in place of the whole kernel matrix (default: auto, as "
        "rows and memory ask for); none: never",
    )


def add_folds(command: argparse.ArgumentParser, what_for: str) -> None:
    """Add a number of folds."""
    command.add_argument("--folds", type=values.folds, metavar="K", help=what_for)


def add_convention(command: argparse.ArgumentParser) -> None:
    """Add how the regularisation enters, and whether there is a bias."""
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


def add_predict(command: argparse.ArgumentParser) -> None:
    """Add the model, the file, and what is wanted of them."""
    command.add_argument("model", metavar="MODEL", help="what 'kernelect fit' saved")
    command.add_argument(
        "file",
        metavar="FILE",
        help="rows of the same kind, with the target or without; -: standard input",
    )
    add_format(command)
    command.add_argument(
        "--output",
        type=values.writable,
        default="-",
        metavar="FILE|-",
        help="where predictions go, as CSV in the order of the rows (default: -, standard output)",
    )
    command.add_argument(
        "--probabilities", action="store_true", help="add a column for each class: how likely it is"
    )
    command.add_argument(
        "--deviations", action="store_true", help="add the standard deviation of each number"
    )


def add_shell(command: argparse.ArgumentParser) -> None:
    """Add the name of a shell."""
    command.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))
