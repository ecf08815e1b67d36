"""Models from plain data and arrays: known classes alone, no code, nothing that does not fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.pipeline import Pipeline

from .._data.rows import check_sparse
from ..criteria import get
from ..results.serialization import from_dict
from ..selector import KernelSelector
from ..selector._cv_results import cv_results
from ._checks import check
from ._classes import MODELS, RECORDS

Functions = Mapping[str, Callable[..., Any]]


class Decoder:
    """Makes models of data and arrays; a TypeError or KeyError where these have the wrong form."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], functions: Functions) -> None:
        self._arrays, self._functions = arrays, functions
        self._ways: dict[str, Callable[[Mapping[str, Any]], Any]] = {
            "float": lambda data: _not_finite(data["text"]),
            "scalar": lambda data: self._array(data).reshape(())[()],
            "array": self._array,
            "strings": _strings,
            "sparse": self._sparse,
            "tuple": lambda data: tuple(self.value(item) for item in _list(data["items"])),
            "dict": self._dictionary,
            "slice": lambda data: slice(*_ends(data["ends"])),
            "kernel": lambda data: from_dict(data["data"], functions),
            "result": lambda data: from_dict(data["data"], functions),
            "criterion": lambda data: type(get(data["name"]))(**self._fields(data)),
            "record": lambda data: RECORDS[data["class"]](**self._fields(data)),
            "function": lambda data: self._function(data["name"]),
            "model": self.model,
        }

    def value(self, data: Any) -> Any:
        """Return a part of a model."""
        if isinstance(data, list):
            return [self.value(item) for item in data]
        return self._ways[data["is"]](data) if isinstance(data, Mapping) else data

    def model(self, data: Mapping[str, Any]) -> Any:
        """Return an estimator whose parts fit together."""
        name = data["class"]
        if name not in MODELS:
            raise ValueError(f"the file holds a {name!r}, which this version does not know")
        kind = MODELS[name]
        params = {str(key): self.value(value) for key, value in data["params"].items()}
        model = kind(**params)  # parameters that came later than the file are at their defaults
        if kind is Pipeline:
            model._validate_steps()
        made = vars(model).copy()
        for key, value in data["fitted"].items():
            # As scikit-learn names what a fit leaves; nothing may hide a method or a parameter.
            named = key.isidentifier() and (key.endswith("_") or key.startswith("_"))
            if not named or key.startswith("__") or key in made or callable(getattr(kind, key, 0)):
                raise TypeError
            vars(model)[key] = self.value(value)
        for method, wanted in data["requests"].items():
            _set_requests(model, method, wanted)
        check(model)
        if kind is KernelSelector and hasattr(model, "result_"):
            model.cv_results_ = cv_results(model.result_)
        return model

    def _array(self, data: Mapping[str, Any]) -> NDArray[Any]:
        return self._arrays[data["name"]]

    def _sparse(self, data: Mapping[str, Any]) -> Any:
        parts = tuple(self._array(data[part]) for part in ("data", "indices", "indptr"))
        kind = scipy.sparse.csr_array if data["modern"] is True else scipy.sparse.csr_matrix
        matrix = kind(parts, shape=tuple(data["shape"]))
        check_sparse(matrix)
        return matrix

    def _dictionary(self, data: Mapping[str, Any]) -> dict[Any, Any]:
        return {self.value(key): self.value(value) for key, value in _list(data["items"])}

    def _fields(self, data: Mapping[str, Any]) -> dict[str, Any]:
        return {str(key): self.value(value) for key, value in data["fields"].items()}

    def _function(self, name: Any) -> Callable[..., Any]:
        if name not in self._functions:
            raise ValueError(
                f"the model rests on the function {name!r}, which is not stored; pass "
                f"functions={{{name!r}: ...}}"
            )
        return self._functions[name]


def _not_finite(text: Any) -> float:
    number = float(text)
    if math.isfinite(number):
        raise TypeError
    return number


def _list(items: Any) -> list[Any]:
    if not isinstance(items, list):
        raise TypeError
    return items


def _strings(data: Mapping[str, Any]) -> NDArray[Any]:
    items = _list(data["items"])
    if not all(isinstance(item, str) for item in items):
        raise TypeError
    return np.array(items, dtype=object)


def _ends(items: Any) -> list[Any]:
    if len(_list(items)) != 3 or not all(item is None or type(item) is int for item in items):
        raise TypeError
    return list(items)


def _set_requests(model: Any, method: str, wanted: Mapping[str, Any]) -> None:
    known = getattr(model._get_metadata_request(), method).requests
    if not set(wanted) <= set(known) or not all(
        isinstance(value, (bool, str, type(None))) for value in wanted.values()
    ):
        raise TypeError
    with config_context(enable_metadata_routing=True):
        getattr(model, f"set_{method}_request")(**wanted)
