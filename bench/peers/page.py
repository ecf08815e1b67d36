"""The comparison as a page: one table for each number of rows, with ratios and versions."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

OURS = "kernelect, KernelSelector(SVC())"
_HEAD = "| way | version | sets | seconds | times ours | error (ours) | regression (ours) | MB |"


def write(folder: Path, found: list[dict[str, Any]], versions: dict[str, str | None]) -> None:
    """Write peers.json and peers.md."""
    folder.mkdir(parents=True, exist_ok=True)
    facts = {"versions": versions, "runs": found}
    (folder / "peers.json").write_text(json.dumps(facts, indent=1) + "\n")
    (folder / "peers.md").write_text(page(found, versions))


def page(found: list[dict[str, Any]], versions: dict[str, str | None]) -> str:
    """Means over the sets on which a way and our selector both came to an end, side by side."""
    lines = ["# Elections beside other ways to a tuned machine", ""]
    lines += ["One thread, CPU seconds to a fitted machine. Errors: % of test rows, of regressions"]
    lines += ["% of the variance; ours on the same sets in brackets.", ""]
    for rows in sorted({each["rows"] for each in found}):
        lines += [f"## {rows} rows", "", _HEAD, "| --- " * 8 + "|"]
        here = [each for each in found if each["rows"] == rows]
        told = [_line(way, known, here) for way, known in versions.items()]
        lines += [line for line in told if line is not None]
        lines.append("")
    missing = [way for way, known in versions.items() if known is None]
    if missing:
        lines += [f"Not installed: {', '.join(missing)}.", ""]
    return "\n".join(lines)


def _line(way: str, known: str | None, found: list[dict[str, Any]]) -> str | None:
    done = {(each["set"], each["split"]): each for each in found if "lost" in each
            and each["way"] == way}  # fmt: skip
    ours = {(each["set"], each["split"]): each for each in found if "lost" in each
            and each["way"] == OURS}  # fmt: skip
    both = [key for key in done if key in ours]
    if not both:
        return None
    classes = [key for key in both if key[0] not in _NUMBERS]
    numbers = [key for key in both if key[0] in _NUMBERS]
    ratio = np.exp(np.mean([np.log(done[k]["seconds"] / ours[k]["seconds"]) for k in both]))
    seconds = np.mean([done[k]["seconds"] for k in both])
    memory = max(done[k]["megabytes"] for k in both)
    told = [_errors(done, ours, keys) for keys in (classes, numbers)]
    cells = [way, known, str(len(both)), f"{seconds:.3g}", f"{ratio:.3g}", *told, f"{memory:.0f}"]
    return "| " + " | ".join(map(str, cells)) + " |"


def _errors(done: dict[Any, Any], ours: dict[Any, Any], keys: Iterable[Any]) -> str:
    keys = list(keys)
    if not keys:
        return "-"
    theirs, own = (float(np.mean([runs[key]["lost"] for key in keys])) for runs in (done, ours))
    return f"{theirs:.2f} ({own:.2f})"


_NUMBERS = {"cadata", "cpusmall", "kin40k", "protein"}
