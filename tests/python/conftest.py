"""What is known to be open: cases that do not yet meet their tests."""

import pytest
from hypothesis import settings

# The same examples in every run: a failure can be repeated, and a green run stays green.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")

# Remove a line together with the fault behind it.
KNOWN_OPEN = {
    "test_interrupt.py::test_progress_line_on_standard_error": "the line is not cleared off a terminal",
}


def pytest_collection_modifyitems(items):
    for item in items:
        for name, reason in KNOWN_OPEN.items():
            if name in item.nodeid:
                item.add_marker(pytest.mark.xfail(reason=reason, strict=False))
