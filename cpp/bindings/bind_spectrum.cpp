#include <optional>
#include <utility>
#include <vector>

#include "checks.hpp"
#include "convert.hpp"
#include "kernelect/spectrum/kernel_operator.hpp"
#include "kernelect/spectrum/kernel_spectra.hpp"
#include "kernelect/spectrum/quadrature.hpp"
#include "kernelect/spectrum/spectrum.hpp"
#include "kernelect/tiles/gram.hpp"
#include "kernelect/tiles/kernel_set.hpp"
#include "kernelect/tiles/streams.hpp"

namespace kernelect::python {
namespace {

const char* name(SpectrumMethod method) {
    switch (method) {
        case SpectrumMethod::lanczos:
            return "lanczos";
        case SpectrumMethod::diagonal:
            return "diagonal";
        case SpectrumMethod::full:
            return "full";
    }
    return "";
}

// Eigenvectors as the columns of a row-major array, or None where there are none.
py::object to_columns(const linalg::ColMatrix& vectors, bool wanted) {
    if (!wanted) return py::none();
    return to_array(Matrix(vectors));
}

py::dict leading(const Array& k, Index count, bool vectors, double tolerance,
                 double vector_tolerance, const std::optional<Array>& warm, int threads,
                 const py::object& progress) {
    const ConstMatrixRef matrix = to_matrix(k, "k");
    SpectrumOptions options;
    options.count = count;
    options.vectors = vectors;
    options.tolerance = checked_finite(tolerance, "tolerance");
    options.vector_tolerance = checked_finite(vector_tolerance, "vector_tolerance");
    linalg::ColMatrix start;
    if (warm) start = to_matrix(*warm, "warm");
    if (!start.allFinite()) refuse("warm must be finite");
    Control control(checked_threads(threads), make_tick(progress));
    LeadingSpectrum found = run(matrices(2.0, matrix.rows()),
                                [&] { return leading_spectrum(matrix, options, control, start); });
    py::dict result;
    result["values"] = to_array(std::move(found.values));
    result["vectors"] = to_columns(found.vectors, vectors);
    result["residuals"] = to_array(std::move(found.residuals));
    result["trace"] = found.trace;
    result["sum_error"] = found.sum_error;
    result["smallest"] = found.smallest;
    result["products"] = found.products;
    result["converged"] = found.converged;
    result["method"] = name(found.method);
    return result;
}

py::tuple full(const Array& k, bool vectors, const py::object& progress) {
    const ConstMatrixRef matrix = to_matrix(k, "k");
    Control control(1, make_tick(progress));
    FullSpectrum found = run(matrices(vectors ? 4.0 : 1.0, matrix.rows()), [&] {
        return full_spectrum(matrix, vectors, Team(control, 1, true));
    });
    return py::make_tuple(to_array(std::move(found.values)), to_columns(found.vectors, vectors));
}

Array energies(const Array& vectors, const Array& y) {
    const ConstMatrixRef columns = to_matrix(vectors, "vectors"), targets = to_matrix(y, "y");
    return to_array(run(0.0, [&] { return label_energies(columns, targets); }));
}

Array products(const Sample& sample, const ProgramTuples& tuples, const Array& vectors, int threads,
               const py::object& progress) {
    const Program program = to_program(tuples, without_classes(sample));
    const ConstMatrixRef rows = to_matrix(vectors, "vectors");
    check_size(rows.cols(), sample.size(), "a row of vectors");
    if (rows.rows() < 1) refuse("products need at least one vector");
    Control control(checked_threads(threads), make_tick(progress));
    return to_array(run(24.0 * static_cast<double>(rows.size()), [&] {
        const KernelSet set(sample, {program}, false, Tails::rounded);
        return std::move(stream_products(set, {rows}, control).front());
    }));
}

py::dict spectra_of_kernels(const Sample& sample, const std::vector<ProgramTuples>& tuples,
                            Index count, bool store, double tolerance, int threads,
                            const py::object& progress) {
    const std::vector<Program> programs = to_programs(tuples, sample);
    checked_finite(tolerance, "tolerance");
    Control control(checked_threads(threads), make_tick(progress));
    KernelSpectra found = run(store ? matrices(2.0, sample.size()) : 0.0, [&] {
        return kernel_spectra(sample, programs, {count, tolerance, store}, control);
    });
    py::dict result;
    result["values"] = to_array(std::move(found.values));
    result["trace"] = to_array(std::move(found.trace));
    result["smallest"] = to_array(std::move(found.smallest));
    result["converged"] = found.converged;
    return result;
}

py::list quadrature(const Sample& sample, const ProgramTuples& tuples, const Array& starts,
                    Index steps, bool store, int threads, const py::object& progress) {
    const Program program = to_program(tuples, sample);
    const ConstMatrixRef rows = to_matrix(starts, "starts");
    Control control(checked_threads(threads), make_tick(progress));
    auto rules = run(store ? matrices(1.0, sample.size()) : 0.0, [&] {
        const Matrix columns = rows.transpose();
        if (!store)
            return lanczos_quadrature(KernelOperator(sample, program), columns, steps, control);
        Matrix k(sample.size(), sample.size());
        gram(program, sample.sources(), sample.blocks(), sample.sources(), sample.blocks(), k,
             control);
        return lanczos_quadrature(StoredOperator(k), columns, steps, control);
    });
    py::list result;
    for (QuadratureRule& rule : rules)
        result.append(
            py::make_tuple(to_array(std::move(rule.nodes)), to_array(std::move(rule.weights))));
    return result;
}

// Values, error bounds, steps and convergence, each an array over the start vectors.
py::tuple to_arrays(const std::vector<HingeForm>& forms) {
    const auto size = static_cast<py::ssize_t>(forms.size());
    py::array_t<double> values(size), errors(size);
    py::array_t<Index> steps(size);
    py::array_t<bool> converged(size);
    for (py::ssize_t c = 0; c < size; ++c) {
        const HingeForm& form = forms[place(c)];
        values.mutable_at(c) = form.value;
        errors.mutable_at(c) = form.error;
        steps.mutable_at(c) = form.steps;
        converged.mutable_at(c) = form.converged;
    }
    return py::make_tuple(values, errors, steps, converged);
}

py::tuple hinge(const Array& k, const Array& starts, double threshold, double tolerance,
                Index max_steps, int threads, const py::object& progress) {
    const ConstMatrixRef matrix = to_matrix(k, "k"), columns = to_matrix(starts, "starts");
    checked_finite(threshold, "threshold");
    Control control(checked_threads(threads), make_tick(progress));
    return to_arrays(run(0.0, [&] {
        return hinge_forms(StoredOperator(matrix), columns, threshold, tolerance, max_steps,
                           control);
    }));
}

py::tuple hinge_of_kernel(const Sample& sample, const ProgramTuples& tuples, const Array& starts,
                          double threshold, double tolerance, Index max_steps, int threads,
                          const py::object& progress) {
    const Program program = to_program(tuples, sample);
    const ConstMatrixRef rows = to_matrix(starts, "starts");
    checked_finite(threshold, "threshold");
    Control control(checked_threads(threads), make_tick(progress));
    return to_arrays(run(0.0, [&] {
        const Matrix columns = rows.transpose();
        return hinge_forms(KernelOperator(sample, program), columns, threshold, tolerance,
                           max_steps, control);
    }));
}

double hinge_of_spectrum(const Array& values, const Array& energies, double threshold) {
    return hinge_sum(to_vector(values, "values"), to_vector(energies, "energies"), threshold);
}

}  // namespace

void bind_spectrum(py::module_& m) {
    m.def("leading_spectrum", &leading, py::arg("k").noconvert(), py::kw_only(), py::arg("count"),
          py::arg("vectors"), py::arg("tolerance"), py::arg("vector_tolerance"),
          py::arg("warm").noconvert(), py::arg("threads"), py::arg("progress"),
          "The count + 1 largest eigenvalues of a symmetric positive semidefinite matrix.");
    m.def("full_spectrum", &full, py::arg("k").noconvert(), py::kw_only(), py::arg("vectors"),
          py::arg("progress") = py::none(),
          "All eigenvalues, descending, and the eigenvectors if asked.");
    m.def("label_energies", &energies, py::arg("vectors").noconvert(), py::arg("y").noconvert(),
          "The squared inner product of every eigenvector with every column of y.");
    m.def("kernel_spectra", &spectra_of_kernels, py::arg("sample"), py::arg("programs"),
          py::kw_only(), py::arg("count"), py::arg("store"), py::arg("tolerance"),
          py::arg("threads"), py::arg("progress"),
          "The count + 1 largest eigenvalues and the trace of every kernel.");
    m.def("kernel_products", &products, py::arg("sample"), py::arg("program"),
          py::arg("vectors").noconvert(), py::kw_only(), py::arg("threads"), py::arg("progress"),
          "K v for every row v of vectors, without forming K.");
    m.def("kernel_quadrature", &quadrature, py::arg("sample"), py::arg("program"),
          py::arg("starts").noconvert(), py::kw_only(), py::arg("steps"), py::arg("store") = false,
          py::arg("threads"), py::arg("progress"),
          "Nodes and weights of u' phi(K) u for every row u of starts, with K stored or without.");
    m.def("hinge_forms", &hinge, py::arg("k").noconvert(), py::arg("starts").noconvert(),
          py::kw_only(), py::arg("threshold"), py::arg("tolerance"), py::arg("max_steps"),
          py::arg("threads"), py::arg("progress"),
          "The part of u'Ku above the threshold, its error bound, the steps and convergence.");
    m.def("kernel_hinge_forms", &hinge_of_kernel, py::arg("sample"), py::arg("program"),
          py::arg("starts").noconvert(), py::kw_only(), py::arg("threshold"), py::arg("tolerance"),
          py::arg("max_steps"), py::arg("threads"), py::arg("progress"),
          "The part of u'Ku above the threshold for every row u of starts, without forming K.");
    m.def("hinge_sum", &hinge_of_spectrum, py::arg("values").noconvert(),
          py::arg("energies").noconvert(), py::kw_only(), py::arg("threshold"),
          "The same from all eigenvalues and energies.");
}

}  // namespace kernelect::python
