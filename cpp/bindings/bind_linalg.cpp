#include "bindings.hpp"
#include "kernelect/linalg.hpp"
#include "scipy_lapack.hpp"

namespace kernelect::python {

void bind_linalg(py::module_& m) {
    m.def("use_scipy_lapack", [] { linalg::use(scipy_lapack()); }, "Take LAPACK from SciPy.");
    m.def("use_eigen", [] { linalg::use({}); }, "Factorise with Eigen alone.");
    m.def("has_lapack", &linalg::has_lapack, "Whether a LAPACK is in use.");
}

}  // namespace kernelect::python
