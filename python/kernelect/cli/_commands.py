"""The command line: ``kernelect demo``, ``kernelect select FILE``, ``kernelect evaluate FILE``.

Results go to standard output, warnings and errors to standard error, one line each. The exit code
is 0 when all went well, 2 for bad input, 130 after Ctrl-C.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse

from .._support.warning import warn_caller
from ..results import _text as text_table
from ._messages import one_line, warnings_as_lines
from ._parser import Refused, model_options, parse

if TYPE_CHECKING:
    from argparse import Namespace

    from numpy.typing import NDArray

    from .._data.target import Target
    from ..io import Dataset
    from ..results import ScoreTable, Selection

__all__ = ["main"]

_SMALL = 1000  # rows up to which "all" criteria are a matter of seconds


@dataclass(frozen=True)
class _NamedRows:
    """Rows with the names of their columns, which the library's messages use."""

    rows: NDArray[np.float64]
    columns: list[str]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self.rows, dtype=dtype)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments after the program's name; by default those of this process.

    Returns
    -------
    int
        The exit code: 0, 2 for bad input, 130 after Ctrl-C.

    Examples
    --------
    >>> main(["--version"])
    kernelect 0.1.0
    0
    """
    from .. import __version__

    try:
        options = parse(
            sys.argv[1:] if argv is None else argv,
            __version__,
            demo=_demo,
            select=_select,
            evaluate=_evaluate,
        )
        with warnings_as_lines() as warned:
            options.run(options, warned)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except SystemExit as leaving:  # --help and --version
        return int(leaving.code or 0)
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (Refused, ValueError, TypeError, OSError, MemoryError) as error:
        print(f"kernelect: {one_line(error)}", file=sys.stderr)
        return 2
    return 0


def _demo(options: Namespace, warned: list[str]) -> None:
    from ._demo import demo

    report, facts = demo(n_threads=options.threads)
    _write(options, report, {"command": "demo", **facts, "warnings": warned})


def _select(options: Namespace, warned: list[str]) -> None:
    from .. import select

    data = _read(options)
    started = time.perf_counter()
    chosen = select(
        _named(data),
        data.y,
        options.grid,
        options.criterion,
        rule=options.rule,
        **model_options(options),  # type: ignore[arg-type]
        task=options.task,
        n_threads=options.threads,
        progress=options.progress,
    )
    seconds = time.perf_counter() - started
    table = chosen.table
    criterion = chosen.decisive
    decisive = table.columns[criterion]
    wanted = "higher" if decisive.direction > 0 else "lower"
    ranked = [table.choice(criterion, int(i)) for i in table.ranking(criterion)]
    best = [
        [str(rank), repr(found.kernel), text_table.number(found.score)]
        for rank, found in enumerate(
            (found for found in ranked[:5] if decisive.reasons[found.index] is None),
            start=1,
        )
    ]
    lam = "" if chosen.lam is None else f" with lam = {chosen.lam:.4g}"
    how = criterion
    if chosen.verified is not None:
        how = f"kta and sm, {len(chosen.verified)} verified by {criterion}"
    report = f"""\
{_headline(options, data, table.task)}
{len(table.kernels)} candidates scored by {how} ({wanted} is better) in \
{text_table.duration(seconds)}; the best {len(best)}:

{text_table.aligned([["rank", "kernel", criterion], *best])}

elected: {chosen.kernel!r}{lam}
in scikit-learn: {text_table.usage(chosen.kernel, table.task)}"""
    _draw(options, chosen, data)
    facts = _facts(options, data, table.task)
    result = {
        "seconds": seconds,
        "result": chosen.to_dict(),
        "scikit_learn": text_table.parameters(chosen.kernel, table.task),
        "warnings": warned,
    }
    _write(options, report, {"command": "select", **facts, **result})


def _evaluate(options: Namespace, warned: list[str]) -> None:
    from .. import evaluate
    from .._data.target import check_target

    data = _read(options)
    wanted = options.criteria
    if wanted == "all":
        target = check_target(data.y, options.task)
        wanted = _all_criteria(target)
    started = time.perf_counter()
    table = evaluate(
        _named(data),
        data.y,
        options.grid,
        wanted,
        **model_options(options),  # type: ignore[arg-type]
        task=options.task,
        n_threads=options.threads,
        progress=options.progress,
    )
    seconds = time.perf_counter() - started
    winners = {
        criterion: table.kernels[index]
        for criterion, index in text_table.winners(table).items()
        if index is not None
    }
    elected = [
        [criterion, repr(kernel), text_table.usage(kernel, table.task)]
        for criterion, kernel in winners.items()
    ]
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    report = f"""\
{_headline(options, data, table.task)}
{len(table.kernels)} candidates x {len(table.columns)} criteria in {text_table.duration(seconds)}; \
* marks each winner

{text_table.scores(table, width=width)}

{text_table.aligned([["criterion", "elects", "in scikit-learn"], *elected])}"""
    _draw(options, table, data)
    facts = _facts(options, data, table.task)
    result = {
        "seconds": seconds,
        "result": table.to_dict(),
        "scikit_learn": {
            criterion: text_table.parameters(kernel, table.task)
            for criterion, kernel in winners.items()
        },
        "warnings": warned,
    }
    _write(options, report, {"command": "evaluate", **facts, **result})


def _all_criteria(target: Target) -> list[str]:
    """Every criterion that fits; of many rows only those whose time grows as n^2, and say so."""
    from .. import criteria

    fitting = criteria.names(target.task, target.n_classes)
    expensive = [name for name in fitting if criteria.get(name).cubic]
    if target.size <= _SMALL:
        return fitting
    warn_caller(
        f"of more than {_SMALL} rows --criteria all leaves out {', '.join(expensive)}, whose time "
        "grows as the cube of the rows; name those you want"
    )
    return [name for name in fitting if name not in expensive]


def _read(options: Namespace) -> Dataset:
    from ..io import read

    data = read(options.file, target=options.target)
    if not options.standardize:
        return data
    from sklearn.preprocessing import StandardScaler

    # Only differences of rows enter a Gaussian, so sparse rows need not be centred.
    scaler = StandardScaler(with_mean=not scipy.sparse.issparse(data.X))
    return data._replace(X=scaler.fit_transform(data.X))


def _named(data: Dataset) -> Any:
    if data.feature_names is None or not isinstance(data.X, np.ndarray):
        return data.X
    return _NamedRows(data.X, data.feature_names)


def _draw(options: Namespace, result: ScoreTable | Selection, data: Dataset) -> None:
    if options.plot is not None:
        axes = result.plot(kind=options.plot_kind or "curves", X=data.X, y=data.y)
        title = axes.get_title(loc="left")  # a map of lambdas names its winner there
        name = Path(options.file).name
        axes.set_title(f"{name}: {title}" if title else name, loc="left", fontsize="medium", pad=16)
        figure = axes.get_figure(root=True)
        assert figure is not None
        figure.savefig(options.plot, dpi=150)


def _headline(options: Namespace, data: Dataset, task: str) -> str:
    rows, columns = data.X.shape
    classes = f" with {len(np.unique(data.y))} classes" if task == "classification" else ""
    scaled = ", standardised" if options.standardize else ""
    return f"{Path(options.file).name}: {rows} rows, {columns} columns{scaled}, {task}{classes}"


def _facts(options: Namespace, data: Dataset, task: str) -> dict[str, Any]:
    rows, columns = data.X.shape
    return {
        "data": {
            "file": options.file,
            "rows": rows,
            "columns": columns,
            "feature_names": data.feature_names,
            "sparse": scipy.sparse.issparse(data.X),
            "standardized": options.standardize,
            "task": task,
        }
    }


def _write(options: Namespace, report: str, facts: dict[str, Any]) -> None:
    from .. import __version__

    if options.json != "-":
        print(report)
    if options.json is None:
        return
    content = json.dumps({"kernelect": __version__, **facts}, indent=2, allow_nan=False) + "\n"
    if options.json == "-":
        sys.stdout.write(content)
    else:
        Path(options.json).write_text(content, encoding="utf-8")
