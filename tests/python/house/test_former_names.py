"""Modules go on working by the names that they had before they moved."""

import importlib
import pkgutil

import pytest

import kernelect
from kernelect import _former_names

MOVED = _former_names._MOVED


@pytest.mark.parametrize("former", MOVED)
def test_a_former_name_is_the_module_that_has_its_contents(former):
    present = importlib.import_module(f"kernelect.{MOVED[former]}")
    assert importlib.import_module(f"kernelect.{former}") is present
    assert pkgutil.resolve_name(f"kernelect.{former}") is present


@pytest.mark.parametrize("former", MOVED)
def test_a_former_name_can_be_reached_from_the_package(former):
    place = kernelect
    for name in former.split("."):
        place = getattr(place, name)
    assert place is importlib.import_module(f"kernelect.{former}")
