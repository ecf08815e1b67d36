"""The command ``kernelect select FILE``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from ..results import _text as text_table
from ..results.serialization import to_dict
from ._input import named, read
from ._output import data_name, draw, facts, headline, write
from ._parser import call_options
from ._time_limit import TimeLimit

if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace, warned: list[str]) -> None:
    """Elect a kernel for the file and write the result."""
    from .. import refine, select
    from .._pages import write_report

    limit = TimeLimit(options.time_limit)
    with limit.reading():
        data = read(options)
    shared: dict[str, Any] = {"time_limit": limit.moment()}
    started = time.perf_counter()
    chosen = select(
        named(data),
        data.y,
        options.grid,
        options.criterion,
        rule=options.rule,
        **call_options(options),
        **shared,
    )
    table = chosen.table
    criterion = chosen.decisive
    refined, verified = "", chosen.verified
    if options.refine:
        chosen = refine(
            named(data),
            data.y,
            chosen,
            lam_convention=options.lam_convention,
            bias=options.bias,
            folds=options.folds,
            task=table.task,
            n_threads=options.threads,
            progress=options.progress,
            **shared,
        )
        assert chosen.refinement is not None
        word = "refined" if chosen.refinement.adopted else "not refined"
        refined = f"\n{word}: {chosen.refinement.reason}"
    seconds = time.perf_counter() - started
    decisive = table.columns[criterion]
    wanted = "higher" if decisive.direction > 0 else "lower"
    ranked = [table.choice(criterion, int(i)) for i in table.ranking(criterion)]
    best = [
        [str(rank), str(found.kernel), text_table.number(found.score)]
        for rank, found in enumerate(
            (found for found in ranked[:5] if decisive.reasons[found.index] is None),
            start=1,
        )
    ]
    lam = "" if chosen.lam is None else f" with lam = {chosen.lam:.4g}"
    how = criterion
    if verified is not None:
        how = f"kta and sm, {len(verified)} verified by {criterion}"
    known = text_table.held_out_text(chosen)
    known = f", {known}" if known else ""
    judged = ""
    if chosen.model is not None:
        model = text_table.judged(chosen.kernel, table.task, chosen.model)
        judged = f"\nin kernelect:    {model}"
    report = f"""\
{headline(options, data, table.task)}
{len(table.kernels)} candidates scored by {how} ({wanted} is better) in \
{text_table.duration(seconds)}; the best {len(best)}:

{text_table.aligned([["rank", "kernel", criterion], *best])}

elected: {chosen.kernel}{lam}{known}{refined}{judged}
in scikit-learn: {text_table.usage(chosen.kernel, table.task, chosen.model)}"""
    draw(options, chosen, data)
    if options.report is not None:
        write_report(
            chosen,
            options.report,
            X=named(data),
            y=data.y,
            title=data_name(options),
            command=options.typed,
            warnings=warned,
        )
    described = facts(options, data, table.task)
    result = {
        "seconds": seconds,
        "result": to_dict(chosen),
        "scikit_learn": text_table.parameters(chosen.kernel, table.task, chosen.model),
        "warnings": warned,
    }
    write(options, report, {"command": "select", **described, **result})
