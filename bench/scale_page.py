"""The page and the picture of what bench/scale.py has measured."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from report import Row, machine, markdown, row
from scale_sets import CHOOSING
from scale_tables import write_tables

Found = dict[str, Any]
# Where whole matrices end and landmarks begin.
WHOLE = 10_000
# What is wanted of two idle cores: rows, and seconds; and megabytes beyond the data.
WANTED = {20_000: 15.0, 200_000: 180.0}
MEGABYTES = 1500.0
TITLES = {
    "sets": "Real sets",
    "same-landmarks": "The same kernels, lambdas and number of landmarks",
    "exact": "Beside exact leave-one-out",
}
# How much worse a loss may be, of classes the share of wrong ones.
WORSE = 0.002


def write(found: dict[str, list[Found]], folder: Path, docs: Path | None) -> None:
    """Write scale.json and scale.md; and into the documentation its tables and the picture."""
    folder.mkdir(parents=True, exist_ok=True)
    told = machine()
    figures = [
        *_of_sizes(found.get("sizes", [])),
        *_beside(found),
        *_of_halves(found.get("landmarks", [])),
    ]
    conditions = "every run is a process of its own, seconds are by the clock."
    for part, runs in found.items():
        loads = [each["load"] for each in runs if "load" in each]
        if loads:
            conditions += f" Load at the ends of {part}: {min(loads):.1f} to {max(loads):.1f}."
    text = markdown("Elections of many rows", conditions, told, figures)
    text += _sizes_table(found.get("sizes", []))
    for part, title in TITLES.items():
        text += _sets_table(title, found.get(part, []))
    text += _landmarks_table(found.get("landmarks", []))
    (folder / "scale.md").write_text(text)
    print(*_in_short(figures), sep="\n")
    facts = {"machine": told, "rows": figures, "found": found}
    (folder / "scale.json").write_text(json.dumps(facts, indent=1) + "\n")
    if docs is not None:
        write_tables(found, docs / "guide")
        if found.get("sizes"):
            (docs / "_static").mkdir(parents=True, exist_ok=True)
            draw(found["sizes"], docs / "_static")


def _in_short(figures: Sequence[Row]) -> list[str]:
    """Return the rows that the README has of these figures."""
    source, lines = "[scale](bench/results/scale.md)", []
    for each in figures:
        figure, value = each["figure"], f"{each['value']:.3g}"
        if figure.startswith("select of ") and figure.endswith("lam=1.0: seconds"):
            what = f"`select(X, y)` of {int(figure.split()[2]):,} rows, 20 columns, two threads"
            lines.append(f"| {what} | | {value} s | {source} |")
        elif figure.endswith("its time over ours"):
            name = figure.partition(" (")[0]
            what = f"31 kernels x 21 lambdas with 500 landmarks, {name}, two threads"
            lines.append(f"| {what} | `Nystroem` + `RidgeCV` | {value} times | {source} |")
    return lines


def exponent(found: Sequence[Found], key: str, *, landmarks: bool) -> float:
    """Slope of a figure against the rows, both by their logarithms, over those of one path."""
    some = [each for each in found if (each["landmarks"] is not None) == landmarks]
    if len(some) < 2:
        return float("nan")
    values = [max(each[key], 1e-3) for each in some]
    return float(np.polyfit(np.log([each["rows"] for each in some]), np.log(values), 1)[0])


def _of_sizes(found: Sequence[Found]) -> list[Row]:
    lines = []
    done = [each for each in found if "failed" not in each]
    for each in done:
        title = f"select of {each['rows']} rows, lam={each['lam']}"
        if each["rows"] in WANTED:
            most = WANTED[each["rows"]]
            times = {"clock": [each["seconds"]], "CPU": [each["cpu"]]}
            met = each["seconds"] <= most
            lines.append(row(f"{title}: seconds", each["seconds"], f"<= {most:g}", met, times))
            peak = each["megabytes"]
            lines.append(row(f"{title}: MB", peak, f"<= {MEGABYTES:g}", peak <= MEGABYTES))
    for lam in sorted({str(each["lam"]) for each in done}):
        own = [each for each in done if str(each["lam"]) == lam]
        for key, most in (("seconds", 3.0), ("cpu", 3.0), ("megabytes", 2.0)):
            for landmarks in (False, True):
                slope = exponent(own, key, landmarks=landmarks)
                path = "landmarks" if landmarks else "whole matrices"
                if np.isfinite(slope):
                    title = f"exponent of {key} in the rows, {path}, lam={lam}"
                    lines.append(row(title, slope, f"<= {most:g}", slope <= most))
    return lines


def _beside(found: dict[str, list[Found]]) -> list[Row]:
    """Differences to others on the same rows, and ratios of times."""
    lines = []
    for part in TITLES:
        done = [each for each in found.get(part, []) if "failed" not in each]
        own = {each["name"]: each for each in done if each["method"] == "kernelect"}
        for each in done:
            ours = own.get(each["name"])
            if ours is None or ours is each:
                continue
            title = f"{each['name']} ({each['rows']} rows), beside {each['method']}"
            worse = ours["loss"] - each["loss"]
            lines.append(row(f"{title}: loss, ours less theirs", worse, "<= 0.002", worse <= WORSE))
            if ours["equal"] is not None and each["equal"] is not None:
                worse = ours["equal"] - each["equal"]
                what = f"{title}: the same of the common learner with the elected pair"
                lines.append(row(what, worse, "<= 0.002", worse <= WORSE))
            if part == "same-landmarks":
                ratio = each["seconds"] / ours["seconds"]
                times = {"kernelect": [ours["seconds"]], each["method"]: [each["seconds"]]}
                what = f"{title}: its time over ours"
                lines.append(row(what, ratio, ">= 20", ratio >= 20, times))
    return lines


def _of_halves(found: Sequence[Found]) -> list[Row]:
    """What the usual landmarks, and those taken by itself, lose against twice the usual ones."""
    lines = []
    for half in ("choosing", "judging"):
        ratios: dict[str, list[float]] = {}
        for name in sorted({each["name"] for each in found}):
            own = [each for each in found if each["name"] == name and "failed" not in each]
            fixed = sorted(each["landmarks"] for each in own if each["landmarks"] != "auto")
            if (name in CHOOSING) != (half == "choosing") or len(fixed) < 2:
                continue
            losses = {each["landmarks"]: max(each["loss"], 1e-4) for each in own}
            for word, count in (("the usual landmarks", fixed[0]), ("those by itself", "auto")):
                if count in losses:
                    ratios.setdefault(word, []).append(losses[count] / losses[fixed[1]])
        for word, values in ratios.items():
            ratio = float(np.exp(np.mean(np.log(values))))
            title = (
                f"{half} half, {len(values)} sets: loss with {word} over that with twice as many"
            )
            lines.append(row(title, ratio, "<= 1.1", ratio <= 1.1))
    return lines


def _table(title: str, said: str, head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    if not lines:
        return ""
    rows = [head, ["---"] * len(head), *lines]
    return f"\n## {title}\n\n{said}\n\n" + "".join(f"| {' | '.join(each)} |\n" for each in rows)


def _sizes_table(found: Sequence[Found]) -> str:
    head = ("rows", "lam", "seconds", "CPU seconds", "MB", "model", "verified", "m_sensitivity")
    lines = []
    for each in found:
        start = [str(each["rows"]), str(each["lam"])]
        if "failed" in each:
            lines.append([*start, each["failed"], *[""] * 5])
            continue
        few = each["landmarks"]
        model = "whole matrices" if few is None else f"{few} landmarks"
        change = each["m_sensitivity"]
        lines.append(
            [
                *start,
                f"{each['seconds']:.2f}",
                f"{each['cpu']:.2f}",
                f"{each['megabytes']:.0f}",
                model,
                str(each["verified"]),
                "" if change is None else f"{change:.1%}",
            ]
        )
    said = "`select(X, y)` of d = 20 columns that were made up, 31 Gaussians."
    return _table("Rows", said, head, lines)


def _sets_table(title: str, found: Sequence[Found]) -> str:
    head = ("set", "rows", "method", "seconds", "MB", "loss", "loss of the common learner", "what")
    lines = []
    for each in found:
        if "failed" in each:
            lines.append([each["name"], "", each["method"], each["failed"], *[""] * 4])
            continue
        equal = "" if each["equal"] is None else f"{each['equal']:.4f}"
        few = f", m = {each['landmarks']}" if "landmarks" in each else ""
        lines.append(
            [
                each["name"],
                str(each["rows"]),
                each["method"] + few,
                f"{each['seconds']:.1f}",
                f"{each['megabytes']:.0f}",
                f"{each['loss']:.4f}",
                equal,
                each["what"],
            ]
        )
    said = (
        "Losses are those of the other three tenths of the rows: the share of wrong classes, or "
        "the squared error in units of the variance. The common learner is the exact machine of "
        "all rows, or of the first 5,000 of more than 10,000, with the pair that was elected."
    )
    return _table(title, said, head, lines)


def _landmarks_table(found: Sequence[Found]) -> str:
    head = ("set", "half", "landmarks", "seconds", "loss", "m_sensitivity")
    lines = [
        [
            each["name"],
            "choosing" if each["name"] in CHOOSING else "judging",
            *(
                [f"{each['landmarks']}: {each['failed']}", *[""] * 3]
                if "failed" in each
                else [
                    f"{each['landmarks']} ({each['what'].rpartition(', ')[2]})",
                    f"{each['seconds']:.1f}",
                    f"{each['loss']:.4f}",
                    "" if each["m_sensitivity"] is None else f"{each['m_sensitivity']:.1%}",
                ]
            ),
        ]
        for each in found
    ]
    said = "Once and twice the usual landmarks, and of more than 10,000 rows what the library "
    said += "takes by itself. Constants are chosen on the first half and judged on the other."
    return _table("How many landmarks", said, head, lines)


def draw(found: Sequence[Found], folder: Path) -> None:
    """Draw time and memory against the rows, for light and for dark pages."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    done = [each for each in found if "failed" not in each and each["lam"] == found[0]["lam"]]
    rows = [each["rows"] for each in done]
    inked = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    pages = (("light", "#222832", "#0072B2", "#D55E00"), ("dark", "#ced6dd", "#56B4E9", "#FF8C42"))
    for page, ink, cool, warm in pages:
        settings: dict[Any, Any] = {**dict.fromkeys(inked, ink), "svg.hashsalt": "kernelect"}
        with plt.rc_context(settings):
            figure, both = plt.subplots(1, 2, figsize=(7.6, 3.0), layout="constrained")
            for axes, key, word, colour in (
                (both[0], "seconds", "seconds", warm),
                (both[1], "megabytes", "MB beyond the data", cool),
            ):
                axes.loglog(rows, [max(each[key], 1e-3) for each in done], "o-", c=colour, lw=1.2)
                axes.axvline(WHOLE, c=ink, lw=0.6, ls=":")
                axes.set(xlabel="rows", ylabel=word)
                axes.spines[["top", "right"]].set_visible(False)
                axes.spines[:].set_linewidth(0.6)
                above: dict[str, Any] = {"transform": axes.get_xaxis_transform(), "size": "small"}
                axes.text(0.85 * WHOLE, 1.02, "whole matrices", ha="right", **above)
                axes.text(1.2 * WHOLE, 1.02, "landmarks", ha="left", **above)
            metadata = {"Date": None, "Creator": None}
            figure.savefig(folder / f"scale-{page}.svg", transparent=True, metadata=metadata)
            plt.close(figure)
