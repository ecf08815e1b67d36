"""Rows that are on a cluster or on its discs, as dask's arrays and data frames."""
