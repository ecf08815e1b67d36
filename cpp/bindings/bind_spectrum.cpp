#include <optional>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "kernelect/spectrum/quadrature.hpp"
#include "kernelect/spectrum/spectrum.hpp"

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

py::dict leading(const ConstMatrixRef& k, Index count, bool vectors, double tolerance,
                 double vector_tolerance, const std::optional<ConstMatrixRef>& warm, int n_threads,
                 const py::object& progress) {
    SpectrumOptions options;
    options.count = count;
    options.vectors = vectors;
    options.tolerance = tolerance;
    options.vector_tolerance = vector_tolerance;
    Control control(n_threads, make_tick(progress));
    LeadingSpectrum found;
    Matrix rows;
    {
        const py::gil_scoped_release release;
        linalg::ColMatrix start;
        if (warm) start = *warm;
        found = leading_spectrum(k, options, control, start);
        rows = found.vectors;
    }
    py::dict result;
    result["values"] = std::move(found.values);
    result["vectors"] = vectors ? py::cast(std::move(rows)) : py::object(py::none());
    result["residuals"] = std::move(found.residuals);
    result["trace"] = found.trace;
    result["sum_error"] = found.sum_error;
    result["smallest"] = found.smallest;
    result["products"] = found.products;
    result["converged"] = found.converged;
    result["method"] = name(found.method);
    return result;
}

py::tuple full(const ConstMatrixRef& k, bool vectors) {
    FullSpectrum found;
    Matrix rows;
    {
        const py::gil_scoped_release release;
        found = full_spectrum(k, vectors);
        rows = found.vectors;
    }
    return py::make_tuple(std::move(found.values),
                          vectors ? py::cast(std::move(rows)) : py::object(py::none()));
}

py::list quadrature(const ConstMatrixRef& k, const ConstMatrixRef& starts, Index steps,
                    int n_threads, const py::object& progress) {
    Control control(n_threads, make_tick(progress));
    std::vector<QuadratureRule> rules;
    {
        const py::gil_scoped_release release;
        rules = lanczos_quadrature(StoredOperator(k), starts, steps, control);
    }
    py::list result;
    for (QuadratureRule& rule : rules)
        result.append(py::make_tuple(std::move(rule.nodes), std::move(rule.weights),
                                     std::move(rule.residuals), rule.exact));
    return result;
}

py::tuple hinge(const ConstMatrixRef& k, const ConstMatrixRef& starts, double threshold,
                double tolerance, Index max_steps, int n_threads, const py::object& progress) {
    Control control(n_threads, make_tick(progress));
    std::vector<HingeForm> forms;
    {
        const py::gil_scoped_release release;
        forms = hinge_forms(StoredOperator(k), starts, threshold, tolerance, max_steps, control);
    }
    return to_arrays(forms);
}

Matrix energies(const ConstMatrixRef& vectors, const ConstMatrixRef& y) {
    const py::gil_scoped_release release;
    return label_energies(vectors, y);
}

}  // namespace

py::tuple to_arrays(const std::vector<HingeForm>& forms) {
    const auto size = static_cast<py::ssize_t>(forms.size());
    py::array_t<double> values(size), errors(size);
    py::array_t<Index> steps(size);
    py::array_t<bool> converged(size);
    for (py::ssize_t c = 0; c < size; ++c) {
        const HingeForm& form = forms[static_cast<std::size_t>(c)];
        values.mutable_at(c) = form.value;
        errors.mutable_at(c) = form.error;
        steps.mutable_at(c) = form.steps;
        converged.mutable_at(c) = form.converged;
    }
    return py::make_tuple(values, errors, steps, converged);
}

void bind_spectrum(py::module_& m) {
    m.def("leading_spectrum", &leading, py::arg("k").noconvert(), py::kw_only(), py::arg("count"),
          py::arg("vectors"), py::arg("tolerance"), py::arg("vector_tolerance"),
          py::arg("warm").noconvert(), py::arg("n_threads"), py::arg("progress"),
          "The count + 1 largest eigenvalues of a symmetric positive semidefinite matrix.");
    m.def("full_spectrum", &full, py::arg("k").noconvert(), py::kw_only(), py::arg("vectors"),
          "All eigenvalues, descending, and the eigenvectors if asked.");
    m.def("label_energies", &energies, py::arg("vectors").noconvert(), py::arg("y").noconvert(),
          "The squared inner product of every eigenvector with every column of y.");
    m.def("lanczos_quadrature", &quadrature, py::arg("k").noconvert(),
          py::arg("starts").noconvert(), py::kw_only(), py::arg("steps"), py::arg("n_threads"),
          py::arg("progress"), "Nodes, weights, residuals and exactness for every start vector.");
    m.def("hinge_forms", &hinge, py::arg("k").noconvert(), py::arg("starts").noconvert(),
          py::kw_only(), py::arg("threshold"), py::arg("tolerance"), py::arg("max_steps"),
          py::arg("n_threads"), py::arg("progress"),
          "The part of u'Ku above the threshold, its error bound, the steps and convergence.");
    m.def("hinge_sum", &hinge_sum, py::arg("values").noconvert(), py::arg("energies").noconvert(),
          py::kw_only(), py::arg("threshold"), "The same from all eigenvalues and energies.");
}

}  // namespace kernelect::python
