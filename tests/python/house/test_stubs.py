"""What the stubs of the core say of its results, which stubtest cannot see, is what it returns."""

import sys
import types
import typing
from collections.abc import Sequence
from pathlib import Path

import border_entries
import numpy as np
import pytest

import kernelect
from kernelect._dispatch import core

if sys.version_info < (3, 11):
    pytest.skip("the stubs use NotRequired, of Python 3.11", allow_module_level=True)

FOLDER = Path(kernelect.__file__).parent
# Calls that make nothing that a stub names, or that are refused: sums are not added to themselves.
OTHERS = ("__init__", "__setstate__", "merge")


def stubs():
    """Return the names of all stubs of the core, as one module."""
    files = [FOLDER / "_core.pyi", *sorted(FOLDER.glob("_core_*.pyi"))]
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    kept = [line for line in lines if not line.startswith("from ._core")]
    module = types.ModuleType("stubs")
    sys.modules[module.__name__] = module  # where typing looks for names
    text = "\n".join(["from __future__ import annotations", *kept])
    exec(text, vars(module))  # noqa: S102 (our own file, which nothing can import)
    return module


STUBS = stubs()


def keys(kind):
    """Return what a dictionary may have, and which of these keys it must have."""
    given = typing.get_type_hints(kind, include_extras=True)
    free = {key for key, of in given.items() if typing.get_origin(of) is typing.NotRequired}
    return typing.get_type_hints(kind), given.keys() - free


def faults(value, kind, where):
    """Yield where a value is not of its kind."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    right, parts = True, []
    if typing.is_typeddict(kind):
        known, required = keys(kind)
        right = isinstance(value, dict) and required <= value.keys() <= known.keys()
        parts = [(item, known[key], key) for key, item in value.items()] if right else []
    elif origin in (typing.Union, types.UnionType):
        right = any(not list(faults(value, of, where)) for of in args)
    elif origin is typing.Literal:
        right = value in args
    elif origin is np.ndarray:
        right = isinstance(value, np.ndarray) and value.dtype == typing.get_args(args[1])[0]
    elif origin in (list, Sequence):
        right = isinstance(value, list)
        parts = [(item, args[0], "each") for item in value] if right else []
    elif origin is dict:
        parts = [part for key, item in value.items() for part in
                 ((key, args[0], "key"), (item, args[1], "each"))]  # fmt: skip
    elif origin is tuple:
        right = isinstance(value, tuple) and len(value) == len(args)
        parts = [(*both, "each") for both in zip(value, args, strict=True)] if right else []
    else:
        right = type(value).__name__ == kind.__name__
    if not right:
        yield f"{where} is {value!r}"
    for item, of, name in parts:
        yield from faults(item, of, f"{where}.{name}")


def promised(name):
    """Return what a stub says that an entry returns; None of those that make an object."""
    what = STUBS
    for part in name.partition(" ")[0].split("."):
        what = getattr(what, part)
    return None if isinstance(what, type) else typing.get_type_hints(what)["return"]


@pytest.mark.parametrize(
    "name", [name for name in border_entries.entries() if not name.endswith(OTHERS)]
)
def test_results_are_what_the_stubs_say(name):
    call, arguments = border_entries.entries()[name]
    kind = promised(name)
    if kind is not None:
        assert list(faults(call(**arguments), kind, name)) == []


def test_every_key_of_ridge_systems_is_known():
    asked = {"evidence": True, "variances": True, "zero_one": True}
    found = core.ridge_kernels(
        border_entries.sample(),
        border_entries.PROGRAMS,
        border_entries.request(**asked),
        scaling="none",
        threads=1,
        progress=None,
    )
    assert list(faults(found, STUBS._KernelRidgeResults, "found")) == []
    assert found.keys() == keys(STUBS._KernelRidgeResults)[0].keys()
    assert found["loo"].keys() == keys(STUBS._HeldOut)[0].keys()


def test_what_is_wrong_is_found():
    kind = STUBS._KernelSpectra
    right = {"values": np.zeros((1, 3)), "trace": np.zeros(1), "smallest": np.zeros(1)}
    right["converged"] = [True]
    assert list(faults(right, kind, "x")) == []
    assert list(faults({**right, "converged": [True, 1]}, kind, "x")) == ["x.converged.each is 1"]
    assert len(list(faults({**right, "trace": np.zeros(1, int)}, kind, "x"))) == 1
    assert len(list(faults({**right, "more": 1}, kind, "x"))) == 1
    assert len(list(faults({"values": right["values"]}, kind, "x"))) == 1
    assert list(faults(1, float, "x")) == ["x is 1"]
    assert list(faults((1.0,), tuple[float, float], "x")) == ["x is (1.0,)"]
    assert list(faults(None, float | None, "x")) == []
