#include <stdexcept>

#include "bindings.hpp"
#include "convert.hpp"
#include "kernelect/tiles/gram.hpp"
#include "kernelect/tiles/kernel_stack.hpp"
#include "kernelect/tiles/operations.hpp"

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

std::vector<Program> to_programs(const std::vector<ProgramTuples>& tuples) {
    std::vector<Program> programs;
    for (const ProgramTuples& t : tuples) programs.push_back(to_program(t));
    return programs;
}

Target to_target(const Sample& sample, const Array& targets, Vector means) {
    const ConstMatrixRef rows = to_matrix(targets, "targets");
    Target target{Matrix(rows.rows(), rows.cols()), std::move(means)};
    for (Index p = 0; p < rows.rows(); ++p)
        target.centred.row(p) = sample.sorted(rows.row(p).transpose()).transpose();
    return target;
}

namespace {

void bind_sample(py::module_& m) {
    using Values = py::array_t<double, py::array::c_style>;
    using Columns = py::array_t<std::int32_t, py::array::c_style>;
    using Starts = py::array_t<std::int64_t, py::array::c_style>;

    py::class_<Sample>(m, "Sample", "Rows in the order of the computation, sorted by class.")
        .def(py::init<const std::vector<int>&, int>(), py::arg("groups"), py::arg("classes"))
        .def(
            "add_dense",
            [](Sample& sample, const Array& x, const Sample* like) {
                const ConstMatrixRef rows = to_matrix(x, "x");
                const py::gil_scoped_release nogil;
                sample.add_dense(rows, like);
            },
            py::arg("x").noconvert(), py::arg("like").none(true) = py::none(),
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
        .def(
            "add_matrix",
            [](Sample& sample, const Array& k) { sample.add_matrix(to_matrix(k, "k")); },
            py::arg("k").noconvert(), py::keep_alive<1, 2>(),
            "Add a stored kernel matrix, which is referred to, not copied.")
        .def_property_readonly("size", &Sample::size);
}

void bind_gram(py::module_& m) {
    m.def(
        "kernel_operations",
        [] {
            py::dict unit_diagonal;  // by the name of every leaf
            for (const Operation& entry : operations())
                if (entry.is_leaf()) unit_diagonal[entry.name] = entry.has_unit_diagonal();
            return unit_diagonal;
        },
        "Every kernel that programs can name, and whether it is one on the diagonal.");
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
        "sample_gram",
        [](const Sample& sample, const ProgramTuples& tuples, int threads) {
            const Program program = to_program(tuples);
            Control control(threads, make_tick(py::none()));
            Matrix k(sample.size(), sample.size());
            {
                const py::gil_scoped_release nogil;
                gram(program, sample.sources(), sample.blocks(), sample.sources(), sample.blocks(),
                     k, control);
            }
            return to_array(std::move(k));
        },
        py::arg("sample"), py::arg("program"), py::kw_only(), py::arg("threads"),
        "The kernel matrix in the sample's own order.");
    m.def(
        "diagonal",
        [](const ProgramTuples& program, const Sample& sample) {
            const Program p = to_program(program);
            check_program(p, sample.sources().size());
            return to_array(diagonal(p, sample.sources(), sample.size()));
        },
        py::arg("program"), py::arg("sample"), "k(x, x) for a sample without classes.");
}

void bind_stack(py::module_& m) {
    py::class_<KernelStack>(m, "KernelStack",
                            "The matrices of many kernels on one sample without classes.")
        .def(py::init([](const Sample& sample, const std::vector<ProgramTuples>& programs,
                         double memory, int threads, const py::object& progress) {
                 const std::vector<Program> kernels = to_programs(programs);
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
            [](const KernelStack& stack, const Array& weights, int threads) {
                const ConstVectorRef w = to_vector(weights, "weights");
                py::array_t<double> out({stack.rows(), stack.rows()});
                Eigen::Map<Matrix> view(out.mutable_data(), stack.rows(), stack.rows());
                Control control(threads, make_tick(py::none()));
                {
                    const py::gil_scoped_release nogil;
                    stack.combine(w, view, control);
                }
                return out;
            },
            py::arg("weights").noconvert(), py::kw_only(), py::arg("threads"),
            "The weighted sum of the kernels.")
        .def(
            "products",
            [](const KernelStack& stack, const Array& vectors, int threads) {
                const ConstMatrixRef rows = to_matrix(vectors, "vectors");
                Control control(threads, make_tick(py::none()));
                Matrix result;
                {
                    const py::gil_scoped_release nogil;
                    result = stack.products(rows, control);
                }
                return to_array<Matrix>(std::move(result),
                                        {stack.size(), rows.rows(), rows.cols()});
            },
            py::arg("vectors").noconvert(), py::kw_only(), py::arg("threads"),
            "Every kernel times every vector, kernels x vectors x n.")
        .def(
            "inner",
            [](const KernelStack& stack, const Array& g, int threads) {
                const ConstMatrixRef matrix = to_matrix(g, "g");
                Control control(threads, make_tick(py::none()));
                Vector result;
                {
                    const py::gil_scoped_release nogil;
                    result = stack.inner(matrix, control);
                }
                return to_array(std::move(result));
            },
            py::arg("g").noconvert(), py::kw_only(), py::arg("threads"),
            "Inner products of a symmetric matrix with every kernel.")
        .def(
            "centred_products",
            [](const KernelStack& stack, int threads) {
                Control control(threads, make_tick(py::none()));
                Matrix result;
                {
                    const py::gil_scoped_release nogil;
                    result = stack.centred_products(control);
                }
                return to_array(std::move(result));
            },
            py::kw_only(), py::arg("threads"), "Inner products of all pairs of centred kernels.");
}

}  // namespace

void bind_kernels(py::module_& m) {
    bind_sample(m);
    bind_gram(m);
    bind_stack(m);
}

}  // namespace kernelect::python
