"""The command ``kernelect evaluate FILE``."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING, Any

from .._support.quiet import quietly
from ..results import _text as text_table
from ..results.serialization import to_dict
from ._input import named, read
from ._output import draw, facts, headline, in_pipeline, write
from ._parser import call_options
from ._time_limit import TimeLimit

if TYPE_CHECKING:
    from argparse import Namespace

    from ..io import Dataset
    from ..results import RidgeModel, ScoreTable


def run(options: Namespace, warned: list[str]) -> None:
    """Score the candidates for the file and write the table."""
    from .. import evaluate

    limit = TimeLimit(options.time_limit)
    with limit.reading():
        data = read(options)
    moment: Any = limit.moment()
    started = time.perf_counter()
    table = evaluate(
        named(data),
        data.y,
        options.grid,
        options.criteria,
        groups=data.groups,
        **call_options(options),
        time_limit=moment,
    )
    seconds = time.perf_counter() - started
    winners = {
        criterion: table.kernels[index]
        for criterion, index in text_table.winners(table).items()
        if index is not None
    }
    models = _models(options, table, data, moment)
    used = {
        criterion: text_table.usage(kernel, table.task, models.get(criterion))
        for criterion, kernel in winners.items()
    }
    elected = [
        [criterion, str(kernel), in_pipeline(options, data, used[criterion])]
        for criterion, kernel in winners.items()
    ]
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    report = f"""\
{headline(options, data, table.task)}
{len(table.kernels)} candidates x {len(table.columns)} criteria in {text_table.duration(seconds)}; \
* marks each winner

{text_table.scores(table, width=width)}

{text_table.in_columns([["criterion", "elects", "in scikit-learn"], *elected])}"""
    draw(options, table, data)
    known = facts(options, data, table.task)
    result = {
        "seconds": seconds,
        "result": to_dict(table),
        "scikit_learn": {
            criterion: text_table.parameters(kernel, table.task, models.get(criterion))
            for criterion, kernel in winners.items()
        },
        "warnings": warned,
    }
    write(options, report, {"command": "evaluate", **known, **result})


def _models(
    options: Namespace, table: ScoreTable, data: Dataset, moment: Any
) -> dict[str, RidgeModel]:
    """Return the model that each criterion's winner was judged by, where it fits one."""
    from .._evidence.regularisation import check_regularisation
    from ..criteria import names, resolve
    from ..results import Selection
    from ..selection._judged import judged_model
    from ..selection._problem import Problem

    given = resolve(names() if options.criteria == "all" else options.criteria)
    if options.scoring is not None:
        given = [criterion.with_scoring(options.scoring) for criterion in given]
    fitting = {criterion.key for criterion in given if criterion.regularised}
    made = check_regularisation(options.lam, options.lam_convention, options.bias)
    with quietly():  # what there is to say about rows was said
        problem = Problem.make(
            named(data),
            data.y,
            options.grid,
            task=table.task,
            n_threads=options.threads,
            time_limit=moment,
        )
    return {
        key: judged_model(problem, made, Selection.by(table, key))
        for key in table.columns
        if key in fitting and table.winner(key) is not None
    }
