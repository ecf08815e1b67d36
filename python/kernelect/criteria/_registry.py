"""Criteria by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._support.arguments import did_you_mean, nearest, shown
from ._base import Criterion
from ._bif import BIF
from ._likelihood import MarginalLikelihood
from ._moments import CKTA, EKTA, FSM, KCSM, KTA, MMD, SM, Ncut, Stability
from ._of_matrix import OfMatrix
from ._ridge import BR, CV, GCV, KS, LOO
from ._spectrum import EP, ER, PEP, ERRatio, SMHinge

_REGISTRY: dict[str, type[Criterion]] = {}


def register(criterion: type[Criterion]) -> type[Criterion]:
    """Make a criterion known by its name.

    Parameters
    ----------
    criterion : type
        A subclass of `Criterion` that can be made without arguments.

    Returns
    -------
    type
        The same class, so that this works as a decorator.
    """
    _REGISTRY[criterion.name] = criterion
    return criterion


for _criterion in (
    *(SM, SMHinge, KTA, EKTA, CKTA, FSM, KCSM, Ncut, MMD, Stability),
    *(PEP, ERRatio, ER, EP),
    *(LOO, CV, GCV, MarginalLikelihood, BR, BIF, KS),
):
    register(_criterion)


def names(task: str | None = None, n_classes: int = 2) -> list[str]:
    """List registered names, all or those with a formula for a kind of target.

    Parameters
    ----------
    task : {"classification", "regression"}, optional
        Only criteria for this task.
    n_classes : int, default=2
        Number of classes.

    Returns
    -------
    list of str
        Names for `evaluate`.

    Examples
    --------
    >>> import kernelect as ke
    >>> "ncut" in ke.criteria.names("classification", n_classes=3)
    False
    """
    return [
        name
        for name, criterion in _REGISTRY.items()
        if task is None or criterion().applies_to(task, n_classes)
    ]


def get(criterion: Any) -> Criterion:
    """Turn a name or an object into a criterion.

    Parameters
    ----------
    criterion : str, Criterion or callable
        A registered name, an object such as ``SM(r=3)``, or a function of the kernel matrix and y,
        of which larger values are better.

    Returns
    -------
    Criterion
        The criterion, with default parameters for a name.
    """
    if isinstance(criterion, Criterion):
        return criterion
    if isinstance(criterion, type) and issubclass(criterion, Criterion):
        return criterion()
    if callable(criterion) and not isinstance(criterion, type):
        return OfMatrix(criterion)
    if not isinstance(criterion, str):
        raise TypeError(
            "a criterion is a name, an object of kernelect.criteria or a function of K and y, not "
            f"{shown(criterion)}"
        )
    if criterion in _REGISTRY:
        return _REGISTRY[criterion]()
    name, bracket, parameters = criterion.lower().partition("(")
    near = nearest(name, _REGISTRY)
    hint = did_you_mean(name, list(_REGISTRY))
    if near is not None and bracket:
        hint = f"pass the object {_REGISTRY[near].__name__}({parameters} of kernelect.criteria"
    raise ValueError(f"unknown criterion {shown(criterion)}; {hint}")


def holds_out_folds(key: str) -> bool:
    """Whether the criterion of this key, where it is registered, holds out folds of rows."""
    criterion = _REGISTRY.get(key.partition("(")[0])
    needs = None if criterion is None else criterion().needs()
    return needs is not None and bool(needs.folds or needs.series)


def resolve(criteria: Any) -> list[Criterion]:
    """Turn one or several names and objects into distinct criteria.

    Parameters
    ----------
    criteria : str, Criterion, callable or iterable of these
        What to resolve.

    Returns
    -------
    list of Criterion
        In the order given; the same one twice is an error.
    """
    if isinstance(criteria, (str, Criterion, type)) or callable(criteria):
        criteria = [criteria]
    if not isinstance(criteria, Iterable):
        raise TypeError(
            f"criteria must be names or objects of kernelect.criteria, not {criteria!r}"
        )
    found = [get(criterion) for criterion in criteria]
    if not found:
        raise ValueError("criteria is empty; name at least one, for example 'sm'")
    keys = [criterion.key for criterion in found]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise ValueError(f"criterion {twice!r} is given twice; name it once")
    return found
