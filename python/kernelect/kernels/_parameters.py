"""The free parameters of a kernel expression as one vector of logarithms, and the way back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .._data.rows import Program, Rows, Tables, is_sparse
from .._support.arrays import FloatArray

if TYPE_CHECKING:
    from .._dispatch import core
    from ._base import Kernel


@dataclass(frozen=True)
class Parameter:
    """A positive number of a kernel, and how the nodes of the kernel's program change with it.

    Attributes
    ----------
    name : str
        As the kernel calls it.
    value : float
        What it is.
    node : int
        Which node of the program it enters.
    powers : tuple of float
        With which powers it enters the node's two numbers.
    column : int or None
        Which column of a leaf's table it weighs, where it is the width of one column.
    power : float
        With which power it enters the weight of that column in squared distances.
    """

    name: str
    value: float
    node: int
    powers: tuple[float, float] = (0.0, 0.0)
    column: int | None = None
    power: float = 0.0


class Parameters:
    """The free parameters of a kernel: those that are positive numbers.

    Attributes
    ----------
    kernel : Kernel
        The kernel that they are the parameters of.
    items : list of Parameter
        One for each entry of the vector.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.items: list[Parameter] = kernel._parameters(0)

    @property
    def logarithms(self) -> FloatArray:
        """The vector: logarithms of the values."""
        return np.log([item.value for item in self.items])

    @property
    def names(self) -> list[str]:
        """What each entry of the vector is called."""
        return [item.name for item in self.items]

    @property
    def columnwise(self) -> list[list[int]]:
        """Groups of entries that are the widths of the columns of one leaf."""
        groups: dict[int, list[int]] = {}
        for place, item in enumerate(self.items):
            if item.column is not None:
                groups.setdefault(item.node, []).append(place)
        return list(groups.values())

    def kernel_at(self, logarithms: FloatArray) -> Kernel:
        """Make the kernel of other values."""
        return self.kernel._with_values(iter(np.exp(logarithms).tolist()))

    def leaves(self, program: Program, tables: Sequence[Rows]) -> list[tuple[int, FloatArray]]:
        """Return the leaves whose columns have widths of their own, with the rows they read."""
        nodes = dict.fromkeys(item.node for item in self.items if item.column is not None)
        read = ((node, tables[program[node][4]]) for node in nodes)
        return [(node, rows.toarray() if is_sparse(rows) else rows) for node, rows in read]

    def gradient(
        self, found: core._KernelGradient, leaves: Sequence[tuple[int, FloatArray]]
    ) -> FloatArray:
        """Return derivatives in the vector, from those in the numbers of the program's nodes.

        All numbers are products of powers of the parameters, so that the exponents are all there is
        to the chain rule.
        """
        columns = {node: found["columns"][place] for place, (node, _) in enumerate(leaves)}
        slopes = np.zeros(len(self.items))
        for place, item in enumerate(self.items):
            if item.column is not None:
                slopes[place] = item.power * columns[item.node][item.column]
            else:
                slopes[place] = found["numbers"][item.node] @ item.powers
        return slopes


def size_of(kernel: Kernel) -> int:
    """How many nodes the program of a kernel has."""
    return len(kernel._program(Tables()))


def parameters_of_parts(parts: Sequence[Kernel], start: int) -> list[Parameter]:
    """Parameters of kernels whose programs stand one after the other."""
    found: list[Parameter] = []
    for part in parts:
        found += part._parameters(start)
        start += size_of(part)
    return found


def parts_with_values(parts: Sequence[Kernel], values: Iterator[float]) -> tuple[Kernel, ...]:
    """Return the kernels with new values of their parameters, in their order."""
    return tuple(part._with_values(values) for part in parts)
