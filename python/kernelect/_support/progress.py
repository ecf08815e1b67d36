"""A progress line for long work: tqdm where it is installed, a plain line on stderr otherwise.

In a notebook tqdm draws a bar of its own, where ipywidgets is installed too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from .arguments import shown
from .quiet import quietly

Tick = Callable[[float], object]
_WIDTH = 72  # of a plain line, which covers the one before


@contextmanager
def progress_line(
    wanted: bool | Tick, label: str, count: int | None = None
) -> Iterator[Tick | None]:
    """Yield a function that takes the fraction done, or None where no progress is wanted.

    `wanted` may itself be such a function. It gets fractions that never fall, and 1 at the end.
    The line shows the share done of `count` candidates, the time elapsed and the time remaining.
    """
    if wanted is False:
        yield None
    elif wanted is True:
        whole = "" if count is None else f" of {count} candidates"
        with (_tqdm_line if find_spec("tqdm") else _plain_line)(label, whole) as show:
            yield from _rising(show)
    elif callable(wanted):
        yield from _rising(wanted)
    else:
        raise TypeError(f"progress must be True, False or a function, not {shown(wanted)}")


def _rising(show: Tick) -> Iterator[Tick]:
    highest = 0.0

    def tick(fraction: float) -> None:
        nonlocal highest
        highest = max(highest, min(float(fraction), 1.0))
        show(highest)

    yield tick
    tick(1.0)


@contextmanager
def _tqdm_line(label: str, whole: str) -> Iterator[Tick]:
    with quietly():  # of a notebook without widgets, where a line does as well
        from tqdm.auto import tqdm

    form = f"{{desc}}: {{percentage:3.0f}}%{whole}|{{bar}}| {{elapsed}}<{{remaining}}"
    with tqdm(total=1.0, desc=label, bar_format=form, leave=False) as bar:
        yield lambda fraction: bar.update(fraction - bar.n)


@contextmanager
def _plain_line(label: str, whole: str) -> Iterator[Tick]:
    start = time.monotonic()

    def show(fraction: float) -> None:
        elapsed = time.monotonic() - start
        left = elapsed * (1.0 - fraction) / fraction if fraction > 0 else float("nan")
        line = f"{label}: {fraction:4.0%}{whole}, {elapsed:.0f} s elapsed, {left:.0f} s left"
        print(f"\r{line:<{_WIDTH}}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        print("\r" + " " * _WIDTH + "\r", end="", file=sys.stderr, flush=True)


def part_of(tick: Tick | None, first: float, last: float) -> Tick | None:
    """Progress of one part of the work, which stands for the fractions from `first` to `last`."""
    if tick is None:
        return None
    whole = tick
    return lambda fraction: whole(first + (last - first) * fraction)


def share(done: int, count: int | None) -> float:
    """Share of the work that is done; without a count, of which more is always to come."""
    return done / (done + 1 if count is None else count)
