#include "scipy_lapack.hpp"

#include <stdexcept>
#include <string>

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
Function routine(PyObject* functions, const char* name, const std::string& expected) {
    PyObject* const capsule = PyDict_GetItemString(functions, name);  // borrowed
    if (capsule == nullptr || !PyCapsule_CheckExact(capsule))
        throw std::runtime_error(std::string("SciPy exports no ") + name);
    const char* const signature = PyCapsule_GetName(capsule);
    const std::string got = plain(signature == nullptr ? "" : signature);
    if (got != expected)
        throw std::runtime_error(std::string("SciPy's ") + name + " is '" + got + "', not '" +
                                 expected + "'");
    return reinterpret_cast<Function>(PyCapsule_GetPointer(capsule, signature));
}

}  // namespace

linalg::Lapack scipy_lapack(PyObject* functions) {
    linalg::Lapack lapack;
    lapack.potrf = routine<linalg::Lapack::Potrf>(functions, "dpotrf",
                                                  "void (char *, int *, double *, int *, int *)");
    lapack.trtri = routine<linalg::Lapack::Trtri>(
        functions, "dtrtri", "void (char *, char *, int *, double *, int *, int *)");
    lapack.syevd = routine<linalg::Lapack::Syevd>(
        functions, "dsyevd",
        "void (char *, char *, int *, double *, int *, double *, double *, int *, int *, int *, "
        "int *)");
    return lapack;
}

blas::Table scipy_blas(PyObject* functions) {
    blas::Table blas;
    blas.gemm = routine<blas::Table::Gemm>(
        functions, "dgemm",
        "void (char *, char *, int *, int *, int *, double *, double *, int *, double *, int *, "
        "double *, double *, int *)");
    blas.syrk = routine<blas::Table::Syrk>(functions, "dsyrk",
                                           "void (char *, char *, int *, int *, double *, double "
                                           "*, int *, double *, double *, int *)");
    blas.symm = routine<blas::Table::Symm>(
        functions, "dsymm",
        "void (char *, char *, int *, int *, double *, double *, int *, double *, int *, double *, "
        "double *, int *)");
    constexpr const char* kTriangular =
        "void (char *, char *, char *, char *, int *, int *, double *, double *, int *, double *, "
        "int *)";
    blas.trmm = routine<blas::Table::Trmm>(functions, "dtrmm", kTriangular);
    blas.trsm = routine<blas::Table::Trmm>(functions, "dtrsm", kTriangular);
    return blas;
}

}  // namespace kernelect::python
