"""Kernels and results as plain data, ready for JSON, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from math import nan
from typing import Any

import numpy as np

from .. import kernels as _kernels
from ..criteria import Column
from ..kernels import Function, Kernel, OnColumns
from ..kernels._columns import Columns
from ._former import formerly_decisive
from ._loaded import checked_selection, checked_table
from ._parts import columns_of
from ._refinement import Refinement
from ._ridge_model import RidgeModel
from ._score_table import ScoreTable
from ._selection import Selection

FORMAT = 1  # raised when files of an older form can no longer be read as they are

_KINDS: dict[str, type[Kernel]] = {
    kind.__name__: kind
    for kind in vars(_kernels).values()
    if isinstance(kind, type) and issubclass(kind, Kernel) and kind is not Kernel
}


def register(kind: type[Kernel]) -> type[Kernel]:
    """Make a kernel class of your own known, so that it can be loaded.

    Parameters
    ----------
    kind : type
        A dataclass derived from `Kernel` whose fields are numbers, text, lists or kernels.

    Returns
    -------
    type
        The same class, so that this works as a decorator.
    """
    _KINDS[kind.__name__] = kind
    return kind


def to_dict(thing: Kernel | ScoreTable | Selection) -> dict[str, Any]:
    """Convert a kernel or a result to plain data.

    Parameters
    ----------
    thing : Kernel, ScoreTable or Selection
        What to convert.

    Returns
    -------
    dict
        Numbers, text, lists and dictionaries only, with the ``format`` they follow.

    Examples
    --------
    >>> import kernelect as ke
    >>> ke.serialization.to_dict(2 * ke.Gaussian(8.0))
    {'kind': 'Scaled', 'weight': 2.0, 'kernel': {'kind': 'Gaussian', 'tau': 8.0}, 'format': 1}
    >>> ke.serialization.from_dict(_)
    2.0 * Gaussian(tau=8.0)
    """
    if isinstance(thing, Kernel):
        return {**_kernel_data(thing, {}), "format": FORMAT}
    if isinstance(thing, ScoreTable):
        return {**thing.to_dict(), "kind": "ScoreTable", "format": FORMAT, **_table_data(thing)}
    if isinstance(thing, Selection):
        data = {**thing.to_dict(), "kind": "Selection", "format": FORMAT}
        data["score"] = _numbers(thing.score)
        data["table"] = to_dict(thing.table)
        if thing.refinement is not None:
            data["refinement"]["start"] = _kernel_data(thing.refinement.start, {})
        return data
    raise TypeError(f"only kernels, tables and selections can be converted, not {thing!r}")


def from_dict(data: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]] = {}) -> Any:
    """Rebuild what `to_dict` made, or what the command line wrote.

    Parameters
    ----------
    data : dict
        Plain data.
    functions : mapping of str to callable, optional
        The functions behind `Function` kernels by name; code is never loaded from data.

    Returns
    -------
    Kernel, ScoreTable or Selection
        An equal object.
    """
    if isinstance(data, Mapping) and "command" in data and isinstance(data.get("result"), Mapping):
        data = data["result"]  # a report of the command line
    if not isinstance(data, Mapping) or "kind" not in data:
        raise ValueError("this is not data of a kernel or result: it has no 'kind'")
    form = data.get("format", FORMAT)
    if not isinstance(form, int) or form > FORMAT:
        raise ValueError(
            f"the data has format {form!r}, and this version reads up to {FORMAT}; use a newer "
            "kernelect"
        )
    try:
        if data["kind"] == "ScoreTable":
            return _table(data, functions)
        if data["kind"] == "Selection":
            return _selection(data, functions)
        return _kernel(data, functions)
    except KeyError as error:
        raise ValueError(f"the data of a {data['kind']} lacks {error}") from None
    except (TypeError, AttributeError, IndexError, OverflowError, RecursionError):
        raise ValueError(
            f"this is not a saved kernelect object: the parts of its {data['kind']!r} have the "
            "wrong form; save it anew"
        ) from None


def _kernel_data(kernel: Kernel, named: dict[str, Function]) -> dict[str, Any]:
    """Return a kernel as data; `named` gathers the functions behind all kernels by name."""
    name = type(kernel).__name__
    if isinstance(kernel, Function):
        function = repr(kernel)[len("Function(") : -1]
        if named.setdefault(function, kernel) != kernel:
            raise ValueError(
                f"two different functions are called {function!r}, and loading could not tell them "
                "apart; give each a name of its own"
            )
        return {"kind": name, "function": function, "pairwise": kernel.pairwise}
    if _KINDS.get(name) is not type(kernel):
        raise TypeError(
            f"{kernel!r} is of a class that is not known here; register it with "
            "ke.serialization.register"
        )
    data: dict[str, Any] = {"kind": name}
    for item in fields(kernel):  # type: ignore[arg-type]
        data[item.name.lstrip("_")] = _plain(getattr(kernel, item.name), named)
    return data


def _plain(value: Any, named: dict[str, Function]) -> Any:
    if isinstance(value, Kernel):
        return _kernel_data(value, named)
    if isinstance(value, Columns):
        return {"kind": value.kind, "items": [_plain(item, named) for item in value.items]}
    if isinstance(value, (tuple, list)):
        return [_plain(item, named) for item in value]
    if isinstance(value, np.generic):
        return value.item()
    return value


def _kernel(data: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> Kernel:
    name = data["kind"]
    if name == "Function":
        function = data["function"]
        if function not in functions:
            raise ValueError(
                f"the kernel rests on the function {function!r}, which is not stored; pass "
                f"functions={{{function!r}: ...}}"
            )
        return Function(functions[function], bool(data.get("pairwise", False)))
    if name not in _KINDS:
        raise ValueError(
            f"unknown kernel {name!r}; register its class with ke.serialization.register"
        )
    values: dict[str, Any] = {}
    for item in fields(_KINDS[name]):  # type: ignore[arg-type]
        value = data[item.name.lstrip("_")]
        if item.name == "columns":
            value = Columns(value["kind"], tuple(value["items"]))
        elif isinstance(value, Mapping):
            value = _kernel(value, functions)
        elif isinstance(value, list):
            parts = [_kernel(v, functions) if isinstance(v, Mapping) else v for v in value]
            value = tuple(parts)
        values[item.name] = value
    if _KINDS[name] is OnColumns:
        return OnColumns(values["columns"], values["kernel"], values["_seen"])
    return _KINDS[name](**values)


def _numbers(values: Any) -> Any:
    """Nested lists with infinities and NaN as text, which JSON has no numbers for."""
    if isinstance(values, list):
        return [_numbers(value) for value in values]
    return value if np.isfinite(value := float(values)) else str(value)


def _array(values: Any) -> Any:
    try:
        return np.array(values, dtype=object).astype(np.float64)
    except ValueError:  # text or ragged lists: a wrong form, which `from_dict` tells
        raise TypeError from None


def _table_data(table: ScoreTable) -> dict[str, Any]:
    """Add what a table holds beyond its report: kernels as data, exact values and quantities."""
    columns, lams = table.columns, table.lams
    exact: dict[str, Any] = {"scores": {k: _numbers(c.values.tolist()) for k, c in columns.items()}}
    for name in _quantities():
        arrays = {key: getattr(column, name) for key, column in columns.items()}
        kept = {key: array for key, array in arrays.items() if array is not None}
        exact[name] = {key: _numbers(array.tolist()) for key, array in kept.items()}
    exact["direction"], exact["reasons"] = table.direction, table.reasons
    exact["labels"] = {key: c.label for key, c in columns.items() if c.label != key}
    named: dict[str, Function] = {}
    return {
        "candidates": [_kernel_data(kernel, named) for kernel in table.kernels],
        "exact": exact,
        "lams": None if lams is None else _numbers(lams.tolist()),
    }


def _quantities() -> list[str]:
    """Names of the quantities that are stored for each criterion; lambdas are for all."""
    return [name for name in Column.quantities() if name != "lams"]


def _table(data: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> ScoreTable:
    exact = data["exact"]
    arrays = {
        part: {key: _array(values) for key, values in exact.get(part, {}).items()}
        for part in ("scores", *_quantities())
    }
    columns = columns_of(
        direction={**exact["direction"]},
        reasons=exact["reasons"],
        lams=None if data["lams"] is None else _array(data["lams"]),
        labels=exact.get("labels", {}),
        **arrays,
    )
    kernels = [_kernel(kernel, functions) for kernel in data["candidates"]]
    return checked_table(ScoreTable(kernels, columns, data["task"]))


def _selection(data: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> Selection:
    table = _table(data["table"], functions)
    chosen = Selection(
        table.kernels[data["index"]],
        float(_array(data["score"])),
        data["index"],
        data["criterion"],
        table,
        data["lam"],
        data["verified"],
        data["lead"],
        bool(data.get("partial", False)),
        decisive=data.get("decisive") or formerly_decisive(data["criterion"], table.columns),
        model=None if data.get("model") is None else RidgeModel(**data["model"]),
        refinement=_refinement(data.get("refinement"), functions),
    )
    return checked_selection(chosen)


def _refinement(
    data: Mapping[str, Any] | None, functions: Mapping[str, Callable[..., Any]]
) -> Refinement | None:
    if data is None:
        return None
    known: dict[str, Any] = {name: nan if data[name] is None else data[name] for name in data}
    known["start_lam"] = data["start_lam"]
    return Refinement(**{**known, "start": _kernel(data["start"], functions)})


__all__ = ["FORMAT", "from_dict", "register", "to_dict"]
