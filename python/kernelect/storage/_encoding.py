"""Models as plain data and arrays.

What JSON has stays as it is: numbers, text, lists, None. Anything else becomes a dictionary that
says by ``"is"`` what it is; arrays are named there and kept apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from .._data.rows import is_sparse
from .._support.arguments import shown
from ..criteria import Criterion, get
from ..kernels import Function, Kernel
from ..lssvm import LSSVMRegressor
from ..results import ScoreTable, Selection
from ..results.serialization import to_dict
from ..selector import KernelSelector
from ._classes import MODELS, RECORDS, known_models

# What a model remembers that can be made again from the rest; requests of metadata have an entry of
# their own.
_DERIVED: dict[Any, set[str]] = {
    KernelSelector: {"cv_results_"},
    LSSVMRegressor: {"_deviations"},
}


class Encoder:
    """Turns a model into data; `arrays` gathers its arrays by the names that the data use."""

    def __init__(self) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}

    def model(self, model: Any) -> dict[str, Any]:
        """Return an estimator, fitted or not, as data."""
        kind = type(model).__name__
        if MODELS.get(kind) is not type(model):
            raise TypeError(
                f"a {kind} cannot be saved without pickle; what can: {known_models()}, kernels and "
                "results"
            )
        params = model.get_params(deep=False)
        made = vars(type(model)(**params))
        left_out = {*made, *_DERIVED.get(type(model), ()), "_metadata_request"}
        fitted = {
            name: value
            for name, value in vars(model).items()
            if name not in left_out and not name.startswith("_skl_")  # callbacks
        }
        return {
            "is": "model",
            "class": kind,
            "params": {name: self._named(name, value, kind) for name, value in params.items()},
            "fitted": {name: self._named(name, value, kind) for name, value in fitted.items()},
            "requests": _requests(model),
        }

    def _named(self, name: str, value: Any, kind: str) -> Any:
        try:
            return self.value(value)
        except _Unsaved as unsaved:
            raise TypeError(
                f"{kind}.{name} holds {unsaved}, which cannot be saved without pickle; set it to "
                "a number, a name or None first, or pickle the model"
            ) from None

    def value(self, value: Any) -> Any:
        """Return a part of a model as data."""
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, float) and not isinstance(value, np.generic):
            return value if math.isfinite(value) else {"is": "float", "text": repr(value)}
        for kinds, encode in self._ways():
            if isinstance(value, kinds):
                return encode(value)
        if is_sparse(value):
            return self._sparse(value)
        if callable(value) and not isinstance(value, type):
            return {"is": "function", "name": _function_name(value)}
        raise _Unsaved(shown(value))

    def _ways(self) -> list[tuple[Any, Callable[[Any], Any]]]:
        return [
            (np.generic, lambda value: {**self._array(np.asarray(value)), "is": "scalar"}),
            (np.ndarray, self._array),
            (list, lambda value: [self.value(item) for item in value]),
            (tuple, lambda value: {"is": "tuple", "items": [self.value(v) for v in value]}),
            (dict, self._dictionary),
            (slice, lambda value: {"is": "slice", "ends": [value.start, value.stop, value.step]}),
            (Kernel, lambda value: {"is": "kernel", "data": to_dict(value)}),
            ((ScoreTable, Selection), lambda value: {"is": "result", "data": to_dict(value)}),
            (Criterion, self._criterion),
            (tuple(RECORDS.values()), self._record),
            (BaseEstimator, self.model),
        ]

    def _array(self, array: NDArray[Any]) -> dict[str, Any]:
        if array.dtype.kind == "O":
            if array.ndim == 1 and all(isinstance(item, str) for item in array):
                return {"is": "strings", "items": array.tolist()}
            raise _Unsaved(f"an array of {type(array.ravel()[0]).__name__} objects")
        name = f"array_{len(self.arrays)}"
        self.arrays[name] = np.asarray(array)
        return {"is": "array", "name": name}

    def _sparse(self, matrix: Any) -> dict[str, Any]:
        rows = matrix.tocsr()
        parts = {part: self._array(getattr(rows, part)) for part in ("data", "indices", "indptr")}
        modern = type(matrix).__name__.endswith("array")
        return {"is": "sparse", "modern": modern, "shape": [int(s) for s in rows.shape], **parts}

    def _dictionary(self, value: dict[Any, Any]) -> dict[str, Any]:
        return {"is": "dict", "items": [[self.value(k), self.value(v)] for k, v in value.items()]}

    def _criterion(self, criterion: Criterion) -> dict[str, Any]:
        if type(get(criterion.name)) is not type(criterion):
            raise _Unsaved(f"the criterion {criterion!r}, which has no registered name")
        return {"is": "criterion", "name": criterion.name, "fields": self._fields(criterion)}

    def _record(self, record: Any) -> dict[str, Any]:
        return {"is": "record", "class": type(record).__name__, "fields": self._fields(record)}

    def _fields(self, record: Any) -> dict[str, Any]:
        return {item.name: self.value(getattr(record, item.name)) for item in fields(record)}


class _Unsaved(Exception):
    """Something that cannot be saved."""


def _function_name(function: Any) -> str:
    return repr(Function(function))[len("Function(") : -1]


def _requests(model: Any) -> dict[str, dict[str, Any]]:
    """Return the metadata that a model has been set to ask for, by method."""
    known = vars(model).get("_metadata_request")
    parts = {} if known is None else vars(known)
    asked = {name: getattr(part, "requests", None) for name, part in parts.items()}
    return {name: dict(wanted) for name, wanted in asked.items() if wanted}
