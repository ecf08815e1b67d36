"""The command ``kernelect evaluate FILE``."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING

from .._support.quiet import quietly
from ..results import _text as text_table
from ..results.serialization import to_dict
from ._input import named, read
from ._output import draw, facts, headline, write
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
    started = time.perf_counter()
    table = evaluate(
        named(data),
        data.y,
        options.grid,
        options.criteria,
        groups=data.groups,
        **call_options(options),
        time_limit=limit.left(),
    )
    seconds = time.perf_counter() - started
    winners = {
        criterion: table.kernels[index]
        for criterion, index in text_table.winners(table).items()
        if index is not None
    }
    models = _models(options, table, data)
    elected = [
        [criterion, str(kernel), text_table.usage(kernel, table.task, models.get(criterion))]
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


def _models(options: Namespace, table: ScoreTable, data: Dataset) -> dict[str, RidgeModel]:
    """Return the model that each criterion's winner was judged by, where it fits one."""
    from .. import select
    from ..criteria import names, resolve

    models = {}
    for given in resolve(names() if options.criteria == "all" else options.criteria):
        criterion = given if options.scoring is None else given.with_scoring(options.scoring)
        if not criterion.regularised or criterion.key not in table.columns:
            continue
        if table.winner(criterion.key) is not None:
            best = table.best(criterion.key)
            with quietly():  # what there is to say about rows was said
                alone = select(
                    named(data),
                    data.y,
                    [best.kernel],
                    "loo",
                    lam=options.lam if best.lam is None else best.lam,
                    lam_convention=options.lam_convention,
                    bias=options.bias,
                    task=options.task,
                    n_threads=options.threads,
                )
            assert alone.model is not None
            models[criterion.key] = alone.model
    return models
