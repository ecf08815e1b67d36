"""The comparison as a page: one table for each number of rows, with ratios and versions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..picture import Panel, Point  # type: ignore[import-not-found]
from ..picture import draw as draw_panels
from .runs import Runs
from .sets import CLASSES, NUMBERS

OURS = "kernelect, KernelSelector(SVC())"
_HEAD = "| way | version | sets | seconds | times ours | error (ours) | regression (ours) | MB |"
_ROWS = 1000  # of the picture: most ways can bear them
Run = dict[str, Any]
_TICK = 0.001
_INTRODUCTION = f"""One thread, CPU seconds to a fitted machine, mean of the sets; times ours is the
geometric mean of the ratios to {OURS}. Errors: % of test rows, of
regressions % of the variance; ours on the same sets in brackets. MB: the most that a fit took
beyond what was held before. `python -m bench.peers --help` says how to repeat it."""


def write(folder: Path, runs: Runs) -> None:
    """Write peers.json and peers.md."""
    runs.keep()
    (folder / "peers.md").write_text(page(runs))


def page(runs: Runs) -> str:
    """Means over the sets on which a way and our selector both came to an end, side by side."""
    found, told = runs.all(), runs.machine
    lines = ["# Elections beside other ways to a tuned machine", ""]
    if told:
        under = f"{told['processor']}, {told['cpus']} CPUs, level {told['build']['level']}"
        lines += [f"{under}; load at the start of the last part: {told['load']:.2g}."]
    lines += [_INTRODUCTION, ""]
    for rows in sorted({each["rows"] for each in found}):
        lines += [f"## {rows} rows", "", _HEAD, "| --- " * 8 + "|"]
        here = [each for each in found if each["rows"] == rows]
        cells = [_line(way, known, here) for way, known in runs.versions.items()]
        lines += [line for line in cells if line is not None]
        lines += ["", *_unfinished(here)]
    missing = [way for way, known in runs.versions.items() if known is None]
    if missing:
        lines += [f"Not installed: {', '.join(missing)}.", ""]
    return "\n".join(lines)


def summary(found: Iterable[Run], way: str, rows: int) -> str:
    """What a way did with this many rows, in a line."""
    mine = [each for each in found if (each["way"], each["rows"]) == (way, rows)]
    done = [each for each in mine if "lost" in each]
    if not done:
        return f"{way}, {rows} rows: {'; '.join(sorted({each['why'] for each in mine}))}"
    seconds, lost = (float(np.mean([each[name] for each in done])) for name in ("seconds", "lost"))
    return f"{way}, {rows} rows: {seconds:.3g} s, {lost:.2f} % on {len(done)} of {len(mine)} sets"


def draw(folder: Path, found: Sequence[Run]) -> None:
    """Draw time against error at 1000 rows, classes above and numbers below."""
    panels = []
    for names, what in ((CLASSES, "% of test rows"), (NUMBERS, "% of the variance")):
        by_way: dict[str, dict[Any, Run]] = defaultdict(dict)
        for each in found:
            if each["rows"] == _ROWS and each["set"] in names and "lost" in each:
                by_way[each["way"]][each["set"], each["split"]] = each
        most = max((len(runs) for runs in by_way.values()), default=0)
        # Means are of the same sets for all: who leaves more than a quarter out is not drawn.
        shown = {way: runs for way, runs in by_way.items() if 4 * len(runs) >= 3 * most}
        if not shown:
            continue
        common = set.intersection(*(set(runs) for runs in shown.values()))
        sets = len({name for name, _ in common})
        points = [
            Point(
                way.removeprefix("kernelect, "),
                float(np.exp(np.mean([np.log(_seconds(runs[key])) for key in common]))),
                float(np.mean([runs[key]["lost"] for key in common])),
                way.startswith("kernelect"),
            )
            for way, runs in shown.items()
        ]
        across = f"seconds to tune and fit {_ROWS} rows, geometric mean of {sets} sets"
        panels.append(Panel(points, across, f"test error, {what}"))
    if not panels:
        raise SystemExit(f"nothing was run with {_ROWS} rows, which the picture is of")
    draw_panels(panels, folder, "peers", (6.4, 3.8 * len(panels)))


def _unfinished(here: Iterable[Run]) -> list[str]:
    """Why runs came to no end, and on which sets."""
    why: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for each in here:
        if "why" in each:
            why[each["way"]][each["why"]].add(each["set"])
    lines = [f"- {way}: " + "; ".join(f"{said} ({', '.join(sorted(sets))})"
             for said, sets in reasons.items()) for way, reasons in why.items()]  # fmt: skip
    return ["Without a result:", "", *lines, ""] if lines else []


def _line(way: str, known: str | None, found: list[Run]) -> str | None:
    done, ours = _ended(found, way), _ended(found, OURS)
    both = [key for key in done if key in ours]
    if not both:
        return None
    ratio = np.exp(np.mean([np.log(_seconds(done[k]) / _seconds(ours[k])) for k in both]))
    seconds = np.mean([done[k]["seconds"] for k in both])
    memory = max(done[k]["megabytes"] for k in both)
    told = [_errors(done, ours, [key for key in both if key[0] in names])
            for names in (CLASSES, NUMBERS)]  # fmt: skip
    cells = [way, known, len(both), f"{seconds:.3g}", f"{ratio:.3g}", *told, f"{memory:.0f}"]
    return "| " + " | ".join(map(str, cells)) + " |"


def _seconds(run: Run) -> float:
    """CPU seconds; the clock of some machines goes by ticks, and a short run takes none of them."""
    return max(float(run["seconds"]), _TICK)


def _ended(found: Iterable[Run], way: str) -> dict[tuple[str, int], Run]:
    return {(each["set"], each["split"]): each for each in found
            if "lost" in each and each["way"] == way}  # fmt: skip


def _errors(done: dict[Any, Run], ours: dict[Any, Run], keys: Sequence[Any]) -> str:
    if not keys:
        return "-"
    theirs, own = (float(np.mean([runs[key]["lost"] for key in keys])) for runs in (done, ours))
    return f"{theirs:.2f} ({own:.2f})"
