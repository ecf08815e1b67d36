"""PEP paper, Table 1: test accuracies of learned kernels."""

from __future__ import annotations

import numpy as np

from ..tools.pages import Page, Table, span
from ..tools.pictures import printed_against_ours
from ..tools.printed import PEP_ACCURACIES, PEP_METHODS
from ..tools.runner import Setting, run
from ..tools.statistics import mean_and_deviation, record
from . import choices
from .learning import FINITE, LEARNING

TITLE = "PEP, Table 1: test accuracies of kernel learning"


def page(setting: Setting) -> Page:
    entries = setting.entries(lambda e: e.name in PEP_ACCURACIES)
    found = run(LEARNING, setting, entries)
    ours = [*PEP_METHODS, *(name for name in FINITE if name not in PEP_METHODS)]
    ours.append("one kernel by auto, SVM")
    rows: list[list[object]] = []
    pairs: dict[str, list[tuple[float, float]]] = {}
    for method in ours:
        cells: list[object] = []
        means, printed = [], []
        for file, splits in found.items():
            values = [split["accuracy"][method] for split in splits]
            means.append(float(np.mean(values)))
            known = PEP_ACCURACIES[file].get(method)
            printed.append(known)
            if known is not None:
                pairs.setdefault(method, []).append((known, means[-1]))
            cells += ["" if known is None else f"{known:.2f}", mean_and_deviation(values)]
        average = "" if None in printed else float(np.mean(np.array(printed, float)))
        spent = float(np.median([s["seconds"][method] for v in found.values() for s in v]))
        rows.append([method, *cells, average, float(np.mean(means)), f"{spent:.2f}"])
    heads = [h for f, v in found.items() for h in (f"{f} paper", f"{f} ours ({len(v)})")]
    against = []
    for method in ours[1:]:
        errors = [
            [[-s["accuracy"][m] for s in splits] for splits in found.values()]
            for m in (ours[0], method)
        ]
        against.append([method, str(record(*errors))])
    return Page(
        TITLE,
        f"{len(found)} sets of {len(PEP_ACCURACIES)}, {span(map(len, found.values()))} splits each "
        "(the paper: 30), half of the rows for training.",
        [
            printed_against_ours("pep-table1", "mean test accuracy in %", pairs),
            Table(
                "pep-table1",
                "Test accuracy in %: printed beside ours (in brackets the splits run); last "
                "column: median CPU seconds of one fit",
                ["method", *heads, "mean paper", "mean ours", "seconds"],
                rows,
            ),
            Table(
                "pep-table1-wins",
                "Sets on which IFKL is significantly better / equal / worse (paired t, 95 %)",
                ["method", "IFKL against it"],
                against,
            ),
            choices.table(setting),
        ],
    )
