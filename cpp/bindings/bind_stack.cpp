#include "bindings.hpp"
#include "convert.hpp"
#include "kernelect/tiles/kernel_stack.hpp"

namespace kernelect::python {

void bind_stack(py::module_& m) {
    py::class_<KernelStack>(m, "KernelStack",
                            "The matrices of many kernels on one sample without classes.")
        .def(py::init([](const Sample& sample, const std::vector<ProgramTuples>& programs,
                         double memory, int threads, const py::object& progress) {
                 std::vector<Program> kernels;
                 for (const ProgramTuples& p : programs) kernels.push_back(to_program(p));
                 Control control(threads, make_tick(progress));
                 const py::gil_scoped_release nogil;
                 return std::make_unique<KernelStack>(sample, kernels, memory, control);
             }),
             py::arg("sample"), py::arg("programs"), py::kw_only(), py::arg("memory"),
             py::arg("threads"), py::arg("progress"), py::keep_alive<1, 2>())
        .def_property_readonly("size", &KernelStack::size)
        .def_property_readonly("rows", &KernelStack::rows)
        .def_property_readonly("stored", &KernelStack::stored)
        .def(
            "combine",
            [](const KernelStack& stack, const ConstVectorRef& weights, int threads) {
                py::array_t<double> out({stack.rows(), stack.rows()});
                Eigen::Map<Matrix> view(out.mutable_data(), stack.rows(), stack.rows());
                Control control(threads, make_tick(py::none()));
                {
                    const py::gil_scoped_release nogil;
                    stack.combine(weights, view, control);
                }
                return out;
            },
            py::arg("weights").noconvert(), py::kw_only(), py::arg("threads"),
            "The weighted sum of the kernels.")
        .def(
            "products",
            [](const KernelStack& stack, const ConstMatrixRef& vectors, int threads) {
                Control control(threads, make_tick(py::none()));
                Matrix result;
                {
                    const py::gil_scoped_release nogil;
                    result = stack.products(vectors, control);
                }
                return py::array(py::cast(std::move(result)))
                    .reshape({stack.size(), vectors.rows(), vectors.cols()});
            },
            py::arg("vectors").noconvert(), py::kw_only(), py::arg("threads"),
            "Every kernel times every vector, kernels x vectors x n.")
        .def(
            "inner",
            [](const KernelStack& stack, const ConstMatrixRef& g, int threads) {
                Control control(threads, make_tick(py::none()));
                const py::gil_scoped_release nogil;
                return stack.inner(g, control);
            },
            py::arg("g").noconvert(), py::kw_only(), py::arg("threads"),
            "Inner products of a symmetric matrix with every kernel.")
        .def(
            "centred_products",
            [](const KernelStack& stack, int threads) {
                Control control(threads, make_tick(py::none()));
                const py::gil_scoped_release nogil;
                return stack.centred_products(control);
            },
            py::kw_only(), py::arg("threads"), "Inner products of all pairs of centred kernels.");
}

}  // namespace kernelect::python
