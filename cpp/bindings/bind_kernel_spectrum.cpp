#include <cmath>
#include <stdexcept>

#include "bindings.hpp"
#include "convert.hpp"
#include "kernelect/moments/spectral_measure.hpp"
#include "kernelect/spectrum/kernel_operator.hpp"
#include "kernelect/spectrum/quadrature.hpp"
#include "kernelect/spectrum/spectrum.hpp"
#include "kernelect/tiles/gram.hpp"

namespace kernelect::python {
namespace {

// The kernel matrix of a sample, in the sample's order.
Matrix stored(const Program& program, const Sample& sample, Control& control) {
    Matrix k(sample.size(), sample.size());
    gram(program, sample.sources(), sample.blocks(), sample.sources(), sample.blocks(), k, control);
    return k;
}

py::dict kernel_spectra(const Sample& sample, const std::vector<ProgramTuples>& tuples, Index count,
                        bool store, double tolerance, int threads, const py::object& progress) {
    const Index candidates = static_cast<Index>(tuples.size());
    Matrix values(candidates, count + 1);
    Vector trace(candidates), smallest(candidates);
    std::vector<bool> converged;
    Control control(threads, make_tick(progress));  // holds a Python object: with the GIL
    {
        const py::gil_scoped_release release;
        linalg::ColMatrix warm;
        for (Index k = 0; k < candidates; ++k) {
            const Program program = to_program(tuples[static_cast<std::size_t>(k)]);
            check_program(program, sample.sources().size());
            SpectrumOptions options;
            options.count = count;
            options.tolerance = tolerance;
            options.vectors = true;  // a neighbour on the grid starts from them
            LeadingSpectrum found;
            try {
                found =
                    store
                        ? leading_spectrum(stored(program, sample, control), options, control, warm)
                        : leading_spectrum(KernelOperator(sample, program), options, control, warm);
            } catch (const std::domain_error&) {  // entries that are not finite: of this one only
                found.values = Vector::Constant(count + 1, std::nan(""));
                found.trace = found.smallest = std::nan("");
                found.converged = true;
            }
            warm = found.vectors;
            values.row(k) = found.values.transpose();
            trace(k) = found.trace;
            smallest(k) = found.smallest;
            converged.push_back(found.converged);
        }
    }
    py::dict result;
    result["values"] = values;
    result["trace"] = trace;
    result["smallest"] = smallest;
    result["converged"] = converged;
    return result;
}

}  // namespace

void bind_kernel_spectrum(py::module_& m) {
    m.def("kernel_spectra", &kernel_spectra, py::arg("sample"), py::arg("programs"), py::kw_only(),
          py::arg("count"), py::arg("store"), py::arg("tolerance"), py::arg("threads"),
          py::arg("progress"), "The count + 1 largest eigenvalues and the trace of every kernel.");
    m.def(
        "sample_gram",
        [](const Sample& sample, const ProgramTuples& tuples, int threads) {
            const Program program = to_program(tuples);
            Control control(threads, make_tick(py::none()));
            const py::gil_scoped_release release;
            return stored(program, sample, control);
        },
        py::arg("sample"), py::arg("program"), py::kw_only(), py::arg("threads"),
        "The kernel matrix in the sample's own order.");
    m.def(
        "label_vectors",
        [](const Sample& sample, const ConstMatrixRef& targets, bool plain) {
            Target target{Matrix(targets.rows(), targets.cols()), Vector::Zero(targets.rows())};
            for (Index p = 0; p < targets.rows(); ++p)
                target.centred.row(p) = sample.sorted(targets.row(p).transpose()).transpose();
            return label_vectors(sample, target, plain).rows;
        },
        py::arg("sample"), py::arg("targets").noconvert(), py::kw_only(), py::arg("plain"),
        "The label vectors of the spectral measure, one per row, in the sample's own order.");
    m.def(
        "kernel_quadrature",
        [](const Sample& sample, const ProgramTuples& tuples, const ConstMatrixRef& starts,
           Index steps, int threads, const py::object& progress) {
            const Program program = to_program(tuples);
            Control control(threads, make_tick(progress));
            std::vector<QuadratureRule> rules;
            {
                const py::gil_scoped_release release;
                const Matrix columns = starts.transpose();
                rules =
                    lanczos_quadrature(KernelOperator(sample, program), columns, steps, control);
            }
            py::list result;
            for (QuadratureRule& rule : rules)
                result.append(py::make_tuple(std::move(rule.nodes), std::move(rule.weights)));
            return result;
        },
        py::arg("sample"), py::arg("program"), py::arg("starts").noconvert(), py::kw_only(),
        py::arg("steps"), py::arg("threads"), py::arg("progress"),
        "Nodes and weights of u' phi(K) u for every row u of starts, without forming K.");
    m.def(
        "kernel_hinge_forms",
        [](const Sample& sample, const ProgramTuples& tuples, const ConstMatrixRef& starts,
           double threshold, double tolerance, Index max_steps, int threads,
           const py::object& progress) {
            const Program program = to_program(tuples);
            Control control(threads, make_tick(progress));
            std::vector<HingeForm> forms;
            {
                const py::gil_scoped_release release;
                const Matrix columns = starts.transpose();
                forms = hinge_forms(KernelOperator(sample, program), columns, threshold, tolerance,
                                    max_steps, control);
            }
            return to_arrays(forms);
        },
        py::arg("sample"), py::arg("program"), py::arg("starts").noconvert(), py::kw_only(),
        py::arg("threshold"), py::arg("tolerance"), py::arg("max_steps"), py::arg("threads"),
        py::arg("progress"),
        "The part of u'Ku above the threshold for every row u of starts, without forming K.");
}

}  // namespace kernelect::python
