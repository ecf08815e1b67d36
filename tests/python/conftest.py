"""Settings of the whole suite."""

from hypothesis import settings

# The same examples in every run: a failure can be repeated, and a green run stays green.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
