#include "checks.hpp"
#include "convert.hpp"
#include "convert_criteria.hpp"
#include "kernelect/tiles/sampled_sums.hpp"

namespace kernelect::python {

MomentCriterion to_criterion(const CriterionTuple& tuple) {
    const auto& [name, degree, entry_sum, plain, relative, variant] = tuple;
    checked_range(degree, 0, kMostDegree, "the degree of a criterion");
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

namespace {

py::dict to_dict(SampledSums sums) {
    py::dict result;
    result["shift"] = sums.shift;
    result["sign"] = sums.sign;
    result["trace"] = sums.trace;
    result["by_class"] = to_array(std::move(sums.by_class));
    result["products"] = to_array(std::move(sums.products));
    result["squares"] = to_array(std::move(sums.squares));
    result["spreads"] = to_array(std::move(sums.spreads));
    return result;
}

py::list sampled(const Sample& sample, const Sample& others, const Array& targets,
                 const std::vector<ProgramTuples>& tuples, const Array& weights, int threads,
                 const py::object& progress) {
    check_alike(sample, others);
    const std::vector<Program> programs = to_programs(tuples, sample);
    const Target target = to_target(sample, targets, Vector::Zero(targets.shape(0)));
    const ConstVectorRef own = to_vector(weights, "weights");
    check_size(own.size(), others.size(), "weights");
    if (!own.allFinite()) refuse("weights must be finite");
    Control control(checked_threads(threads), make_tick(progress));
    const double lanes = static_cast<double>(sample.classes() + target.centred.rows() + 1);
    const double bytes = 8.0 * lanes * static_cast<double>(programs.size()) *
                         static_cast<double>(others.size()) * (2.0 + threads);
    auto sums = run(bytes, [&] {
        return sampled_sums(KernelSet(sample, others, programs), target.centred, own, control);
    });
    py::list result;
    for (SampledSums& each : sums) result.append(to_dict(std::move(each)));
    return result;
}

}  // namespace

void bind_scoring(py::module_& m) {
    m.def(
        "moment_criteria",
        [] {
            py::dict directions;
            for (const CriterionEntry& entry : criterion_table())
                directions[entry.name] = entry.direction;
            return directions;
        },
        "Every criterion that score_moments knows, and its direction.");
    m.def(
        "score_moments",
        [](const Sample& sample, const Array& targets, const Array& means,
           const std::vector<ProgramTuples>& programs, const std::vector<CriterionTuple>& criteria,
           double memory, int threads, const py::object& progress) {
            const std::vector<Program> kernels = to_programs(programs, sample);
            std::vector<MomentCriterion> wanted;
            for (const CriterionTuple& c : criteria) wanted.push_back(to_criterion(c));
            const Target target = to_target(sample, targets, to_vector(means, "means"));
            checked_memory(memory);
            Control control(checked_threads(threads), make_tick(progress));
            const auto scores = run(memory, [&] {
                return score_moments(sample, target, kernels, wanted, memory, control);
            });
            return to_tuple(scores, wanted.size());
        },
        py::arg("sample"), py::arg("targets").noconvert(), py::arg("means"), py::arg("programs"),
        py::arg("criteria"), py::kw_only(), py::arg("memory"), py::arg("threads"),
        py::arg("progress"),
        "Scores and reasons of every candidate by every criterion of the O(n^2) family.");
    m.def("sampled_sums", &sampled, py::arg("sample"), py::arg("others"),
          py::arg("targets").noconvert(), py::arg("programs"), py::arg("weights").noconvert(),
          py::kw_only(), py::arg("threads"), py::arg("progress"),
          "Sums of every candidate between other rows, by groups, and all rows of a sample.");
    m.def(
        "label_vectors",
        [](const Sample& sample, const Array& targets, bool plain) {
            const Target target = to_target(sample, targets, Vector::Zero(targets.shape(0)));
            return to_array(label_vectors(sample, target, plain).rows);
        },
        py::arg("sample"), py::arg("targets").noconvert(), py::kw_only(), py::arg("plain"),
        "The label vectors of the spectral measure, one per row, in the sample's own order.");
    m.def(
        "off_diagonal_shares",
        [](const Sample& sample, const std::vector<ProgramTuples>& tuples, bool squares,
           int threads) {
            const std::vector<Program> programs = to_programs(tuples, sample);
            Control control(checked_threads(threads), make_tick(py::none()));
            return to_array(
                run(0.0, [&] { return off_diagonal_shares(sample, programs, squares, control); }));
        },
        py::arg("sample"), py::arg("programs"), py::kw_only(), py::arg("squares"),
        py::arg("threads"),
        "Mean off-diagonal entry, or its square, over that of the diagonal, for every kernel.");
}

}  // namespace kernelect::python
