"""The command ``kernelect select FILE``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from ..results import _text as text_table
from ..results._printed import printed_whole
from ..results.serialization import to_dict
from ._input import named, read
from ._output import draw, facts, headline, in_pipeline, write, write_page
from ._parser import call_options
from ._time_limit import TimeLimit

if TYPE_CHECKING:
    from argparse import Namespace

    from ..io import Dataset
    from ..results import Selection


def run(options: Namespace, warned: list[str]) -> None:
    """Elect a kernel for the file and write the result."""
    limit = TimeLimit(options.time_limit)
    with limit.reading():
        data = read(options)
    shared: dict[str, Any] = {"time_limit": limit.moment()}
    started = time.perf_counter()
    elected = _elect(options, data, shared)
    chosen = _refine(options, data, elected, shared) if options.refine else elected
    seconds = time.perf_counter() - started
    text = _told(elected, chosen, text_table.duration(seconds))
    text += "\n" + _printed(options, data, chosen)
    draw(options, chosen, data)
    if options.report is not None:
        write_page(options, data, chosen, warned)
    task = elected.table.task
    result = {
        "seconds": seconds,
        "result": to_dict(chosen),
        "scikit_learn": _plain(text_table.parameters(chosen.kernel, task, chosen.model)),
        "warnings": warned,
    }
    described = facts(options, data, task)
    report = f"{headline(options, data, task)}\n{text}"
    write(options, report, {"command": "select", **described, **result})


def _elect(options: Namespace, data: Dataset, shared: dict[str, Any]) -> Selection:
    from .. import select

    return select(
        named(data),
        data.y,
        options.grid,
        options.criterion,
        rule=options.rule,
        groups=data.groups,
        **call_options(options),
        **shared,
    )


def _refine(
    options: Namespace, data: Dataset, elected: Selection, shared: dict[str, Any]
) -> Selection:
    from .. import refine

    return refine(
        named(data),
        data.y,
        elected,
        lam_convention=options.lam_convention,
        bias=options.bias,
        folds=options.folds,
        groups=data.groups,
        task=elected.table.task,
        n_threads=options.threads,
        progress=options.progress,
        **shared,
    )


def _told(elected: Selection, chosen: Selection, duration: str) -> str:
    """Say what was elected, among which candidates and how, and what became of it if refined."""
    table, criterion = elected.table, elected.decisive
    decisive = table.columns[criterion]
    ranked = [table.choice(criterion, int(i)) for i in table.ranking(criterion)]
    valued = [found for found in ranked[:5] if decisive.reasons[found.index] is None]
    best = [
        [str(rank), str(found.kernel), text_table.number(found.score)]
        for rank, found in enumerate(valued, start=1)
    ]
    how = criterion
    if elected.verified is not None:
        m = elected.landmarks  # of a refined kernel whole matrices are judged
        few = "" if m is None else f" of models with {m} landmarks"
        how = f"kta and sm, {len(elected.verified)} verified by {criterion}{few}"
    wanted = "higher" if decisive.direction > 0 else "lower"
    lam = "" if chosen.lam is None else f" with lam = {chosen.lam:.4g}"
    known = text_table.held_out_text(chosen)
    lines = [f"elected: {chosen.kernel}{lam}{f', {known}' if known else ''}"]
    if chosen.refinement is not None:
        word = "refined" if chosen.refinement.adopted else "not refined"
        lines.append(f"{word}: {chosen.refinement.reason}")
    return f"""\
{len(table.kernels)} candidates scored by {how} ({wanted} is better) in {duration}; \
the best {len(best)}:

{text_table.in_columns([["rank", "kernel", criterion], *best])}

""" + "\n".join(lines)


def _printed(options: Namespace, data: Dataset, chosen: Selection) -> str:
    """Write the estimators that are, or come closest to, what was elected on the file's rows."""
    kernel, task = chosen.kernel, chosen.table.task
    made = {"in scikit-learn": text_table.usage(kernel, task, chosen.model)}
    if chosen.model is not None:
        judged = text_table.judged(kernel, task, chosen.model, chosen.landmarks)
        made = {"in kernelect": judged, **made}
    lines = {where: in_pipeline(options, data, estimator) for where, estimator in made.items()}
    if not printed_whole(kernel):
        lines = {where: line.replace(repr(kernel), "kernel") for where, line in lines.items()}
        kept = options.json not in (None, "-")
        file, remedy = (options.json, "") if kept else ("FILE", ", which --json FILE writes")
        lines["kernel"] = f"kernelect.load({file!r}).kernel{remedy}"
    return "\n".join(f"{f'{where}:':16} {line}" for where, line in lines.items())


def _plain(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters as JSON has them; kernels that scikit-learn calls by a name are text."""
    from ..kernels import Kernel

    return {
        name: to_dict(value) if isinstance(value, Kernel) else value
        for name, value in parameters.items()
    }
