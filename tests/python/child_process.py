"""The environment in which a new interpreter finds this package and the helpers of the tests."""

from __future__ import annotations

import os

import kernelect

TESTS = os.path.dirname(__file__)
PACKAGE = os.path.dirname(os.path.dirname(kernelect.__file__))
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([PACKAGE, TESTS])}
