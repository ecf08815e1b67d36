"""Spectral-measure paper, Table 2: test errors of the kernels that criteria choose."""

from __future__ import annotations

import numpy as np

from . import sensitivity
from .pages import Page, Table
from .printed import FILES, SM_ERRORS
from .runner import Found, Setting, run
from .selection import SELECTION
from .spectral import SPECTRAL
from .statistics import mean_and_deviation, record, significantly_better

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
    """Test error of a criterion's choice, split by split."""
    return [split["losses"][split["picks"][key]] for split in found]


def with_spectral(
    found: dict[str, list[Found]], extra: dict[str, list[Found]]
) -> dict[str, list[Found]]:
    """Add the choices of the criteria of spectra where all splits have them."""
    merged = {}
    for name, splits in found.items():
        more = extra.get(name, [])
        merged[name] = [
            {**split, "picks": {**split["picks"], **(more[s]["picks"] if s < len(more) else {})}}
            for s, split in enumerate(splits)
        ]
    return merged


def paper_sets(setting: Setting) -> dict[str, str]:
    """Name in the paper by file, of the sets that are to be run."""
    files = {FILES.get(name, name): name for name in SM_ERRORS}
    return {e.name: files[e.name] for e in setting.entries(lambda e: e.name in files)}


def gather(setting: Setting) -> dict[str, list[Found]]:
    files = paper_sets(setting)
    entries = setting.entries(lambda e: e.name in files)
    found = run(SELECTION, setting, entries)
    return with_spectral(found, run(SPECTRAL, setting, entries) if SPECTRAL else {})


def page(setting: Setting) -> Page:
    names = paper_sets(setting)
    found = gather(setting)
    order = sorted(found, key=lambda f: list(SM_ERRORS).index(names[f]))
    columns = [
        c for c in COLUMNS if all(c[1] in split["picks"] for f in order for split in found[f])
    ]
    counts = sorted({len(found[f]) for f in order})
    runs = f"{len(order)} sets, {counts[0]}" + (f" to {counts[-1]}" if counts[1:] else "")
    runs += " random splits each, 70 % for training."
    return Page(
        TITLE,
        runs,
        [
            _comparison(order, names, found),
            _errors(order, names, found, columns),
            _records(order, found, columns),
            _sensitivity(order, found),
            sensitivity.table(setting, names),
        ],
    )


def _comparison(order: list[str], names: dict[str, str], found: dict[str, list[Found]]) -> Table:
    pairs = [
        c for c in COLUMNS if c[2] and all(c[1] in s["picks"] for f in order for s in found[f])
    ]
    rows: list[list[object]] = []
    values: list[list[float]] = []
    for file in order:
        printed = SM_ERRORS[names[file]]
        line = []
        for _, key, column in pairs:
            line += [printed[str(column)], float(np.mean(errors(found[file], key)))]
        values.append(line)
        rows.append([names[file], *line])
    rows.append(["**mean**", *np.mean(values, axis=0).tolist()])
    heads = [h for name, _, column in pairs for h in (f"{column} (paper)", f"{name} (ours)")]
    return Table(
        "sm-table2-printed", "Mean test error in %: printed beside ours", ["set", *heads], rows
    )


def _errors(
    order: list[str], names: dict[str, str], found: dict[str, list[Found]], columns: list[tuple]
) -> Table:
    rows = []
    for file in order:
        by_key = {key: errors(found[file], key) for _, key, _ in columns}
        best = min(by_key, key=lambda k: float(np.mean(by_key[k])))
        cells = []
        for _, key, _ in columns:
            text = mean_and_deviation(by_key[key])
            if key == best:
                text = f"**{text}**"
            elif not significantly_better(by_key[best], by_key[key]):
                text = f"_{text}_"
            cells.append(text)
        least = [min(split["losses"]) for split in found[file]]
        rows.append(
            [f"{names[file]} ({found[file][0]['rows']})", *cells, mean_and_deviation(least)]
        )
    means = [
        float(np.mean([np.mean(errors(found[f], key)) for f in order])) for _, key, _ in columns
    ]
    least = float(np.mean([np.mean([min(s["losses"]) for s in found[f]]) for f in order]))
    rows.append(["**mean**", *means, least])
    rows.append(["**mean regret**", *[m - least for m in means], 0.0])
    return Table(
        "sm-table2",
        "Ours in %, with deviation over the splits (bold: best criterion; italic: not significantly "
        "worse than it; in brackets the training rows; last column: the best kernel in hindsight)",
        ["set", *[c[0] for c in columns], "best"],
        rows,
    )


def _records(order: list[str], found: dict[str, list[Found]], columns: list[tuple]) -> Table:
    mine = {key: [errors(found[f], key) for f in order] for _, key, _ in columns}
    rows = []
    for label, key, _ in columns:
        cells = [
            "" if other == key else str(record(mine[key], mine[other])) for _, other, _ in columns
        ]
        rows.append([label, *cells])
    return Table(
        "sm-table2-wins",
        "Sets on which the row's criterion is significantly better / equal / worse than the column's "
        "(paired t, 95 %)",
        ["", *[c[0] for c in columns]],
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
        "Mean test error in % over the sets: the kernel as it is, and scaled to unit centred variance "
        "before training with lambda = 1",
        ["criterion", "as it is", "rescaled"],
        rows,
    )
