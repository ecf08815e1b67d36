"""Which columns of a file are features and which is the target, by name or by place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from .._support.arguments import did_you_mean, shown
from ._files import shortened

Names: TypeAlias = "Iterable[str | int] | str | int | None"


def places_of(name: str, known: Sequence[str], asked: Names, option: str) -> list[int] | None:
    """Return the places of the columns that an option names; None where nothing is asked."""
    if asked is None:
        return None
    listed = [asked] if isinstance(asked, (str, int)) else list(asked)
    at = {column: place for place, column in enumerate(known)}
    for column in listed:
        if isinstance(column, bool) or not isinstance(column, (str, int)):
            raise TypeError(f"{option} must hold names of columns, not {shown(column)}")
        if str(column) not in at:
            raise ValueError(_missing(name, known, column))
    places = [at[str(column)] for column in listed]
    if not places or len(set(places)) < len(places):
        raise ValueError(f"{option} must name at least one column, and none twice")
    return places


class Places(NamedTuple):
    """Where the features are, the target, and the groups; None for what is not there."""

    features: list[int]
    target: int | None
    groups: int | None = None

    @property
    def others(self) -> list[int]:
        """Columns that no model learns from."""
        return [place for place in (self.target, self.groups) if place is not None]


def split(
    name: str,
    header: Sequence[str],
    *,
    target: str | int | None,
    groups: str | int | None,
    columns: Names,
    drop: Names,
) -> Places:
    """Return where everything is; the target is by default the last column with no other part."""
    kept, dropped = _kept(name, header, columns, drop)
    grouped = None if groups is None else _place_of(name, header, groups, "groups")
    if target is not None:
        place = _place_of(name, header, target, "target")
        if place in dropped:
            raise ValueError(f"the target {str(target)!r} is among the columns to drop")
        if place == grouped:
            raise ValueError(f"{str(target)!r} is both the target and the groups: name two columns")
    else:
        left = [at for at in range(len(header)) if at not in dropped and at != grouped]
        place = left[-1] if left else 0
    found = Places([column for column in kept if column not in (place, grouped)], place, grouped)
    for part, column in (("target", place), ("groups", grouped)):
        if columns is not None and column in kept:
            raise ValueError(
                f"{name}: the {part} {shortened(header[column])!r} is among the columns to learn "
                f"from: take it out, or name another column as {part}"
            )
    if not found.features:
        raise ValueError(f"{name} has no columns left to learn from: drop fewer")
    return found


def some(name: str, count: int, columns: Names, drop: Names) -> list[int] | None:
    """Return the places to keep in a file without names, counted from 1; None for all."""
    if columns is None and drop is None:
        return None
    kept, _ = _kept(name, numbered(count), columns, drop)
    if not kept:
        raise ValueError(f"{name} has no columns left to learn from: drop fewer")
    return kept


def numbered(count: int) -> list[str]:
    """Return what columns without names are called: their places, counted from 1."""
    return [str(place) for place in range(1, count + 1)]


def listed(names: Sequence[str], most: int = 6) -> str:
    """Quote the first few names for a message."""
    first = ", ".join(repr(shortened(name)) for name in names[:most])
    return f"{first} and {len(names) - most} more" if len(names) > most else first


def _kept(
    name: str, known: Sequence[str], columns: Names, drop: Names
) -> tuple[list[int], set[int]]:
    if columns is not None and drop is not None:
        raise ValueError("columns and drop exclude one another: pass one of them")
    wanted = places_of(name, known, columns, "columns")
    dropped = set(places_of(name, known, drop, "drop") or ())
    if wanted is not None:
        return wanted, dropped
    return [place for place in range(len(known)) if place not in dropped], dropped


def _place_of(name: str, known: Sequence[str], column: str | int, option: str) -> int:
    if not isinstance(column, (str, int)):
        raise TypeError(f"{option} must be the name of a column, not {shown(column)}")
    (place,) = places_of(name, known, column, option) or [0]
    return place


def _missing(name: str, known: Sequence[str], column: Any) -> str:
    hint = did_you_mean(column, list(known), f"it has {listed(known)}")
    return f"{name} has no column {shortened(str(column))!r}: {hint}"
