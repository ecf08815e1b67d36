#pragma once

#include "kernelect/linalg/blas.hpp"
#include "kernelect/linalg/linalg.hpp"

namespace kernelect::python {

// The LAPACK that SciPy was built with, by the capsules of scipy.linalg.cython_lapack: the library
// (and thread pool) that the user's SciPy has loaded already, with nothing linked or bundled.
// Throws std::runtime_error if a routine is missing or is not the 32-bit-integer one.
linalg::Lapack scipy_lapack();

// The BLAS beside it, by scipy.linalg.cython_blas.
blas::Table scipy_blas();

}  // namespace kernelect::python
