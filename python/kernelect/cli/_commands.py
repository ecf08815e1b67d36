"""The command line: ``kernelect COMMAND``, which `_parser` lists.

Results go to standard output, warnings and errors to standard error, one line each. The exit code
is 0 when all went well, 2 for bad input, 130 after Ctrl-C.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from ._messages import one_line, warnings_as_lines
from ._parser import Refused, parse
from ._streams import say, whole_output

if TYPE_CHECKING:
    from argparse import Namespace

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments after the program's name; by default those of this process.

    Returns
    -------
    int
        The exit code: 0, 2 for bad input, 130 after Ctrl-C.

    Examples
    --------
    >>> main(["--version"])
    kernelect 0.1.0
    0
    """
    from .._version import __version__

    try:
        with whole_output(), suppress(SystemExit):  # that of --help and --version
            options = parse(sys.argv[1:] if argv is None else argv, __version__, _RUN)
            with warnings_as_lines(options.quiet) as warned:
                options.run(options, warned)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader, such as head, has seen enough
        return 0
    except (Refused, ValueError, TypeError, OSError, MemoryError) as error:
        say(f"kernelect: {one_line(error)}")
        return 2
    return 0


# Commands are imported when they run: help and the version are to be there at once.
def _demo(options: Namespace, warned: list[str]) -> None:
    from ..results.serialization import from_dict
    from ._demo import demo
    from ._output import save_picture, write

    report, facts = demo(n_threads=options.threads)
    if options.plot is not None:
        save_picture(options.plot, from_dict(facts["result"]).plot(), "a checkerboard")
    write(options, report, {"command": "demo", **facts, "warnings": warned})


def _completion(options: Namespace, warned: list[str]) -> None:
    from ._completion import script

    print(script(options.shell, options.parser), end="")


def _imported(name: str) -> Callable[[Namespace, list[str]], None]:
    """Make the command of a module of this room, which has the function ``run``."""

    def run(options: Namespace, warned: list[str]) -> None:
        import_module(f"._{name}", __package__).run(options, warned)

    return run


_RUN = {
    "demo": _demo,
    "completion": _completion,
    **{name: _imported(name) for name in ("select", "evaluate", "fit", "predict")},
}
