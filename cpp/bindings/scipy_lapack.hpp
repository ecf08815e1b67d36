#pragma once

#include <Python.h>

#include "kernelect/linalg/blas.hpp"
#include "kernelect/linalg/linalg.hpp"

namespace kernelect::python {

// The LAPACK that SciPy was built with, from scipy.linalg.cython_lapack.__pyx_capi__: the library
// (and thread pool) that the user's SciPy has loaded already, with nothing linked or bundled.
// Throws std::runtime_error if a routine is missing or is not the 32-bit-integer one.
linalg::Lapack scipy_lapack(PyObject* functions);

// The BLAS beside it, from scipy.linalg.cython_blas.__pyx_capi__.
blas::Table scipy_blas(PyObject* functions);

}  // namespace kernelect::python
