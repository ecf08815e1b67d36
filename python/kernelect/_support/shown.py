"""Former place of `shown`."""

from .arguments import shown

__all__ = ["shown"]
