"""Where a new interpreter finds this package and the helpers of the tests, and under what."""

from __future__ import annotations

import os

import kernelect

TESTS = os.path.dirname(__file__)
PACKAGE = os.path.dirname(os.path.dirname(kernelect.__file__))
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([PACKAGE, TESTS])}
# The address sanitizer wants the whole range of addresses, and keeps memory that has been freed.
SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")
