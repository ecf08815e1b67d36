"""Survey, Table 5, last line: 20 Newsgroups."""

from __future__ import annotations

import numpy as np

from .newsgroups import FORMS, NEWSGROUPS
from .pages import Page, Table
from .printed import SURVEY_NEWSGROUPS
from .runner import Setting, run
from .survey_table5 import KEYS
from .svm_pairs import LABELS

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
    return Page(
        TITLE,
        f"{found['rows']} documents for training; leave-one-out, `auto` and the C of the SVM see a "
        f"stratified sample of {found['sample']} of them.",
        [
            Table(
                "survey-newsgroups",
                "Chosen kernel and error in % on the test part (last column: the choice on raw counts)",
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
