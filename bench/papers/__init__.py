"""The papers' tables and figures on real data: ``python -m bench.papers --list``."""
