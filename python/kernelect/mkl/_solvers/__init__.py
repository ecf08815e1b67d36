"""Numerical methods of kernel learning: Newton and descent on weights, small quadratic programs."""
