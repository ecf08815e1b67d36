"""The command ``kernelect evaluate FILE``."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING, Any

from .._support.warning import warn_caller
from ..results import _text as text_table
from ._input import named, read
from ._output import draw, facts, headline, write
from ._parser import model_options

if TYPE_CHECKING:
    from argparse import Namespace

    from .._data.target import Target
    from ..io import Dataset
    from ..results import RidgeModel, ScoreTable

_SMALL = 1000  # rows up to which "all" criteria are a matter of seconds


def run(options: Namespace, warned: list[str]) -> None:
    """Score the candidates for the file and write the table."""
    from .. import evaluate
    from .._data.target import check_target

    data = read(options)
    wanted = options.criteria
    if wanted == "all":
        target = check_target(data.y, options.task)
        wanted = _all_criteria(target)
    started = time.perf_counter()
    table = evaluate(
        named(data),
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
    models = _models(options, wanted, table, data)
    elected = [
        [criterion, repr(kernel), text_table.usage(kernel, table.task, models.get(criterion))]
        for criterion, kernel in winners.items()
    ]
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    report = f"""\
{headline(options, data, table.task)}
{len(table.kernels)} candidates x {len(table.columns)} criteria in {text_table.duration(seconds)}; \
* marks each winner

{text_table.scores(table, width=width)}

{text_table.aligned([["criterion", "elects", "in scikit-learn"], *elected])}"""
    draw(options, table, data)
    known = facts(options, data, table.task)
    result = {
        "seconds": seconds,
        "result": table.to_dict(),
        "scikit_learn": {
            criterion: text_table.parameters(kernel, table.task, models.get(criterion))
            for criterion, kernel in winners.items()
        },
        "warnings": warned,
    }
    write(options, report, {"command": "evaluate", **known, **result})


def _models(
    options: Namespace, wanted: Any, table: ScoreTable, data: Dataset
) -> dict[str, RidgeModel]:
    """Return the model that each criterion's winner was judged by, where it fits one."""
    from .._data.target import check_target
    from ..criteria import resolve
    from ..results import RidgeModel

    target = check_target(data.y, options.task)
    models = {}
    for given in resolve(wanted):
        criterion = given if options.scoring is None else given.with_scoring(options.scoring)
        if criterion.regularised and table.winner(criterion.key) is not None:
            best = table.best(criterion.key).lam
            lam = options.lam if best is None else best
            mean = options.lam_convention == "mean"
            models[criterion.key] = RidgeModel.of(target, lam, mean=mean, bias=options.bias)
    return models


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
