"""Survey, Table 5: kernels that the measures choose, and the SVM's error with them."""

from __future__ import annotations

import numpy as np

from ..tools.pages import Page, Table
from ..tools.pictures import printed_against_ours
from ..tools.printed import SURVEY_ERRORS, SURVEY_MEASURES, SURVEY_NAMES
from ..tools.runner import Found, Setting, run
from ..tools.statistics import significantly_better
from . import choices
from .svm_pairs import BOXES, LABELS, PAIRS

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


def fold_errors(found: list[Found], key: str | None = None) -> list[float]:
    """Errors of the held-out folds in % for the best C: of the chosen kernel, or of any."""
    values: list[float] = []
    for split in found:
        errors = 100.0 * np.array(split["errors"])
        every = errors.reshape(-1, errors.shape[2])
        chosen = every if key is None else errors[split["picks"][key]]
        values += chosen[int(chosen.mean(axis=1).argmin())].tolist()
    return values


def page(setting: Setting) -> Page:
    bases = {name.split("/")[0] for name in SURVEY_NAMES}
    entries = [p for e in setting.entries(lambda e: e.name in bases) for p in e.pairs()]
    found = run(PAIRS, setting, entries)
    order = [name for name in SURVEY_NAMES if name in found]
    rows: list[list[object]] = []
    alike = dict.fromkeys(KEYS, 0)
    means: dict[str, list[float]] = {key: [] for key in (*KEYS, "best")}
    pairs: dict[str, list[tuple[float, float]]] = {label: [] for label in SURVEY_MEASURES}
    for name in order:
        best = fold_errors(found[name])
        printed = SURVEY_ERRORS[name]
        cells: list[object] = []
        for label, key in KEYS.items():
            mine = fold_errors(found[name], key)
            chosen = LABELS[found[name][0]["picks"][key]]
            text = f"{chosen} {np.mean(mine):.2f}"
            means[label].append(float(np.mean(mine)))
            if not significantly_better(best, mine):
                alike[label] += 1
                text = f"**{text}**"
            cells += [printed[label], text] if label in printed else [text]
            if label in printed:
                pairs[label].append((float(printed[label].rsplit(" ", 1)[1]), means[label][-1]))
        means["best"].append(float(np.mean(best)))
        rows.append([SURVEY_NAMES[name], *cells, printed["BEST"], float(np.mean(best))])

    def pair(label: str, first: object, second: object) -> list[object]:
        return [first, second] if label in SURVEY_MEASURES else [second]

    def summary(name: str, cell: dict[str, object], best: object) -> list[object]:
        return [name, *(c for label in KEYS for c in pair(label, "", cell[label])), "", best]

    heads: list[str] = [
        str(h)
        for m in KEYS
        for h in pair(m, f"{m} paper", f"{m} ours" if m in SURVEY_MEASURES else m)
    ]
    average = {label: float(np.mean(means[label])) for label in KEYS}
    rows.append(summary("**mean error**", dict(average), float(np.mean(means["best"]))))
    wins: dict[str, object] = {label: f"{count}/{len(order)}" for label, count in alike.items()}
    rows.append(summary("**not significantly worse than best**", wins, ""))
    stopped = sum(split["stopped"] for splits in found.values() for split in splits)
    fits = sum(np.array(s["errors"]).size for splits in found.values() for s in splits)
    counts = {len(splits) for splits in found.values()}
    return Page(
        TITLE,
        f"{len(order)} problems, {min(counts)} repetition(s) of 10 folds, C of {BOXES}; of {fits} "
        f"fits {stopped} stopped at the limit of steps.",
        [
            printed_against_ours("survey-table5", "10-fold error in %", pairs),
            Table(
                "survey-table5",
                "Chosen kernel and 10-fold error in % (bold: not significantly worse than the best "
                "kernel, paired t over the folds at 95 %)",
                ["problem", *heads, "BEST paper", "best ours"],
                rows,
            ),
            choices.table(setting, entries),
        ],
    )
