#include "scipy_lapack.hpp"

#include <pybind11/pybind11.h>

#include <regex>
#include <stdexcept>
#include <string>

namespace kernelect::python {
namespace {

namespace py = pybind11;

// Cython names a capsule by the C signature it holds, so a SciPy built with 64-bit LAPACK integers
// says int64_t where int is expected, and is refused here.
template <class Function>
Function routine(const py::dict& capi, const char* name, const std::string& expected) {
    if (!capi.contains(name)) throw std::runtime_error(std::string("SciPy exports no ") + name);
    const auto capsule = py::reinterpret_borrow<py::capsule>(capi[name]);
    const char* signature = capsule.name();
    static const std::regex real_pointer("(__pyx_t_\\w*cython_(?:lapack|blas)_d|double) \\*");
    const std::string got = std::regex_replace(signature, real_pointer, "double *");
    if (got != expected)
        throw std::runtime_error(std::string("SciPy's ") + name + " is '" + got + "', not '" +
                                 expected + "'");
    return reinterpret_cast<Function>(PyCapsule_GetPointer(capsule.ptr(), signature));
}

}  // namespace

linalg::Lapack scipy_lapack() {
    const auto module = py::module_::import("scipy.linalg.cython_lapack");
    const py::dict capi = module.attr("__pyx_capi__");
    linalg::Lapack lapack;
    lapack.potrf = routine<linalg::Lapack::Potrf>(capi, "dpotrf",
                                                  "void (char *, int *, double *, int *, int *)");
    lapack.trtri = routine<linalg::Lapack::Trtri>(
        capi, "dtrtri", "void (char *, char *, int *, double *, int *, int *)");
    lapack.syevd = routine<linalg::Lapack::Syevd>(
        capi, "dsyevd",
        "void (char *, char *, int *, double *, int *, double *, double *, int *, int *, int *, "
        "int *)");
    return lapack;
}

blas::Table scipy_blas() {
    const auto module = py::module_::import("scipy.linalg.cython_blas");
    const py::dict capi = module.attr("__pyx_capi__");
    blas::Table blas;
    blas.gemm = routine<blas::Table::Gemm>(
        capi, "dgemm",
        "void (char *, char *, int *, int *, int *, double *, double *, int *, double *, int *, "
        "double *, double *, int *)");
    blas.syrk = routine<blas::Table::Syrk>(capi, "dsyrk",
                                           "void (char *, char *, int *, int *, double *, double "
                                           "*, int *, double *, double *, int *)");
    blas.symm = routine<blas::Table::Symm>(
        capi, "dsymm",
        "void (char *, char *, int *, int *, double *, double *, int *, double *, int *, double *, "
        "double *, int *)");
    blas.trmm = routine<blas::Table::Trmm>(
        capi, "dtrmm",
        "void (char *, char *, char *, char *, int *, int *, double *, double *, int *, double *, "
        "int *)");
    return blas;
}

}  // namespace kernelect::python
