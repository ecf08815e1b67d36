#include <stdexcept>

#include "bindings.hpp"
#include "convert.hpp"
#include "kernelect/tiles/gram.hpp"
#include "kernelect/tiles/operations.hpp"
#include "kernelect/tiles/sample.hpp"

namespace kernelect::python {

Program to_program(const ProgramTuples& tuples) {
    Program program;
    for (const auto& [name, a, b, count, source] : tuples) {
        const Operation* known = find_operation(name);
        if (known == nullptr) throw std::invalid_argument("unknown kernel operation " + name);
        program.push_back({known->op, a, b, count, source});
    }
    return program;
}

void bind_kernels(py::module_& m) {
    using Values = py::array_t<double, py::array::c_style>;
    using Columns = py::array_t<std::int32_t, py::array::c_style>;
    using Starts = py::array_t<std::int64_t, py::array::c_style>;

    py::class_<Sample>(m, "Sample", "Rows in the order of the computation, sorted by class.")
        .def(py::init<const std::vector<int>&, int>(), py::arg("groups"), py::arg("classes"))
        .def("add_dense", &Sample::add_dense, py::arg("x").noconvert(),
             py::arg("like").none(true) = py::none(), py::call_guard<py::gil_scoped_release>(),
             "Add a table of feature vectors, with the centre of another sample's.")
        .def(
            "add_sparse",
            [](Sample& sample, const Values& values, const Columns& columns, const Starts& starts,
               Index features) {
                sample.add_sparse(
                    {values.data(), columns.data(), starts.data(), starts.size() - 1, features});
            },
            py::arg("values").noconvert(), py::arg("columns").noconvert(),
            py::arg("starts").noconvert(), py::arg("features"),
            "Add a table of compressed sparse rows with sorted indices.")
        .def("add_matrix", &Sample::add_matrix, py::arg("k").noconvert(), py::keep_alive<1, 2>(),
             "Add a stored kernel matrix, which is referred to, not copied.")
        .def_property_readonly("size", &Sample::size);

    m.def(
        "gram",
        [](const ProgramTuples& program, const Sample& left, const Sample* right, int threads,
           const py::object& progress) {
            const Sample& other = right == nullptr ? left : *right;
            py::array_t<double> out({left.size(), other.size()});
            Eigen::Map<Matrix> view(out.mutable_data(), left.size(), other.size());
            Control control(threads, make_tick(progress));
            {
                const py::gil_scoped_release nogil;
                gram(to_program(program), left.sources(), left.blocks(), other.sources(),
                     other.blocks(), view, control);
            }
            return out;
        },
        py::arg("program"), py::arg("left"), py::arg("right").none(true), py::kw_only(),
        py::arg("threads"), py::arg("progress"),
        "Kernel matrix between two samples without classes, or of one with itself.");

    m.def(
        "diagonal",
        [](const ProgramTuples& program, const Sample& sample) {
            const Program p = to_program(program);
            check_program(p, sample.sources().size());
            return diagonal(p, sample.sources(), sample.size());
        },
        py::arg("program"), py::arg("sample"), "k(x, x) for a sample without classes.");
}

}  // namespace kernelect::python
