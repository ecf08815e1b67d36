"""Walks along an ordered grid."""

import pytest

from kernelect.selection._downhill import walk_downhill


def walked(losses, start, way, places=None):
    """Where a walk ends, and what it looked at besides its start, in that order."""
    looks = []

    def gains(new, old):
        looks.append(new)
        return losses[new] < losses[old]

    places = range(len(losses)) if places is None else places
    return walk_downhill(start, way, places, gains), looks


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("start", range(6))
def test_a_valley_is_found_from_everywhere(start, way):
    end, looks = walked([9, 5, 2, 3, 4, 8], start, way)
    assert end == 2
    assert len(looks) == len(set(looks))


def test_the_first_side_is_tried_first_and_the_other_only_from_the_start():
    assert walked([3, 2, 1, 2, 3], 2, 1) == (2, [3, 1])
    assert walked([3, 2, 1, 2, 3], 2, -1) == (2, [1, 3])
    assert walked([0, 3, 2, 1, 2], 2, 1) == (3, [3, 4])  # nobody looks back at 1
    assert walked([1, 1, 1], 1, 1) == (1, [2, 0])  # as good is not better


def test_it_stays_among_its_places():
    assert walked([5, 4, 3, 2, 1], 1, 1, places=[1, 2, 3]) == (3, [2, 3])
    assert walked([5], 0, 1) == (0, [])
