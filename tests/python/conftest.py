"""Settings of the whole suite."""

import signal
import sys

import pytest
from hypothesis import settings

# Shells let background jobs ignore Ctrl-C, and programs that are started from there inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run: a failure can be repeated, and a green run stays green.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

# Helpers that assert say what differed, as tests do.
pytest.register_assert_rewrite(
    "catalogue", "command_line", "kernel_catalogue", "refusals", "same_numbers"
)


@pytest.fixture(autouse=True)
def _figures_are_closed():
    """Close what a test drew: matplotlib warns from the twentieth figure on."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
