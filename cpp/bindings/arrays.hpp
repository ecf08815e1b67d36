#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "kernelect/base/types.hpp"

// NumPy arrays as the core's matrices and back. pybind11/eigen.h does the same and more, at nine
// seconds of compilation in every file that includes it.
namespace kernelect::python {

namespace py = pybind11;

// Declared with py::arg().noconvert(), so that an array of another type is refused, not copied.
using Array = py::array_t<double, 0>;

// Whole numbers: of rows, folds and landmarks. They are copied where they are of another type, have
// gaps or begin anywhere.
using Numbers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast |
                                              py::detail::npy_api::NPY_ARRAY_ALIGNED_>;

// An array cut out of bytes may begin anywhere.
template <class Number, int kFlags>
bool is_aligned(const py::array_t<Number, kFlags>& array) {
    return array.size() == 0 ||
           reinterpret_cast<std::uintptr_t>(array.data()) % alignof(Number) == 0;
}

// The caller's memory, with rows that may be apart but have no gaps in them. One row that NumPy
// repeats by a stride of zero is refused: Eigen takes that for rows side by side.
inline ConstMatrixRef to_matrix(const Array& array, const char* name) {
    constexpr py::ssize_t kSize = sizeof(double);
    // Without an entry the strides say nothing: NumPy gives any.
    const bool ours =
        array.ndim() == 2 && is_aligned(array) &&
        (array.size() == 0 ||
         ((array.shape(1) <= 1 || array.strides(1) == kSize) &&
          (array.shape(0) <= 1 || (array.strides(0) > 0 && array.strides(0) % kSize == 0))));
    if (!ours) throw py::type_error(std::string(name) + " must be a C-contiguous float64 matrix");
    const Index stride = array.shape(0) > 1 ? array.strides(0) / kSize : array.shape(1);
    return Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(
        array.data(), array.shape(0), array.shape(1), Eigen::OuterStride<>(stride));
}

inline ConstVectorRef to_vector(const Array& array, const char* name) {
    if (array.ndim() != 1 || !is_aligned(array) ||
        (array.size() > 1 && array.strides(0) != sizeof(double)))
        throw py::type_error(std::string(name) + " must be a contiguous float64 vector");
    return Eigen::Map<const Vector>(array.data(), array.size());
}

// Arrays that own what the core made, without a copy.
template <class Made>
Array to_array(Made made, std::vector<py::ssize_t> shape) {
    auto kept = std::make_unique<Made>(std::move(made));
    double* const data = kept->data();
    const py::capsule owner(kept.get(), [](void* p) { delete static_cast<Made*>(p); });
    kept.release();
    return Array(std::move(shape), data, owner);
}
inline Array to_array(Matrix made) {
    const Index rows = made.rows(), cols = made.cols();
    return to_array<Matrix>(std::move(made), {rows, cols});
}
inline Array to_array(Vector made) {
    const Index size = made.size();
    return to_array<Vector>(std::move(made), {size});
}

}  // namespace kernelect::python
