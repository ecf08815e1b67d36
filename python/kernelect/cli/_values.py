"""Values of options on the command line: text converted, or refused in one sentence."""

from __future__ import annotations

import argparse
import ast
import csv
import math
import re
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..criteria import Criterion
    from ..kernels import Kernel


def grid(given: str) -> Sequence[Kernel] | str:
    """Convert ``LOW:HIGH[:STEP]`` to Gaussian candidates; ``auto`` stays as it is."""
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


def landmarks(given: str) -> int | str | None:
    """Convert a number of landmarks; ``auto`` stays as it is, ``none`` is None."""
    if given == "none":
        return None
    if given != "auto" and not (given.isascii() and given.isdigit() and int(given) > 0):
        raise argparse.ArgumentTypeError(f"{given!r} is not a number of landmarks, auto or none")
    return given if given == "auto" else int(given)


def sample(given: str) -> int | str:
    """Convert a number of sampled rows; ``auto`` stays as it is."""
    if given != "auto" and not (given.isascii() and given.isdigit() and int(given) > 0):
        raise argparse.ArgumentTypeError(f"{given!r} is not a number of rows or auto")
    return given if given == "auto" else int(given)


def column_names(given: str) -> list[str]:
    """Convert names of columns with commas between them; quotes keep a comma inside a name."""
    names = [name.strip() for name in next(csv.reader([given], skipinitialspace=True), [])]
    if not names or not all(names):
        raise argparse.ArgumentTypeError(
            f"{given!r} has an empty name; write them as in age,height"
        )
    return names


def several_criteria(given: str) -> list[Criterion] | str:
    """Convert names with commas between them to criteria; ``all`` stays as it is."""
    if given == "all":
        return given
    # Commas inside parentheses separate a criterion's parameters.
    names = [name.strip() for name in re.split(r",(?![^()]*\))", given)]
    if not all(names):
        raise argparse.ArgumentTypeError(f"{given!r} has an empty name; write them as in sm,kta")
    return [_criterion(name) for name in names]


def deciding(given: str) -> Criterion | str:
    """Convert a name to the criterion that elects; ``auto`` stays as it is."""
    return given if given == "auto" else _criterion(given)


def lam(given: str) -> float | list[float] | str:
    """Convert one number or several with commas between them; ``auto`` stays as it is."""
    if given == "auto":
        return given
    try:
        values = [float(part) for part in given.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{given!r} is not a number, several with commas, or auto"
        ) from None
    return values[0] if len(values) == 1 else values


def seconds(given: str) -> float:
    """Convert a time to work for."""
    try:
        value = float(given)
    except ValueError:
        value = 0.0
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{given!r} is not a positive number of seconds")
    return value


def one_lam(given: str) -> float | str:
    """Convert one number; ``auto`` stays as it is."""
    found = lam(given)
    if isinstance(found, list):
        raise argparse.ArgumentTypeError(f"{given!r} is several numbers; give one, or auto")
    return found


def model_file(given: str) -> str:
    """Check the name of a file for a model."""
    if given == "-" or Path(given).suffix.lower() != ".npz":
        raise argparse.ArgumentTypeError(f"{given!r} does not end in .npz, as model.npz does")
    return writable(given)


def folds(given: str) -> int:
    """Convert a number of folds."""
    if not given.isdecimal():
        raise argparse.ArgumentTypeError(f"{given!r} is not a whole number of at least 2")
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


def threads(given: str) -> int:
    """Convert a number of threads."""
    try:
        threads = int(given)
    except ValueError:
        threads = 0
    if threads < 1:
        raise argparse.ArgumentTypeError(f"{given!r} is not a whole number of at least 1")
    return threads


def picture(given: str) -> str:
    """Check the name of a picture, and that it can be drawn."""
    if Path(given).suffix.lower() not in (".png", ".svg", ".pdf"):
        raise argparse.ArgumentTypeError(f"{given!r} does not end in .png, .svg or .pdf")
    return _drawable(given)


def page(given: str) -> str:
    """Check the name of a page, and that its pictures can be drawn."""
    if Path(given).suffix.lower() not in (".html", ".htm"):
        raise argparse.ArgumentTypeError(f"{given!r} does not end in .html")
    return _drawable(given)


def _drawable(given: str) -> str:
    """Refuse a file for pictures where there is nothing to draw them with."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise argparse.ArgumentTypeError(
            "drawing needs matplotlib; install it with: pip install matplotlib"
        ) from None
    mpl.use("Agg")  # files only, whatever screen there is
    return writable(given)


def writable(given: str) -> str:
    """Refuse a file that cannot be written before the work is done, not after."""
    path = Path(given)
    if given != "-" and path.is_dir():
        raise argparse.ArgumentTypeError(f"{given!r} is a folder; name a file")
    if given != "-" and not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"the folder of {given!r} does not exist: make it first")
    return given
