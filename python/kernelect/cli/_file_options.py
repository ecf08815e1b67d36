"""The options that say how a file is read: the keywords of `kernelect.io.read`."""

from __future__ import annotations

import argparse

from . import _values as values

FILE_OPTIONS = (
    "target",
    "format",
    "groups",
    "columns",
    "drop",
    "encode",
    "impute",
    "decimal",
    "header",
)


def add_format(command: argparse._ActionsContainer) -> None:
    """Add what the file is, where its name does not say so."""
    command.add_argument(
        "--format",
        choices=["csv", "npz", "svmlight"],
        help="what the file is, whatever its name (default: by its ending)",
    )


def add_file(command: argparse.ArgumentParser) -> None:
    """Add the file and how it is read."""
    command.add_argument(
        "file", metavar="FILE", help="svmlight text, CSV or npz; -: standard input"
    )
    reading = command.add_argument_group("how FILE is read")
    reading.add_argument(
        "--target", metavar="COLUMN", help="the column to predict (default: the last; npz: y)"
    )
    add_format(reading)
    reading.add_argument(
        "--groups",
        metavar="COLUMN",
        help="a column that says which rows belong together, such as those of one patient: held "
        "out together, and not learned from (npz: an array)",
    )
    chosen = reading.add_mutually_exclusive_group()
    chosen.add_argument(
        "--columns",
        type=values.column_names,
        metavar="NAME,NAME,...",
        help="the columns to learn from; by place, counted from 1, where they have no names",
    )
    chosen.add_argument(
        "--drop", type=values.column_names, metavar="NAME,NAME,...", help="the columns to leave out"
    )
    reading.add_argument(
        "--encode",
        action="store_true",
        help="make columns of 0 and 1 of those that hold text, one for each value",
    )
    reading.add_argument(
        "--impute",
        action="store_true",
        help="fill in missing cells with the column's median (text: as a value of their own)",
    )
    reading.add_argument(
        "--decimal",
        choices=[".", ","],
        default=".",
        metavar="MARK",
        help="the decimal mark, a point (default) or a comma",
    )
    reading.add_argument(
        "--no-header",
        dest="header",
        action="store_false",
        help="the first line of a table is data; columns are called 1, 2, ...",
    )


def add_data(command: argparse.ArgumentParser) -> None:
    """Add the file, what its target is, and what is done to its columns."""
    add_file(command)
    command.add_argument(
        "--task",
        choices=["auto", "classification", "regression"],
        default="auto",
        help="default: auto, from the target's values",
    )
    command.add_argument(
        "--standardize",
        action="store_true",
        help="give every column unit variance first (sparse rows are not centred)",
    )
