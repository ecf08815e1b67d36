"""Warnings that point at the caller's line, however deep in the package they arise."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType

_OURS = (__name__.partition(".")[0], "_frozen_importlib", "importlib")
# What runs between the package and whoever wrote the call: an estimator of ours inside a pipeline
# or a cross-validation is called by scikit-learn, perhaps in a worker of joblib.
_GO_BETWEENS = ("sklearn", "joblib")

_collected: ContextVar[list[str] | None] = ContextVar("_collected", default=None)


def warn_caller(message: str | Warning, category: type[Warning] = UserWarning) -> None:
    """Warn at the line that asked for the work.

    That is the first line outside the package, scikit-learn and joblib; where there is none, as in
    a worker process, the first line outside the package.
    """
    collected = _collected.get()
    if collected is not None:
        collected.append(str(message))
        return
    frame = _caller(sys._getframe(1))
    warnings.warn_explicit(
        message,
        category,
        frame.f_code.co_filename,
        frame.f_lineno,
        module=frame.f_globals.get("__name__"),
        registry=frame.f_globals.setdefault("__warningregistry__", {}),
    )


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Collect what `warn_caller` would say in this thread, and let others warn as they do."""
    sentences: list[str] = []
    before = _collected.set(sentences)
    try:
        yield sentences
    finally:
        _collected.reset(before)


def _caller(innermost: FrameType) -> FrameType:
    outside: FrameType | None = None
    frame: FrameType | None = innermost
    while frame is not None:
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        if package not in _OURS:
            outside = outside or frame
            if package not in _GO_BETWEENS:
                return frame
        frame = frame.f_back
    return outside or innermost
