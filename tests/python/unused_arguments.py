"""What an argument changes, and what is said where it changes nothing."""

import warnings

NOTHING = object()


def outcome(action, name):
    """What an action returns, and whether it said in so many words that an argument is unused."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = action()
        except ValueError as error:
            return NOTHING, name in str(error)
    words = [str(one.message) for one in caught if "no part" in str(one.message)]
    assert all(name in word for word in words)
    return found, bool(words)


USUAL = {}  # what comes out without the argument, which is the same for all of them


def walk(changed, usual, name, *call):
    """Either the argument plays its part or something is said, and not both."""
    found, said = outcome(changed, name)
    if found is not NOTHING and call not in USUAL:
        USUAL[call], heard = outcome(usual, name)
        assert not heard
    assert said == (found is NOTHING or found == USUAL[call]), (found, said)
