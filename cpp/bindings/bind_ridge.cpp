#include <stdexcept>

#include "bindings.hpp"
#include "convert.hpp"
#include "kernelect/ridge/candidates.hpp"
#include "kernelect/ridge/losses.hpp"
#include "ridge_results.hpp"

namespace kernelect::python {
namespace {

using FoldArrays = std::vector<std::vector<py::array_t<std::int64_t>>>;

std::vector<Folds> to_fold_sets(const FoldArrays& arrays) {
    std::vector<Folds> sets;
    for (const auto& set : arrays) {
        Folds& folds = sets.emplace_back();
        for (const auto& fold : set) folds.emplace_back(fold.data(), fold.data() + fold.size());
    }
    return sets;
}

RidgeRequest make_request(const Array& targets, std::vector<double> lambdas, bool mean, bool bias,
                          const Array& weights, bool fit, bool gcv, bool loo,
                          const FoldArrays& fold_sets, bool cv, int bif_order, bool zero_one,
                          bool outputs, bool shortcuts, bool eigen) {
    RidgeRequest request{to_matrix(targets, "targets"), std::move(lambdas)};
    request.convention = mean ? LambdaConvention::mean : LambdaConvention::sum;
    request.bias = bias;
    request.weights = to_vector(weights, "weights");
    request.fit = fit;
    request.gcv = gcv;
    request.loo = loo;
    request.fold_sets = to_fold_sets(fold_sets);
    request.cv = cv;
    request.bif_order = bif_order;
    request.zero_one = zero_one;
    request.outputs = outputs;
    request.shortcuts = shortcuts;
    request.eigen = eigen;
    return request;
}

KernelScaling to_scaling(const std::string& name) {
    if (name == "none") return KernelScaling::none;
    if (name == "trace") return KernelScaling::trace;
    if (name == "centered") return KernelScaling::centered;
    throw std::invalid_argument("unknown kernel scaling " + name);
}

py::dict ridge(const std::vector<Array>& grams, const RidgeRequest& request, int threads,
               const py::object& progress) {
    std::vector<ConstMatrixRef> matrices;
    for (const Array& gram : grams) matrices.push_back(to_matrix(gram, "a kernel matrix"));
    std::vector<RidgeResult> results;
    {
        Control control(threads, make_tick(progress));
        const py::gil_scoped_release release;
        results = ridge_matrices(matrices, request, control);
    }
    return ridge_results(results, static_cast<Index>(grams.size()), request);
}

py::dict ridge_of_kernels(const Sample& sample, const std::vector<ProgramTuples>& tuples,
                          const RidgeRequest& request, const std::string& scaling, int threads,
                          const py::object& progress) {
    const std::vector<Program> programs = to_programs(tuples);
    const KernelScaling how = to_scaling(scaling);
    ScaledRidge made;
    {
        Control control(threads, make_tick(progress));
        const py::gil_scoped_release release;
        made = ridge_kernels(sample, programs, request, how, control);
    }
    py::dict found = ridge_results(made.results, static_cast<Index>(programs.size()), request);
    found["scale"] = to_array(std::move(made.scale));
    return found;
}

}  // namespace

void bind_ridge(py::module_& m) {
    const RidgeRequest standard{};  // what is not said is as there
    py::class_<RidgeRequest>(m, "RidgeRequest", "What to compute of ridge systems.")
        .def(py::init(&make_request), py::kw_only(), py::arg("targets").noconvert(),
             py::arg("lambdas"), py::arg("mean") = standard.convention == LambdaConvention::mean,
             py::arg("bias") = standard.bias,
             py::arg("weights").noconvert() = to_array(standard.weights),
             py::arg("fit") = standard.fit, py::arg("gcv") = standard.gcv,
             py::arg("loo") = standard.loo, py::arg("fold_sets") = FoldArrays{},
             py::arg("cv") = standard.cv, py::arg("bif_order") = standard.bif_order,
             py::arg("zero_one") = standard.zero_one, py::arg("outputs") = standard.outputs,
             py::arg("shortcuts") = standard.shortcuts, py::arg("eigen") = standard.eigen);
    m.def("ridge", &ridge, "Ridge systems of stored kernel matrices.", py::arg("grams").noconvert(),
          py::arg("request"), py::kw_only(), py::arg("threads"), py::arg("progress"));
    m.def("ridge_kernels", &ridge_of_kernels, py::arg("sample"), py::arg("programs"),
          py::arg("request"), py::kw_only(), py::arg("scaling"), py::arg("threads"),
          py::arg("progress"), "Ridge systems of kernels on a sample without classes.");
    m.def(
        "bayesian_regularisation",
        [](const Array& loo_squared, Index n, const Array& eta) {
            return bayesian_regularisation(to_vector(loo_squared, "loo_squared"), n,
                                           to_vector(eta, "eta"));
        },
        "Bayesian regularisation from leave-one-out squared losses.",
        py::arg("loo_squared").noconvert(), py::arg("n"), py::arg("eta").noconvert());
}

}  // namespace kernelect::python
