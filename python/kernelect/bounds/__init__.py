"""The papers' generalisation and variance bounds, as diagnostics.

Every function takes numbers (or arrays that broadcast, one entry per candidate) and returns numbers
of the same shape. The bounds explain why a criterion is sound; most are far above 1 at practical
sample sizes, so they do not predict errors. Misprints of the papers are corrected and named.
"""

from .cross_validation import (
    krr_cv_variance_bound,
    lssvm_cv_variance_unproven,
    svm_cv_variance_bound,
)
from .principal_eigenvalues import pep_bound
from .spectral_measure import MarginTerm, margin_term, sm_lssvm_bound, sm_svm_bound
from .universal_measures import (
    Decomposition,
    expected_margin_bound,
    unified_decomposition,
    unified_decomposition_of_gram,
)

__all__ = [
    "Decomposition",
    "MarginTerm",
    "expected_margin_bound",
    "krr_cv_variance_bound",
    "lssvm_cv_variance_unproven",
    "margin_term",
    "pep_bound",
    "sm_lssvm_bound",
    "sm_svm_bound",
    "svm_cv_variance_bound",
    "unified_decomposition",
    "unified_decomposition_of_gram",
]
