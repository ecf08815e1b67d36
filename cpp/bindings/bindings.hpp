#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "kernelect/base/control.hpp"

// Bindings translate: arrays in, a call with the GIL released, arrays out. Arguments are not
// converted here; the Python layer hands over C-contiguous float64 and this layer refuses the rest.
// They are compiled once and linked to the core of every level, so nothing is computed in them.
namespace kernelect::python {

// What the Python layer passes for progress: None, or a callable that takes the fraction done.
// Signals are looked at on every tick, so Ctrl-C is heard while the GIL is released.
Control::Tick make_tick(const py::object& progress);

void bind_gradients(py::module_& m);
void bind_kernels(py::module_& m);
void bind_landmarks(py::module_& m);
void bind_ranges(py::module_& m);
void bind_ridge(py::module_& m);
void bind_scoring(py::module_& m);
void bind_spectrum(py::module_& m);

}  // namespace kernelect::python
