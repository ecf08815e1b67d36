#include "checks.hpp"
#include "convert.hpp"
#include "convert_criteria.hpp"

namespace kernelect::python {
namespace {

// What score_moments takes beside the sample.
struct MomentProblem {
    MomentProblem(const Sample& sample, const Array& targets, const Array& means,
                  const std::vector<ProgramTuples>& kernels,
                  const std::vector<CriterionTuple>& criteria)
        : target(to_target(sample, targets, to_vector(means, "means"))),
          programs(to_programs(kernels, sample)) {
        for (const CriterionTuple& c : criteria) wanted.push_back(to_criterion(c));
    }

    Target target;
    std::vector<Program> programs;
    std::vector<MomentCriterion> wanted;
};

// As plain numbers, which can travel between processes: identity, rows, lanes, leaves, and of each
// part its first and last leaf and its sums, lanes x rows.
py::tuple to_state(const PartialSums& sums) {
    py::list parts;
    for (const LeafSums& part : sums.parts()) {
        Array sums_of_part({sums.lanes(), part.rows});
        std::copy(part.sums.begin(), part.sums.end(), sums_of_part.mutable_data());
        parts.append(py::make_tuple(part.first, part.last, sums_of_part));
    }
    return py::make_tuple(sums.identity(), sums.rows(), sums.lanes(), sums.leaves(), parts);
}

PartialSums from_state(const py::tuple& state) {
    constexpr const char* kNoState = "this is no state of moment sums";
    if (state.size() != 5) refuse(kNoState);
    try {
        const Index rows = state[1].cast<Index>(), lanes = state[2].cast<Index>();
        std::vector<LeafSums> parts;
        for (const py::handle item : state[4]) {
            const auto [first, last, array] = item.cast<std::tuple<Index, Index, Array>>();
            const ConstMatrixRef numbers = to_matrix(array, "sums of leaves");
            if (numbers.rows() != lanes || numbers.cols() > rows) refuse(kNoState);
            LeafSums part(first, last, rows - numbers.cols(), rows, lanes);
            for (Index k = 0; k < lanes; ++k)
                std::copy_n(numbers.row(k).data(), part.rows, part.lane(k));
            parts.push_back(std::move(part));
        }
        return PartialSums(state[0].cast<std::uint64_t>(), rows, lanes, state[3].cast<Index>(),
                           std::move(parts));
    } catch (const py::cast_error&) {
        refuse(kNoState);
    }
}

}  // namespace

void bind_ranges(py::module_& m) {
    py::class_<PartialSums>(m, "MomentSums", "Sums over some of the leaves of a sample.")
        .def_property_readonly("complete", &PartialSums::complete)
        .def(
            "merge", [](PartialSums& sums, const PartialSums& other) { sums.merge(other); },
            py::arg("other"), "Add the sums over other leaves of the same problem.")
        .def(py::pickle(&to_state, &from_state));
    m.def(
        "moment_leaves", [](const Sample& sample) { return Leaves(sample).count(); },
        py::arg("sample"), "The number of leaves into which a pass over a sample can be divided.");
    m.def(
        "moment_sums",
        [](const Sample& sample, const Array& targets, const Array& means,
           const std::vector<ProgramTuples>& programs, const std::vector<CriterionTuple>& criteria,
           Index first_leaf, Index last_leaf, int threads, const py::object& progress) {
            const MomentProblem problem(sample, targets, means, programs, criteria);
            Control control(checked_threads(threads), make_tick(progress));
            return run(0.0, [&] {
                return moment_sums(sample, problem.target, problem.programs, problem.wanted,
                                   first_leaf, last_leaf, control);
            });
        },
        py::arg("sample"), py::arg("targets").noconvert(), py::arg("means"), py::arg("programs"),
        py::arg("criteria"), py::kw_only(), py::arg("first_leaf"), py::arg("last_leaf"),
        py::arg("threads"), py::arg("progress"),
        "The first pass of score_moments over the leaves from first_leaf to before last_leaf.");
    m.def(
        "score_moments_from",
        [](const PartialSums& sums, const Sample& sample, const Array& targets, const Array& means,
           const std::vector<ProgramTuples>& programs, const std::vector<CriterionTuple>& criteria,
           int threads, const py::object& progress) {
            const MomentProblem problem(sample, targets, means, programs, criteria);
            Control control(checked_threads(threads), make_tick(progress));
            const auto scores = run(0.0, [&] {
                return score_moments_from(sums, sample, problem.target, problem.programs,
                                          problem.wanted, control);
            });
            return to_tuple(scores, problem.wanted.size());
        },
        py::arg("sums"), py::arg("sample"), py::arg("targets").noconvert(), py::arg("means"),
        py::arg("programs"), py::arg("criteria"), py::kw_only(), py::arg("threads"),
        py::arg("progress"), "What score_moments returns, from the merged sums of all leaves.");
}

}  // namespace kernelect::python
