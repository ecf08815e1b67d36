"""Scikit-learn's callbacks (1.9 and later, experimental) around a fit; nothing on older ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from .progress import Tick

Method = TypeVar("Method", bound=Callable[..., Any])

STEPS = 100  # steps of an election that a callback sees

try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as _with_callbacks
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in for the mixin that older versions of scikit-learn lack."""

    def _with_callbacks(method: Any) -> Any:
        return method


def with_callbacks(method: Method) -> Method:
    """Decorate a ``fit`` so that its callbacks are torn down in the end."""
    decorated: Method = _with_callbacks(method)
    return decorated


@contextmanager
def reported(estimator: Any, X: Any, y: Any) -> Iterator[Tick | None]:
    """Report a fit to the estimator's callbacks; yields a function that takes the fraction done."""
    if not getattr(estimator, "_skl_callbacks", None):
        yield None
        return
    root = estimator._init_callback_context(max_subtasks=STEPS)
    root.call_on_fit_task_begin(estimator=estimator, X=X, y=y)
    done = 0

    def tick(fraction: float) -> None:
        nonlocal done
        while done < min(int(fraction * STEPS), STEPS):
            done += 1
            step = root.subcontext(task_name="election")
            step.call_on_fit_task_begin(estimator=estimator, X=X, y=y)
            step.call_on_fit_task_end(estimator=estimator, X=X, y=y)

    yield tick
    tick(1.0)
    root.call_on_fit_task_end(estimator=estimator, X=X, y=y)


__all__ = ["CallbackSupportMixin", "reported", "with_callbacks"]
