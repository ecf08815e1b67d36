"""Reports as web pages: one file that needs nothing else."""

from ._report import write_report

__all__ = ["write_report"]
