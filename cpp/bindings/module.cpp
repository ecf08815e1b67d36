#include <cstdio>

#include "checks.hpp"
#include "kernelect/base/build.hpp"
#include "scipy_lapack.hpp"

namespace kernelect::python {

Control::Tick make_tick(const py::object& progress) {
    if (!progress.is_none() && PyCallable_Check(progress.ptr()) == 0)
        throw py::type_error("progress must be None or a function of the fraction done");
    return [progress](double fraction) {
        const py::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (!progress.is_none()) progress(fraction);
        return true;
    };
}

void out_of_memory(double bytes) {
    char size[32] = "";
    if (bytes >= 1e6) std::snprintf(size, sizeof size, ", about %.1f GB", 1e-9 * bytes);
    throw OutOfMemory(std::string("there is not enough memory for what this call asks for") + size +
                      "; take fewer rows, fewer threads or a criterion of O(n^2), which stores no "
                      "kernel matrix");
}

namespace {

void translate_memory_errors() {
    py::register_local_exception_translator([](std::exception_ptr error) {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const OutOfMemory& reason) {
            PyErr_SetString(PyExc_MemoryError, reason.what());
        } catch (const std::bad_alloc&) {  // of arguments and results
            PyErr_SetString(PyExc_MemoryError,
                            "there is not enough memory for the arguments and results of this "
                            "call; take fewer rows or candidates");
        }
    });
}

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
    m.def(
        "take_blas_work_spaces",
        [](int threads) { blas::take_work_spaces(checked_threads(threads)); }, py::kw_only(),
        py::arg("threads"), py::call_guard<py::gil_scoped_release>(),
        "Let BLAS take the memory that this many threads need.");
    m.def("has_lapack", &linalg::has_lapack, "Whether a LAPACK is in use.");
}

// Objects that never saw their constructor, as of Sample.__new__(Sample), have no value, and
// pybind11 would hand out memory that nobody has written to in its place.
void refuse_unmade_objects(const py::module_& m) {
    for (const auto& item : m.attr("__dict__").cast<py::dict>()) {
        if (!py::isinstance<py::type>(item.second)) continue;
        auto* type = reinterpret_cast<PyTypeObject*>(item.second.ptr());
        if (py::detail::type_info* known = py::detail::get_type_info(type))
            known->operator_new = [](std::size_t) -> void* {
                throw py::type_error(
                    "an object of the core was made without its constructor; call its class");
            };
    }
}

void bind(py::module_& m) {
    m.doc() =
        "Compiled core of kernelect. Private: the public functions are in the Python modules.";
    translate_memory_errors();
    // What is wrong with one kernel matrix; other candidates are none the worse for it.
    py::register_local_exception<std::domain_error>(m, "Undefined", PyExc_ValueError);
    bind_gradients(m);
    bind_kernels(m);
    bind_landmarks(m);
    bind_linalg(m);
    bind_ranges(m);
    bind_ridge(m);
    bind_scoring(m);
    bind_spectrum(m);
    refuse_unmade_objects(m);
    m.attr("level") = build::level();
    m.attr("version") = build::version();
    m.attr("simd") = build::simd();
}

}  // namespace
}  // namespace kernelect::python

// Python calls the one that is named after the file it loads.
PYBIND11_MODULE(_core, m, pybind11::mod_gil_not_used()) { kernelect::python::bind(m); }
PYBIND11_MODULE(_core_v3, m, pybind11::mod_gil_not_used()) { kernelect::python::bind(m); }
