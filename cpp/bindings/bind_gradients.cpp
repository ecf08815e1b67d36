#include "checks.hpp"
#include "convert.hpp"
#include "convert_criteria.hpp"
#include "folds.hpp"
#include "kernelect/moments/slopes.hpp"
#include "kernelect/ridge/candidates.hpp"

namespace kernelect::python {
namespace {

using LeafArrays =
    std::vector<std::pair<int, Array>>;  // places in the program, and the rows they read

std::vector<WeightedLeaf> to_leaves(const LeafArrays& leaves, const Program& program) {
    std::vector<WeightedLeaf> made;
    for (const auto& [node, rows] : leaves) {
        checked_range(node, 0, static_cast<Index>(program.size()) - 1, "a weighted leaf");
        made.push_back({place(node), to_matrix(rows, "a weighted table")});
    }
    return made;
}

RidgeGoal to_goal(const std::string& name) {
    if (name == "loo") return RidgeGoal::loo;
    if (name == "log_probability") return RidgeGoal::log_probability;
    if (name == "cv") return RidgeGoal::cv;
    if (name == "evidence") return RidgeGoal::evidence;
    refuse("unknown goal " + name);
}

py::dict gradient_results(KernelGradient gradient) {
    py::dict out;
    out["numbers"] = to_array(std::move(gradient.numbers));
    py::list columns;
    for (Vector& one : gradient.columns) columns.append(to_array(std::move(one)));
    out["columns"] = columns;
    return out;
}

py::dict ridge_objective(const Sample& sample, const ProgramTuples& tuples, const std::string& goal,
                         const Array& targets, double rho, bool bias, const Array& weights,
                         const FoldArrays& folds, double variance, const LeafArrays& leaves,
                         int threads, const py::object& progress) {
    const Program program = to_program(tuples, without_classes(sample));
    const std::vector<WeightedLeaf> weighted = to_leaves(leaves, program);
    RidgeObjective objective{to_goal(goal), to_matrix(targets, "targets"), {}};
    objective.ridge = {checked_finite(rho, "rho"), bias, to_vector(weights, "weights")};
    if (!objective.targets.allFinite()) refuse("targets hold NaN or infinity");
    objective.folds = checked_folds(to_folds(folds), sample.size());
    objective.variance = checked_finite(variance, "variance");
    Control control(checked_threads(threads), make_tick(progress));
    KernelSlopes found = run(matrices(2.0, sample.size()), [&] {
        return differentiate(objective, program, sample, weighted, control);
    });
    py::dict out = gradient_results(std::move(found.kernel));
    out["value"] = found.value;
    out["by_rho"] = found.by_rho;
    out["jitter"] = found.jitter;
    return out;
}

py::dict moment_objective(const Sample& sample, const Array& targets, const Array& means,
                          const ProgramTuples& tuples, const CriterionTuple& criterion,
                          const LeafArrays& leaves, int threads, const py::object& progress) {
    const Program program = to_program(tuples, sample);
    const std::vector<WeightedLeaf> weighted = to_leaves(leaves, program);
    const MomentCriterion form = to_criterion(criterion);
    const Target target = to_target(sample, targets, to_vector(means, "means"));
    Control control(checked_threads(threads), make_tick(progress));
    MomentSlopes found =
        run(0.0, [&] { return differentiate(form, program, sample, target, weighted, control); });
    py::dict out = gradient_results(std::move(found.kernel));
    out["value"] = found.value;
    return out;
}

}  // namespace

void bind_gradients(py::module_& m) {
    m.def("moment_objective", &moment_objective, py::arg("sample"), py::arg("targets").noconvert(),
          py::arg("means"), py::arg("program"), py::arg("criterion"), py::kw_only(),
          py::arg("leaves"), py::arg("threads"), py::arg("progress"),
          "A closed form on sums, with derivatives in all numbers of the kernel.");
    m.def("ridge_objective", &ridge_objective, py::arg("sample"), py::arg("program"), py::kw_only(),
          py::arg("goal"), py::arg("targets").noconvert(), py::arg("rho"), py::arg("bias"),
          py::arg("weights").noconvert(), py::arg("folds"), py::arg("variance"), py::arg("leaves"),
          py::arg("threads"), py::arg("progress"),
          "A criterion of one ridge system, with derivatives in all numbers of the kernel.");
}

}  // namespace kernelect::python
