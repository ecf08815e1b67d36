#include "bindings.hpp"
#include "kernelect/linalg/linalg.hpp"
#include "scipy_lapack.hpp"

namespace kernelect::python {

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
