"""The version, for those who ask for nothing else; a test holds it to that of the core."""

__version__ = "0.1.0"
