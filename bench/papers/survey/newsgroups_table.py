"""Survey, Table 5, last line: 20 Newsgroups."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tools.pages import COLOURS, Page, Picture, Table
from ..tools.pictures import plain
from ..tools.printed import SURVEY_NEWSGROUPS
from ..tools.runner import Setting, run
from .newsgroups import FORMS, NEWSGROUPS
from .svm_pairs import LABELS
from .table5 import KEYS

TITLE = "Survey, Table 5: 20 Newsgroups"
SET = "20newsgroups"


def page(setting: Setting) -> Page:
    once = setting.limited(1)
    found = run(NEWSGROUPS, once, once.entries(lambda e: e.name == SET))[SET][0]
    errors = 100.0 * np.array(found["errors"])
    best = int(errors.argmin())
    rows: list[list[object]] = []
    for label, key in KEYS.items():
        cells: list[object] = [SURVEY_NEWSGROUPS.get(label, "")]
        for form in FORMS:
            pick = found["picks"][form][key]
            cells.append(f"{LABELS[pick]} {errors[pick]:.2f}" if form == "tf-idf" else LABELS[pick])
        rows.append([label, *cells])
    rows.append(["**best**", SURVEY_NEWSGROUPS["BEST"], f"{LABELS[best]} {errors[best]:.2f}", ""])
    each = [
        [label, error, C]
        for label, error, C in zip(LABELS, errors.tolist(), found["boxes"], strict=True)
    ]

    def draw(figure: Any) -> None:
        ax = figure.subplots()
        ax.bar(LABELS, errors, color=COLOURS[0], width=0.6)
        for kernel, error in enumerate(errors):
            who = [m for m, key in KEYS.items() if found["picks"]["tf-idf"][key] == kernel]
            ax.annotate(
                "\n".join(who),
                (kernel, error),
                (0, 3),
                textcoords="offset points",
                ha="center",
                fontsize=8,
            )
        ax.set(ylabel="error on the test part, %", ylim=(0, 125))
        plain(ax)

    return Page(
        TITLE,
        f"{found['rows']} documents for training; leave-one-out, `auto` and the C of the SVM see a "
        f"stratified sample of {found['sample']} of them.",
        [
            Picture(
                "survey-newsgroups", "Every kernel, and which measures elect it", draw, (8.0, 3.8)
            ),
            Table(
                "survey-newsgroups",
                "Chosen kernel and error in % on the test part (last column: the choice on raw "
                "counts)",
                ["measure", "paper", "ours, tf-idf", "ours, counts"],
                rows,
            ),
            Table(
                "survey-newsgroups-kernels",
                "Every kernel on tf-idf rows: error in % on the test part",
                ["kernel", "error", "C"],
                each,
            ),
        ],
    )
