"""Sums over all pairs of rows, estimated by some rows against all."""
