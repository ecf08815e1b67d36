#pragma once

#include "kernelect/base/team.hpp"
#include "kernelect/base/types.hpp"
#include "kernelect/linalg/linalg.hpp"
#include "kernelect/spectrum/block_lanczos.hpp"
#include "kernelect/spectrum/symmetric_operator.hpp"

namespace kernelect {

struct SpectrumOptions {
    Index count = 1;           // t, in 1..n-1; one value more is found, to see the gap behind it
    bool vectors = false;      // also the eigenvectors of the t values
    double tolerance = 1e-10;  // error of any leading eigenvalue sum over the largest eigenvalue
    double vector_tolerance = 1e-9;  // residual norms over the largest eigenvalue, for vectors
    Index block = 0;                 // vectors per product; 0 takes the operator's preference
    Index max_basis = 0, max_products = 0;  // see LanczosOptions
};

enum class SpectrumMethod { lanczos, diagonal, full };

struct LeadingSpectrum {
    Vector values;              // the t + 1 largest eigenvalues, descending
    linalg::ColMatrix vectors;  // n x t, or empty
    Vector residuals;           // |K v - lambda v| of each value, as far as the method knows it
    double trace = 0.0;
    double sum_error = 0.0;  // estimated error of the sum of the values
    double smallest = 0.0;   // an upper bound of the smallest eigenvalue
    Index products = 0;      // vectors multiplied
    bool converged = false;
    SpectrumMethod method = SpectrumMethod::lanczos;
};

// Throws std::invalid_argument unless a matrix of order n has count + 1 eigenvalues.
void check_count(Index count, Index n);

// The largest eigenvalues of a symmetric positive semidefinite matrix seen through its products.
// `warm` may hold approximate eigenvectors, such as those of a neighbouring kernel.
LeadingSpectrum leading_spectrum(const SymmetricOperator& k, const SpectrumOptions& options,
                                 Control& control, const linalg::ColMatrix& warm = {});

// The same for a stored matrix. A matrix that is diagonal to rounding is recognised by Gershgorin's
// circles; a small one, or a large share of the spectrum, is decomposed in full.
LeadingSpectrum leading_spectrum(ConstMatrixRef k, const SpectrumOptions& options, Control& control,
                                 const linalg::ColMatrix& warm = {});

struct FullSpectrum {
    Vector values;              // descending
    linalg::ColMatrix vectors;  // n x n, or empty
};

FullSpectrum full_spectrum(ConstMatrixRef k, bool vectors, const Team& team = {});

// <y_c, v_i>^2 for every eigenvector (row) and column of y: how much of a target each one carries.
Matrix label_energies(ConstMatrixRef vectors, ConstMatrixRef y);

}  // namespace kernelect
