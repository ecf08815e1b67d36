"""A progress line for long work: tqdm where it is installed, a plain line on stderr otherwise."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

Tick = Callable[[float], object]


@contextmanager
def progress_line(wanted: bool | Tick, label: str) -> Iterator[Tick | None]:
    """Give a function that takes the fraction done, or None where no progress is wanted.

    `wanted` may itself be such a function, which is then used as it is.
    """
    if not isinstance(wanted, bool):
        if not callable(wanted):
            raise TypeError(f"progress must be True, False or a function, not {wanted!r}")
        yield wanted
        return
    if not wanted:
        yield None
        return
    with _tqdm_line(label) if find_spec("tqdm") else _plain_line(label) as tick:
        yield tick


@contextmanager
def _tqdm_line(label: str) -> Iterator[Tick]:
    from tqdm import tqdm

    form = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
    with tqdm(total=1.0, desc=label, bar_format=form, leave=False) as bar:
        yield lambda fraction: bar.update(max(min(fraction, 1.0) - bar.n, 0.0))


@contextmanager
def _plain_line(label: str) -> Iterator[Tick]:
    start = time.monotonic()

    def show(fraction: float) -> None:
        elapsed = time.monotonic() - start
        left = elapsed * (1.0 - fraction) / fraction if fraction > 0 else float("nan")
        print(
            f"\r{label}: {fraction:4.0%}, {left:.0f} s left ", end="", file=sys.stderr, flush=True
        )

    try:
        yield show
    finally:
        print("\r" + " " * 60 + "\r", end="", file=sys.stderr, flush=True)


def part_of(tick: Tick | None, first: float, last: float) -> Tick | None:
    """Progress of one part of the work, which stands for the fractions from `first` to `last`."""
    if tick is None:
        return None
    whole = tick
    return lambda fraction: whole(first + (last - first) * min(fraction, 1.0))
