#include <stdexcept>

#include "bindings.hpp"
#include "convert.hpp"
#include "kernelect/moments/scoring.hpp"
#include "kernelect/ridge/scan.hpp"
#include "kernelect/tiles/gram.hpp"
#include "kernelect/tiles/kernel_scaling.hpp"
#include "ridge_results.hpp"

namespace kernelect::python {
namespace {

KernelScaling to_scaling(const std::string& name) {
    if (name == "none") return KernelScaling::none;
    if (name == "trace") return KernelScaling::trace;
    if (name == "centered") return KernelScaling::centered;
    throw std::invalid_argument("unknown kernel scaling " + name);
}

std::vector<Program> to_programs(const std::vector<ProgramTuples>& tuples) {
    std::vector<Program> programs;
    for (const ProgramTuples& t : tuples) programs.push_back(to_program(t));
    return programs;
}

py::dict ridge_kernels(const Sample& sample, const std::vector<ProgramTuples>& tuples,
                       const RidgeRequest& request, const std::string& scaling, int threads,
                       const py::object& progress) {
    const std::vector<Program> programs = to_programs(tuples);
    const KernelScaling how = to_scaling(scaling);
    const Index n = sample.size(), candidates = static_cast<Index>(programs.size());
    Vector scale = Vector::Ones(candidates);
    std::vector<RidgeResult> results;
    {
        Control control(threads, make_tick(progress));
        const py::gil_scoped_release release;
        results = ridge_scan(
            candidates,
            [&](Index c, linalg::ColMatrixRef out) {
                // Symmetric, so the order of the buffer does not matter.
                Eigen::Map<Matrix, 0, Eigen::OuterStride<>> rows(
                    out.data(), n, n, Eigen::OuterStride<>(out.outerStride()));
                Control alone(1);
                gram(programs[static_cast<std::size_t>(c)], sample.sources(), sample.blocks(),
                     sample.sources(), sample.blocks(), rows, alone);
                scale(c) = scaling_factor(out, how);
                if (scale(c) != 1.0) out *= scale(c);
            },
            request, control);
    }
    py::dict found = ridge_results(results, candidates, request);
    found["scale"] = scale;
    return found;
}

}  // namespace

void bind_kernel_ridge(py::module_& m) {
    m.def("ridge_kernels", &ridge_kernels, py::arg("sample"), py::arg("programs"),
          py::arg("request"), py::kw_only(), py::arg("scaling"), py::arg("threads"),
          py::arg("progress"), "Ridge systems of kernels on a sample without classes.");
    m.def(
        "off_diagonal_shares",
        [](const Sample& sample, const std::vector<ProgramTuples>& tuples, int threads) {
            const std::vector<Program> programs = to_programs(tuples);
            Control control(threads, make_tick(py::none()));
            const py::gil_scoped_release release;
            return off_diagonal_shares(sample, programs, control);
        },
        py::arg("sample"), py::arg("programs"), py::kw_only(), py::arg("threads"),
        "Mean off-diagonal entry over mean diagonal entry of every kernel.");
}

}  // namespace kernelect::python
