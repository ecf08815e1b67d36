# Sums between some rows and all; a part of _core.pyi.
from collections.abc import Sequence
from typing import TypedDict

from ._core import Sample, _Floats, _Program, _Progress

class _SampledSums(TypedDict):  # of E = sign (K - shift)
    shift: float
    sign: float
    trace: float
    by_class: _Floats
    products: _Floats
    squares: _Floats
    spreads: _Floats

def sampled_sums(
    sample: Sample,
    others: Sample,
    targets: _Floats,
    programs: Sequence[_Program],
    weights: _Floats,
    *,
    threads: int,
    progress: _Progress,
) -> list[_SampledSums]: ...
