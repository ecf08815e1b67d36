"""Saved data with one part missing, or replaced by something else."""

import copy


def places(data, here=(), closed=()):
    """Where something is, in nested data; of lists the first two, nothing inside closed keys."""
    parts = data.items() if isinstance(data, dict) else ()
    if isinstance(data, list):
        parts = list(enumerate(data))[:2]
    for key, part in parts:
        yield (*here, key)
        if key not in closed:
            yield from places(part, (*here, key), closed)


def damaged(data, wrong, closed=()):
    """Copies of the data: at each place nothing at all, then everything that is wrong there."""
    for place in places(data, closed=closed):
        for other in (..., *wrong):
            whole = copy.deepcopy(data)
            part = whole
            for key in place[:-1]:
                part = part[key]
            if other is ...:
                del part[place[-1]]
            else:
                part[place[-1]] = other
            yield whole
