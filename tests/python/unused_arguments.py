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


def walk(changed, usual, name):
    """Either the argument plays its part or something is said, and not both."""
    found, said = outcome(changed, name)
    assert said == (found is NOTHING or found == outcome(usual, name)[0]), (found, said)
