"""Survey, Table 5: kernels that the measures choose, and the SVM's error with them."""

from __future__ import annotations

import numpy as np

from .pages import Page, Table
from .printed import SURVEY_ERRORS, SURVEY_NAMES
from .runner import Found, Setting, run
from .statistics import significantly_better
from .svm_pairs import BOXES, LABELS, PAIRS, pairs

TITLE = "Survey, Table 5: 18 two-class problems with an SVM"
KEYS = {
    "KTA": "kta",
    "EKTA": "ekta",
    "CKTA": "ckta",
    "FSM": "fsm",
    "KCSM": "kcsm",
    "SM r=2": "sm",
    "SM r=3": "sm(r=3)",
    "LOO": "loo",
    "auto": "auto",
}


def fold_errors(found: list[Found], kernel: int | None = None, key: str = "") -> list[float]:
    """Errors of the held-out folds in %, C being the best for the kernel (or for all kernels)."""
    values: list[float] = []
    for split in found:
        errors = 100.0 * np.array(split["errors"])
        if key:
            chosen = errors[split["picks"][key]]
        elif kernel is not None:
            chosen = errors[kernel]
        else:
            chosen = errors.reshape(-1, errors.shape[2])
        values += chosen[int(chosen.mean(axis=1).argmin())].tolist()
    return values


def page(setting: Setting) -> Page:
    bases = {name.split("/")[0] for name in SURVEY_NAMES}
    entries = pairs(
        setting.entries(lambda e: e.name in bases or (setting.quick and e.task != "regression"))
    )
    found = run(PAIRS, setting, entries)
    order = [name for name in SURVEY_NAMES if name in found] or list(found)
    rows: list[list[object]] = []
    alike = dict.fromkeys(KEYS, 0)
    means: dict[str, list[float]] = {key: [] for key in (*KEYS, "best")}
    for name in order:
        best = fold_errors(found[name])
        printed = SURVEY_ERRORS.get(name, {})
        cells: list[object] = []
        for label, key in KEYS.items():
            mine = fold_errors(found[name], key=key)
            chosen = LABELS[found[name][0]["picks"][key]]
            text = f"{chosen} {np.mean(mine):.2f}"
            means[label].append(float(np.mean(mine)))
            if not significantly_better(best, mine):
                alike[label] += 1
                text = f"**{text}**"
            cells += [printed[label], text] if label in printed else [text]
        means["best"].append(float(np.mean(best)))
        rows.append(
            [SURVEY_NAMES.get(name, name), *cells, printed.get("BEST", ""), float(np.mean(best))]
        )
    heads: list[str] = []
    for label in KEYS:
        known = any(label in line for line in SURVEY_ERRORS.values()) and not setting.quick
        heads += [f"{label} paper", f"{label} ours"] if known else [label]
    gap = [""] if not setting.quick else []

    def summary(name: str, cell: dict[str, object], best: object) -> list[object]:
        line: list[object] = [name]
        for label in KEYS:
            line += [*(gap if f"{label} paper" in heads else []), cell[label]]
        return [*line, "", best]

    average = {label: float(np.mean(means[label])) for label in KEYS}
    rows.append(summary("**mean error**", dict(average), float(np.mean(means["best"]))))
    wins: dict[str, object] = {label: f"{count}/{len(order)}" for label, count in alike.items()}
    rows.append(summary("**not significantly worse than best**", wins, ""))
    stopped = sum(split["stopped"] for splits in found.values() for split in splits)
    fits = sum(np.array(s["errors"]).size for splits in found.values() for s in splits)
    counts = {len(splits) for splits in found.values()}
    return Page(
        TITLE,
        f"{len(order)} problems, {min(counts)} repetition(s) of 10 folds, C of {BOXES}; of {fits} fits "
        f"{stopped} stopped at the limit of steps.",
        [
            Table(
                "survey-table5",
                "Chosen kernel and 10-fold error in % (bold: not significantly worse than the best "
                "kernel, paired t over the folds at 95 %)",
                ["problem", *heads, "BEST paper", "best ours"],
                rows,
            )
        ],
    )
