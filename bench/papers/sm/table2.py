"""Spectral-measure paper, Table 2: test errors of the kernels that criteria choose."""

from __future__ import annotations

import numpy as np

from ..elections.selection import SELECTION
from ..elections.spectral import with_spectral
from ..tools.pages import Page, Picture, Table, span
from ..tools.pictures import printed_against_ours
from ..tools.printed import FILES, SM_ERRORS
from ..tools.runner import Found, Setting, run
from ..tools.statistics import mean_and_deviation, record, significantly_better
from . import choices, class_pairs

TITLE = "Spectral measure, Table 2: test errors on 25 data sets"

# Column, the criterion's key, the column of the paper that it answers.
COLUMNS = (
    ("SM printed r=3", "sm(r=3, normalization='sum')", "SM"),
    ("SM r=1", "sm(r=1)", None),
    ("SM r=2", "sm", None),
    ("SM r=3", "sm(r=3)", "SM"),
    ("SM r=4", "sm(r=4)", None),
    ("5-CV", "cv(folds=5)", "CV"),
    ("ELOO", "loo", "ELOO"),
    ("CKTA", "ckta", "CKTA"),
    ("FSM", "fsm", "FSM"),
    ("ER", "er", "ER"),
    ("auto", "auto", None),
)


def errors(found: list[Found], key: str) -> list[float]:
    """Test error of a criterion's choice, for the splits that have it."""
    return [split["losses"][split["picks"][key]] for split in found if key in split["picks"]]


def mean_error(found: list[Found], key: str) -> float | None:
    values = errors(found, key)
    return float(np.mean(values)) if values else None


def mean_of(values: list[float | None]) -> float | str:
    """Mean over the sets; nothing where a set is missing."""
    return "" if None in values else float(np.mean(np.array(values, float)))


def paper_sets(setting: Setting) -> dict[str, str]:
    """Name in the paper by file, of the sets that are to be run."""
    files = {FILES.get(name, name): name for name in SM_ERRORS}
    return {e.name: files[e.name] for e in setting.entries(lambda e: e.name in files)}


def gather(setting: Setting) -> dict[str, list[Found]]:
    files = paper_sets(setting)
    entries = setting.entries(lambda e: e.name in files)
    found = run(SELECTION, setting, entries)
    return with_spectral(found, setting, entries, whole=False)


def page(setting: Setting) -> Page:
    names = paper_sets(setting)
    found = gather(setting)
    order = sorted(found, key=lambda f: list(SM_ERRORS).index(names[f]))
    runs = (
        f"{len(order)} sets, {span(map(len, found.values()))} random splits each, 70 % for training"
    )
    with_er = [sum("er" in split["picks"] for split in found[f]) for f in order]
    if min(with_er) < min(map(len, found.values())):
        runs += f"; ER on {sum(c > 0 for c in with_er)} sets, up to {max(with_er)} splits each"
    return Page(
        TITLE,
        runs + ".",
        [
            _picture(order, names, found),
            _comparison(order, names, found),
            _errors(order, names, found),
            _records(order, found),
            _sensitivity(order, found),
            choices.table(setting, names),
            class_pairs.table(setting),
        ],
    )


def _picture(order: list[str], names: dict[str, str], found: dict[str, list[Found]]) -> Picture:
    pairs: dict[str, list[tuple[float, float]]] = {}
    for label, key, method in COLUMNS:
        if method is not None:
            ours = {f: mean_error(found[f], key) for f in order}
            pairs[label] = [
                (SM_ERRORS[names[f]][method], v) for f, v in ours.items() if v is not None
            ]
    return printed_against_ours("sm-table2", "mean test error in %", pairs, log=True)


def _comparison(order: list[str], names: dict[str, str], found: dict[str, list[Found]]) -> Table:
    """Printed and ours side by side."""
    pairs = [column for column in COLUMNS if column[2]]
    heads: list[str] = []
    cells: dict[str, list[object]] = {file: [] for file in order}
    means: list[object] = []
    gaps: list[object] = []
    shown = None
    for label, key, method in pairs:
        if method != shown:  # two of our columns answer the paper's SM
            heads.append(f"{method} (paper)")
            means.append(float(np.mean([SM_ERRORS[names[f]][str(method)] for f in order])))
            gaps.append("")
            for file in order:
                cells[file].append(SM_ERRORS[names[file]][str(method)])
        shown = method
        heads.append(f"{label} (ours)")
        ours = [mean_error(found[f], key) for f in order]
        means.append(mean_of(ours))
        apart = [
            abs(value - SM_ERRORS[names[f]][str(method)])
            for f, value in zip(order, ours, strict=True)
            if value is not None
        ]
        gaps.append(float(np.mean(apart)) if apart else "")
        for file, value in zip(order, ours, strict=True):
            cells[file].append("" if value is None else value)
    rows: list[list[object]] = [[names[f], len(found[f]), *cells[f]] for f in order]
    rows.append(["**mean**", "", *means])
    rows.append(["**mean distance of ours from the printed**", "", *gaps])
    caption = "Mean test error in %: printed beside ours"
    return Table("sm-table2-printed", caption, ["set", "splits", *heads], rows)


def _errors(order: list[str], names: dict[str, str], found: dict[str, list[Found]]) -> Table:
    """Ours with deviations, the best and what is as good marked."""
    rows: list[list[object]] = []
    for file in order:
        by_key = {key: errors(found[file], key) for _, key, _ in COLUMNS}
        whole = {k: v for k, v in by_key.items() if len(v) == len(found[file])}
        best = min(whole, key=lambda k: float(np.mean(whole[k])))
        cells = []
        for _, key, _ in COLUMNS:
            text = mean_and_deviation(by_key[key]) if by_key[key] else ""
            if key == best:
                text = f"**{text}**"
            elif key in whole and not significantly_better(whole[best], whole[key]):
                text = f"_{text}_"
            cells.append(text)
        least = [min(split["losses"]) for split in found[file]]
        rows.append(
            [f"{names[file]} ({found[file][0]['rows']})", *cells, mean_and_deviation(least)]
        )
    means = [mean_of([mean_error(found[f], key) for f in order]) for _, key, _ in COLUMNS]
    least = float(np.mean([np.mean([min(s["losses"]) for s in found[f]]) for f in order]))
    rows.append(["**mean**", *means, least])
    regrets = ["" if isinstance(m, str) else m - least for m in means]
    rows.append(["**mean regret**", *regrets, 0.0])
    return Table(
        "sm-table2",
        "Ours in %, with deviation over the splits (bold: best criterion; italic: not "
        "significantly worse than it; in brackets the training rows; last column: the best kernel "
        "in hindsight)",
        ["set", *[c[0] for c in COLUMNS], "best"],
        rows,
    )


def _records(order: list[str], found: dict[str, list[Found]]) -> Table:
    """Significant differences, over the sets and splits that both criteria have."""
    rows = []
    for label, key, _ in COLUMNS:
        cells = []
        for _, other, _ in COLUMNS:
            both = [[s for s in found[f] if {key, other} <= set(s["picks"])] for f in order]
            both = [splits for splits in both if splits]
            mine, theirs = ([errors(s, k) for s in both] for k in (key, other))
            cells.append("" if other == key else str(record(mine, theirs)))
        rows.append([label, *cells])
    return Table(
        "sm-table2-wins",
        "Sets on which the row's criterion is significantly better / equal / worse than the "
        "column's (paired t, 95 %)",
        ["", *[c[0] for c in COLUMNS]],
        rows,
    )


def _sensitivity(order: list[str], found: dict[str, list[Found]]) -> Table:
    """What the loss of cross-validation and the scale of the kernel change."""
    rows = []
    for label, key in (
        ("ELOO, squared loss", "loo"),
        ("ELOO, 0-1 loss", "loo(loss='zero_one')"),
        ("5-CV, squared loss", "cv(folds=5)"),
        ("5-CV, 0-1 loss", "cv(loss='zero_one', folds=5)"),
        ("KTA", "kta"),
        ("CKTA", "ckta"),
        ("KCSM", "kcsm"),
        ("SM r=2", "sm"),
        ("SM r=3", "sm(r=3)"),
        ("SM printed r=3", "sm(r=3, normalization='sum')"),
        ("auto", "auto"),
    ):
        plain = [np.mean(errors(found[f], key)) for f in order]
        scaled = [np.mean([s["rescaled"][s["picks"][key]] for s in found[f]]) for f in order]
        rows.append([label, float(np.mean(plain)), float(np.mean(scaled))])
    return Table(
        "sm-table2-sensitivity",
        "Mean test error in % over the sets: the kernel as it is, and scaled to unit centred "
        "variance before training with lambda = 1",
        ["criterion", "as it is", "rescaled"],
        rows,
    )
