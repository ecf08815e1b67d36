#include <stdexcept>
#include <string>

#include "bindings.hpp"
#include "kernelect/linalg/blas.hpp"
#include "kernelect/linalg/linalg.hpp"

namespace kernelect::python {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// A signature with Cython's own names of double, such as __pyx_t_5scipy_6linalg_11cython_blas_d,
// written out.
std::string plain(const std::string& signature) {
    constexpr const char* kWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    std::string out;
    for (std::size_t at = 0; at < signature.size();) {
        const std::size_t word = signature.find_first_not_of(kWord, at);
        const std::size_t end = word == std::string::npos ? signature.size() : word;
        const std::string name = signature.substr(at, end - at);
        const bool real = name.rfind("__pyx_t_", 0) == 0 &&
                          (ends_with(name, "cython_lapack_d") || ends_with(name, "cython_blas_d"));
        out += real ? "double" : name;
        at = end;
        if (at < signature.size()) out += signature[at++];
    }
    return out;
}

// Cython names a capsule by the C signature it holds, so a SciPy built with 64-bit LAPACK integers
// says int64_t where int is expected, and is refused here.
template <class Function>
Function routine(const py::dict& capi, const char* name, const std::string& expected) {
    if (!capi.contains(name)) throw std::runtime_error(std::string("SciPy exports no ") + name);
    const auto capsule = py::reinterpret_borrow<py::capsule>(capi[name]);
    const char* signature = capsule.name();
    const std::string got = plain(signature);
    if (got != expected)
        throw std::runtime_error(std::string("SciPy's ") + name + " is '" + got + "', not '" +
                                 expected + "'");
    return reinterpret_cast<Function>(PyCapsule_GetPointer(capsule.ptr(), signature));
}

// The LAPACK that SciPy was built with, by the capsules of scipy.linalg.cython_lapack: the library
// (and thread pool) that the user's SciPy has loaded already, with nothing linked or bundled.
// Throws std::runtime_error if a routine is missing or is not the 32-bit-integer one.
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

// The BLAS beside it, by scipy.linalg.cython_blas.
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

}  // namespace

void bind_linalg(py::module_& m) {
    m.def(
        "use_scipy_lapack",
        [] {
            const linalg::Lapack lapack = scipy_lapack();
            blas::use(scipy_blas());
            linalg::use(lapack);
        },
        "Take LAPACK and BLAS from SciPy.");
    m.def(
        "use_eigen",
        [] {
            linalg::use({});
            blas::use({});
        },
        "Factorise and multiply with Eigen alone.");
    m.def("has_lapack", &linalg::has_lapack, "Whether a LAPACK is in use.");
}

}  // namespace kernelect::python
