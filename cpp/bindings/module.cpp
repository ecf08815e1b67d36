#include "bindings.hpp"
#include "kernelect/base/build.hpp"
#include "scipy_lapack.hpp"

namespace kernelect::python {

Control::Tick make_tick(const py::object& progress) {
    return [progress](double fraction) {
        const py::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (!progress.is_none()) progress(fraction);
        return true;
    };
}

namespace {

// What a Cython module offers to C.
py::dict functions(const char* module) { return py::module_::import(module).attr("__pyx_capi__"); }

void bind_linalg(py::module_& m) {
    m.def(
        "use_scipy_lapack",
        [] {
            const linalg::Lapack lapack =
                scipy_lapack(functions("scipy.linalg.cython_lapack").ptr());
            blas::use(scipy_blas(functions("scipy.linalg.cython_blas").ptr()));
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

void bind(py::module_& m) {
    m.doc() =
        "Compiled core of kernelect. Private: the public functions are in the Python modules.";
    bind_kernels(m);
    bind_linalg(m);
    bind_ranges(m);
    bind_ridge(m);
    bind_scoring(m);
    bind_spectrum(m);
    m.attr("level") = build::level();
    m.attr("version") = build::version();
    m.attr("simd") = build::simd();
}

}  // namespace
}  // namespace kernelect::python

// Python calls the one that is named after the file it loads.
PYBIND11_MODULE(_core, m, pybind11::mod_gil_not_used()) { kernelect::python::bind(m); }
PYBIND11_MODULE(_core_v3, m, pybind11::mod_gil_not_used()) { kernelect::python::bind(m); }
