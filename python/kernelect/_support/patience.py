"""Work that cannot be stopped, while the caller is heard."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

# Seconds between two looks at a thread.
_LOOK = 0.02


def patiently(work: Callable[[], object], check: Callable[[], object]) -> None:
    """Run work in a thread and look now and then whether somebody wants to stop.

    That is Ctrl-C, or an exception of `check`. Nobody waits for the work any more then: it must
    end by itself, and change nothing but what was made for it.
    """
    failed: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - raised again where somebody waits
            failed.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    while True:
        thread.join(_LOOK)
        if not thread.is_alive():
            break
        check()
    if failed:
        raise failed[0]
