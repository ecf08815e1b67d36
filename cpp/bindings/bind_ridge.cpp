#include "bindings.hpp"
#include "kernelect/ridge/losses.hpp"
#include "kernelect/ridge/scan.hpp"
#include "ridge_results.hpp"

namespace kernelect::python {
namespace {

using FoldArrays = std::vector<std::vector<py::array_t<std::int64_t>>>;
using GramArrays = std::vector<py::array_t<double, py::array::c_style>>;

std::vector<Folds> to_fold_sets(const FoldArrays& arrays) {
    std::vector<Folds> sets;
    for (const auto& set : arrays) {
        Folds& folds = sets.emplace_back();
        for (const auto& fold : set) folds.emplace_back(fold.data(), fold.data() + fold.size());
    }
    return sets;
}

RidgeRequest make_request(const ConstMatrixRef& targets, std::vector<double> lambdas, bool mean,
                          bool bias, const ConstVectorRef& weights, bool fit, bool gcv, bool loo,
                          const FoldArrays& fold_sets, bool cv, int bif_order, bool zero_one,
                          bool outputs, bool shortcuts, bool eigen) {
    RidgeRequest request{targets, std::move(lambdas)};
    request.convention = mean ? LambdaConvention::mean : LambdaConvention::sum;
    request.bias = bias;
    request.weights = weights;
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

// Stored kernel matrices, each copied into the buffer of the thread that works on it.
py::dict ridge(const GramArrays& grams, const RidgeRequest& request, int threads,
               const py::object& progress) {
    const Index n = request.targets.rows();
    std::vector<const double*> data;
    for (const auto& gram : grams) {
        if (gram.ndim() != 2 || gram.shape(0) != n || gram.shape(1) != n)
            throw std::invalid_argument("every kernel matrix must be square with a row a target");
        data.push_back(gram.data());
    }
    const Index candidates = static_cast<Index>(grams.size());
    std::vector<RidgeResult> results;
    {
        Control control(threads, make_tick(progress));
        const py::gil_scoped_release release;
        results = ridge_scan(
            candidates,
            [&](Index c, linalg::ColMatrixRef out) {
                out = Eigen::Map<const linalg::ColMatrix>(data[static_cast<std::size_t>(c)], n, n);
            },
            request, control);
    }
    return ridge_results(results, candidates, request);
}

}  // namespace

void bind_ridge(py::module_& m) {
    py::class_<RidgeRequest>(m, "RidgeRequest", "What to compute of ridge systems.")
        .def(py::init(&make_request), py::kw_only(), py::arg("targets").noconvert(),
             py::arg("lambdas"), py::arg("mean"), py::arg("bias"), py::arg("weights").noconvert(),
             py::arg("fit"), py::arg("gcv"), py::arg("loo"), py::arg("fold_sets"), py::arg("cv"),
             py::arg("bif_order"), py::arg("zero_one"), py::arg("outputs"), py::arg("shortcuts"),
             py::arg("eigen"));
    m.def("ridge", &ridge, "Ridge systems of stored kernel matrices.", py::arg("grams").noconvert(),
          py::arg("request"), py::kw_only(), py::arg("n_threads"), py::arg("progress"));
    m.def("bayesian_regularisation", &bayesian_regularisation,
          "Bayesian regularisation from leave-one-out squared losses.",
          py::arg("loo_squared").noconvert(), py::arg("n"), py::arg("eta").noconvert());
}

}  // namespace kernelect::python
