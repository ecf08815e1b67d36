#include "bindings.hpp"

PYBIND11_MODULE(KERNELECT_MODULE, m, pybind11::mod_gil_not_used()) {
    m.doc() =
        "Compiled core of kernelect. Private: the public functions are in the Python modules.";
    kernelect::python::bind_kernels(m);
    kernelect::python::bind_kernel_ridge(m);
    kernelect::python::bind_kernel_spectrum(m);
    kernelect::python::bind_linalg(m);
    kernelect::python::bind_ranges(m);
    kernelect::python::bind_ridge(m);
    kernelect::python::bind_scoring(m);
    kernelect::python::bind_spectrum(m);
    kernelect::python::bind_stack(m);
    kernelect::python::bind_tables(m);
    m.attr("level") = KERNELECT_LEVEL;
    m.attr("version") = KERNELECT_VERSION;
    m.attr("simd") = Eigen::SimdInstructionSetsInUse();
}
