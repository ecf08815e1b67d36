#include <algorithm>

#include "checks.hpp"
#include "convert.hpp"
#include "kernelect/tiles/cross_products.hpp"
#include "kernelect/tiles/gram.hpp"
#include "kernelect/tiles/kernel_stack.hpp"
#include "kernelect/tiles/operations.hpp"
#include "tables.hpp"

namespace kernelect::python {

Program to_program(const ProgramTuples& tuples, const Sample& sample) {
    Program program;
    for (const auto& [name, a, b, count, source] : tuples) {
        const Operation* known = find_operation(name);
        if (known == nullptr) refuse("unknown kernel operation " + name);
        program.push_back({known->op, a, b, count, source});
    }
    check_program(program, sample.sources().size());
    return program;
}

std::vector<Program> to_programs(const std::vector<ProgramTuples>& tuples, const Sample& sample) {
    std::vector<Program> programs;
    for (const ProgramTuples& t : tuples) programs.push_back(to_program(t, sample));
    return programs;
}

Target to_target(const Sample& sample, const Array& targets, Vector means) {
    const ConstMatrixRef rows = to_matrix(targets, "targets");
    check_size(rows.cols(), sample.size(), "a row of targets");
    check_size(means.size(), rows.rows(), "means");
    if (!rows.allFinite() || !means.allFinite()) refuse("targets and their means must be finite");
    Target target{Matrix(rows.rows(), rows.cols()), std::move(means)};
    for (Index p = 0; p < rows.rows(); ++p)
        target.centred.row(p) = sample.sorted(rows.row(p).transpose()).transpose();
    return target;
}

void check_alike(const Sample& left, const Sample& right) {
    check_size(static_cast<Index>(right.sources().size()),
               static_cast<Index>(left.sources().size()), "the list of tables of the right sample");
    for (const Rows& rows : left.sources())
        if (rows.stored() && left.size() != right.size())
            refuse("a stored matrix has no entries between two samples");
}

namespace {

void bind_sample(py::module_& m) {
    py::class_<Sample>(m, "Sample", "Rows in the order of the computation, sorted by class.")
        .def(py::init([](const std::vector<int>& groups, int classes) {
                 if (groups.empty()) refuse("a sample needs at least one row");
                 checked_range(classes, 1, static_cast<Index>(groups.size()), "classes");
                 return std::make_unique<Sample>(groups, classes);
             }),
             py::arg("groups"), py::arg("classes"))
        .def(
            "add_dense",
            [](Sample& sample, const Array& x, const Sample* like) {
                const ConstMatrixRef rows = to_matrix(x, "x");
                run(2.0 * static_cast<double>(x.nbytes()), [&] { sample.add_dense(rows, like); });
            },
            py::arg("x").noconvert(), py::arg("like").none(true) = py::none(),
            "Add a table of feature vectors, with the centre of another sample's.")
        .def(
            "add_sparse",
            [](Sample& sample, const Values& values, const Columns& columns, const Starts& starts,
               Index features) { sample.add_sparse(to_sparse(values, columns, starts, features)); },
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
            check_alike(left, other);
            const Program kernel = to_program(program, left);
            Control control(checked_threads(threads), make_tick(progress));
            Matrix k = run(8.0 * static_cast<double>(left.size() * other.size()), [&] {
                Matrix made(left.size(), other.size());
                gram(kernel, left.sources(), left.blocks(), other.sources(), other.blocks(), made,
                     control);
                return made;
            });
            return to_array(std::move(k));
        },
        py::arg("program"), py::arg("left"), py::arg("right").none(true), py::kw_only(),
        py::arg("threads"), py::arg("progress"),
        "Kernel matrix between two samples without classes, or of one with itself.");

    m.def(
        "cross_products",
        [](const std::vector<ProgramTuples>& tuples, const Sample& sample, const Sample& others,
           const std::vector<Array>& vectors, int threads) {
            without_classes(sample);
            without_classes(others);
            check_alike(sample, others);
            const std::vector<Program> programs = to_programs(tuples, sample);
            if (programs.empty()) refuse("a sum of products needs at least one kernel");
            check_size(static_cast<Index>(vectors.size()), static_cast<Index>(programs.size()),
                       "vectors");
            std::vector<ConstMatrixRef> rows;
            for (const Array& v : vectors) rows.push_back(to_matrix(v, "vectors"));
            for (const ConstMatrixRef& v : rows) {
                check_size(v.cols(), sample.size(), "a row of vectors");
                check_size(v.rows(), rows.front().rows(), "a column of vectors");
            }
            Control control(checked_threads(threads), make_tick(py::none()));
            const double bytes = 8.0 * static_cast<double>(rows.front().rows()) *
                                 static_cast<double>(others.size() + sample.size());
            Matrix sums = run(bytes, [&] {
                const KernelSet set(sample, others, programs);
                return cross_products(set, rows, control);
            });
            return to_array(std::move(sums));
        },
        py::arg("programs"), py::arg("sample"), py::arg("others"), py::arg("vectors").noconvert(),
        py::kw_only(), py::arg("threads"),
        "Sum over kernels of the kernel between other rows and a sample's times vectors of its "
        "own, columns x sample.");

    m.def(
        "sample_gram",
        [](const Sample& sample, const ProgramTuples& tuples, int threads,
           const py::object& progress) {
            const Program program = to_program(tuples, sample);
            Control control(checked_threads(threads), make_tick(progress));
            Matrix k = run(matrices(1.0, sample.size()), [&] {
                Matrix made(sample.size(), sample.size());
                gram(program, sample.sources(), sample.blocks(), sample.sources(), sample.blocks(),
                     made, control);
                return made;
            });
            return to_array(std::move(k));
        },
        py::arg("sample"), py::arg("program"), py::kw_only(), py::arg("threads"),
        py::arg("progress"), "The kernel matrix in the sample's own order.");
    m.def(
        "diagonal",
        [](const ProgramTuples& program, const Sample& sample) {
            return to_array(diagonal(to_program(program, sample), sample.sources(), sample.size()));
        },
        py::arg("program"), py::arg("sample"), "k(x, x) for a sample without classes.");
}

void bind_stack(py::module_& m) {
    py::class_<KernelStack>(m, "KernelStack",
                            "The matrices of many kernels on one sample without classes.")
        .def(py::init([](const Sample& sample, const std::vector<ProgramTuples>& programs,
                         double memory, int threads, const py::object& progress) {
                 const std::vector<Program> kernels = to_programs(programs, sample);
                 if (kernels.empty()) refuse("a stack needs at least one kernel");
                 checked_memory(memory);
                 Control control(checked_threads(threads), make_tick(progress));
                 const double all = matrices(static_cast<double>(kernels.size()), sample.size());
                 return run(std::min(memory, all), [&] {
                     return std::make_unique<KernelStack>(sample, kernels, memory, control);
                 });
             }),
             py::arg("sample"), py::arg("programs"), py::kw_only(), py::arg("memory"),
             py::arg("threads"), py::arg("progress"), py::keep_alive<1, 2>())
        .def_property_readonly("size", &KernelStack::size)
        .def_property_readonly("rows", &KernelStack::rows)
        .def_property_readonly("stored", &KernelStack::stored)
        .def(
            "combine",
            [](const KernelStack& stack, const Array& weights, int threads,
               const py::object& progress) {
                const ConstVectorRef w = to_vector(weights, "weights");
                check_size(w.size(), stack.size(), "weights");
                Control control(checked_threads(threads), make_tick(progress));
                Matrix sum = run(matrices(1.0, stack.rows()), [&] {
                    Matrix made(stack.rows(), stack.rows());
                    stack.combine(w, made, control);
                    return made;
                });
                return to_array(std::move(sum));
            },
            py::arg("weights").noconvert(), py::kw_only(), py::arg("threads"), py::arg("progress"),
            "The weighted sum of the kernels.")
        .def(
            "products",
            [](const KernelStack& stack, const Array& vectors, int threads,
               const py::object& progress) {
                const ConstMatrixRef rows = to_matrix(vectors, "vectors");
                Control control(checked_threads(threads), make_tick(progress));
                Matrix result =
                    run(static_cast<double>(stack.size()) * static_cast<double>(vectors.nbytes()),
                        [&] { return stack.products(rows, control); });
                return to_array<Matrix>(std::move(result),
                                        {stack.size(), rows.rows(), rows.cols()});
            },
            py::arg("vectors").noconvert(), py::kw_only(), py::arg("threads"), py::arg("progress"),
            "Every kernel times every vector, kernels x vectors x n.")
        .def(
            "inner",
            [](const KernelStack& stack, const Array& g, int threads, const py::object& progress) {
                const ConstMatrixRef matrix = to_matrix(g, "g");
                Control control(checked_threads(threads), make_tick(progress));
                return to_array(run(0.0, [&] { return stack.inner(matrix, control); }));
            },
            py::arg("g").noconvert(), py::kw_only(), py::arg("threads"), py::arg("progress"),
            "Inner products of a symmetric matrix with every kernel.")
        .def(
            "centred_products",
            [](const KernelStack& stack, int threads, const py::object& progress) {
                Control control(checked_threads(threads), make_tick(progress));
                return to_array(run(0.0, [&] { return stack.centred_products(control); }));
            },
            py::kw_only(), py::arg("threads"), py::arg("progress"),
            "Inner products of all pairs of centred kernels.");
}

}  // namespace

void bind_kernels(py::module_& m) {
    bind_sample(m);
    bind_gram(m);
    bind_stack(m);
}

}  // namespace kernelect::python
