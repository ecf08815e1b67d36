#include "bindings.hpp"
#include "convert.hpp"
#include "convert_criteria.hpp"

namespace kernelect::python {

MomentCriterion to_criterion(const CriterionTuple& tuple) {
    const auto& [name, degree, entry_sum, plain, relative, variant] = tuple;
    return make_criterion(name, {degree, entry_sum, plain, relative}, variant);
}

py::tuple to_tuple(const std::vector<std::vector<criteria::Score>>& scores, std::size_t criteria) {
    py::array_t<double> values({scores.size(), criteria});
    auto view = values.mutable_unchecked<2>();
    std::vector<std::vector<std::string>> reasons;
    for (std::size_t k = 0; k < scores.size(); ++k) {
        reasons.emplace_back();
        for (std::size_t c = 0; c < criteria; ++c) {
            view(static_cast<Index>(k), static_cast<Index>(c)) = scores[k][c].value;
            reasons.back().push_back(scores[k][c].reason);
        }
    }
    return py::make_tuple(values, reasons);
}

void bind_scoring(py::module_& m) {
    m.def(
        "score_moments",
        [](const Sample& sample, const ConstMatrixRef& targets, const Vector& means,
           const std::vector<ProgramTuples>& programs, const std::vector<CriterionTuple>& criteria,
           double memory, int threads, const py::object& progress) {
            std::vector<Program> kernels;
            for (const ProgramTuples& p : programs) kernels.push_back(to_program(p));
            std::vector<MomentCriterion> wanted;
            for (const CriterionTuple& c : criteria) wanted.push_back(to_criterion(c));
            Target target{Matrix(targets.rows(), targets.cols()), means};
            for (Index p = 0; p < targets.rows(); ++p)
                target.centred.row(p) = sample.sorted(targets.row(p).transpose()).transpose();
            Control control(threads, make_tick(progress));
            std::vector<std::vector<criteria::Score>> scores;
            {
                const py::gil_scoped_release nogil;
                scores = score_moments(sample, target, kernels, wanted, memory, control);
            }
            return to_tuple(scores, wanted.size());
        },
        py::arg("sample"), py::arg("targets").noconvert(), py::arg("means"), py::arg("programs"),
        py::arg("criteria"), py::kw_only(), py::arg("memory"), py::arg("threads"),
        py::arg("progress"),
        "Scores and reasons of every candidate by every criterion of the O(n^2) family.");
}

}  // namespace kernelect::python
