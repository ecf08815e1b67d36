#pragma once

#include <pybind11/eigen.h>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "kernelect/base/control.hpp"
#include "kernelect/spectrum/quadrature.hpp"

// Bindings only translate: arrays in, a call with the GIL released, arrays out. Arguments are not
// converted here; the Python layer hands over C-contiguous float64 and this layer refuses the rest.
namespace kernelect::python {

namespace py = pybind11;

// What the Python layer passes for progress: None, or a callable that takes the fraction done.
// Signals are looked at on every tick, so Ctrl-C is heard while the GIL is released.
inline Control::Tick make_tick(const py::object& progress) {
    return [progress](double fraction) {
        const py::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (!progress.is_none()) progress(fraction);
        return true;
    };
}

void bind_kernels(py::module_& m);
void bind_kernel_ridge(py::module_& m);
void bind_kernel_spectrum(py::module_& m);
void bind_linalg(py::module_& m);
void bind_ranges(py::module_& m);
void bind_ridge(py::module_& m);
void bind_scoring(py::module_& m);
// Values, error bounds, steps and convergence, each an array over the start vectors.
py::tuple to_arrays(const std::vector<HingeForm>& forms);

void bind_spectrum(py::module_& m);
void bind_stack(py::module_& m);
void bind_tables(py::module_& m);

}  // namespace kernelect::python
