"""Infinite kernel learning: estimators, families of kernels and the search in them."""
