#include <limits>

#include "checks.hpp"
#include "convert.hpp"
#include "folds.hpp"
#include "kernelect/ridge/candidates.hpp"
#include "kernelect/ridge/losses.hpp"

namespace kernelect::python {
namespace {

using FoldSets = std::vector<FoldArrays>;

std::vector<Folds> to_fold_sets(const FoldSets& arrays) {
    std::vector<Folds> sets;
    for (const FoldArrays& set : arrays) sets.push_back(to_folds(set));
    return sets;
}

RidgeRequest make_request(const Array& targets, std::vector<double> lambdas, bool mean, bool bias,
                          const Array& weights, bool fit, bool gcv, bool evidence, bool loo,
                          bool variances, const FoldSets& fold_sets, bool cv, int bif_order,
                          bool zero_one, bool outputs, bool shortcuts, bool eigen) {
    RidgeRequest request{to_matrix(targets, "targets"), std::move(lambdas)};
    request.convention = mean ? LambdaConvention::mean : LambdaConvention::sum;
    request.bias = bias;
    request.weights = to_vector(weights, "weights");
    request.fit = fit;
    request.gcv = gcv;
    request.evidence = evidence;
    request.loo = loo;
    request.variances = variances;
    request.fold_sets = to_fold_sets(fold_sets);
    request.cv = cv;
    if (bif_order > kMostDegree)
        refuse("bif_order is more than " + std::to_string(kMostDegree) + " terms");
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
    refuse("unknown kernel scaling " + name);
}

// One array out of a piece of every result: `piece` gives its data and whether there is any.
class Stack {
  public:
    Stack(const std::vector<RidgeResult>& results, Index candidates, Index lambdas)
        : results_(results), candidates_(candidates), lambdas_(lambdas) {}

    template <class Piece>
    Array operator()(std::vector<Index> shape, Piece piece) const {
        Index size = 1;
        for (const Index extent : shape) size *= extent;
        shape.insert(shape.begin(), {candidates_, lambdas_});
        Array array(shape);
        double* out = array.mutable_data();
        for (const RidgeResult& result : results_) {
            if (result.error.empty()) {
                const auto& values = piece(result);
                std::copy(values.data(), values.data() + size, out);
            } else {
                std::fill(out, out + size, std::numeric_limits<double>::quiet_NaN());
            }
            out += size;
        }
        return array;
    }

    template <class Piece>
    Array scalars(Piece piece) const {
        return (*this)({}, [&](const RidgeResult& result) {
            return Eigen::Matrix<double, 1, 1>(piece(result));
        });
    }

    template <class Text>
    py::list texts(Text text) const {
        py::list rows;
        for (Index c = 0; c < candidates_; ++c) {
            py::list row;
            for (Index l = 0; l < lambdas_; ++l)
                row.append(text(results_[place(c * lambdas_ + l)]));
            rows.append(row);
        }
        return rows;
    }

  private:
    const std::vector<RidgeResult>& results_;
    Index candidates_, lambdas_;
};

template <class Get>
py::dict held_out(const Stack& stack, const RidgeRequest& request, Get get) {
    const Index n = request.targets.rows(), columns = request.targets.cols();
    py::dict out;
    out["squared"] = stack({columns}, [&](const RidgeResult& r) { return get(r).losses.squared; });
    out["point_squared"] =
        stack({n}, [&](const RidgeResult& r) { return get(r).losses.point_squared; });
    if (request.zero_one) {
        out["zero_one"] =
            stack.scalars([&](const RidgeResult& r) { return get(r).losses.zero_one; });
        out["point_zero_one"] =
            stack({n}, [&](const RidgeResult& r) { return get(r).losses.point_zero_one; });
    }
    if (request.outputs)
        out["outputs"] = stack({n, columns}, [&](const RidgeResult& r) { return get(r).outputs; });
    return out;
}

// What ridge_scan returned, as a dictionary of arrays that begin with (candidates, lambdas); keys
// for what was not asked are absent, entries of candidates without an answer are NaN.
py::dict ridge_results(const std::vector<RidgeResult>& results, Index candidates,
                       const RidgeRequest& request) {
    const Index n = request.targets.rows(), columns = request.targets.cols();
    const Stack stack(results, candidates, static_cast<Index>(request.lambdas.size()));
    py::dict out;
    out["error"] = stack.texts([](const RidgeResult& r) { return py::str(r.error); });
    out["path"] = stack.texts([](const RidgeResult& r) { return py::str(path_name(r.path)); });
    out["jitter"] = stack.scalars([](const RidgeResult& r) { return r.jitter; });
    if (request.fit) {
        out["alpha"] = stack({n, columns}, [](const RidgeResult& r) { return r.alpha; });
        out["bias"] = stack({columns}, [](const RidgeResult& r) { return r.bias; });
        out["fit_jitter"] = stack.scalars([](const RidgeResult& r) { return r.fit_jitter; });
    }
    if (request.gcv) {
        out["trace"] = stack.scalars([](const RidgeResult& r) { return r.trace; });
        out["leverages"] = stack({n}, [](const RidgeResult& r) { return r.leverages; });
        out["gcv"] = stack({columns}, [](const RidgeResult& r) { return r.gcv; });
    }
    if (request.evidence) {
        out["log_determinant"] =
            stack.scalars([](const RidgeResult& r) { return r.log_determinant; });
        out["energies"] = stack({columns}, [](const RidgeResult& r) { return r.energies; });
    }
    if (request.loo) {
        out["loo"] =
            held_out(stack, request, [](const RidgeResult& r) -> const HeldOut& { return r.loo; });
        if (request.variances)
            out["loo"]["variances"] =
                stack({n}, [](const RidgeResult& r) { return r.loo_variances; });
    }
    py::list cv, bif;
    for (std::size_t s = 0; s < request.fold_sets.size(); ++s) {
        if (request.cv)
            cv.append(held_out(stack, request,
                               [s](const RidgeResult& r) -> const HeldOut& { return r.cv[s]; }));
        if (request.bif_order > 0)
            bif.append(held_out(stack, request,
                                [s](const RidgeResult& r) -> const HeldOut& { return r.bif[s]; }));
    }
    out["cv"] = cv;
    out["bif"] = bif;
    return out;
}

// Three matrices for every candidate that is under way.
double ridge_bytes(const RidgeRequest& request, Index candidates, int threads) {
    return matrices(3.0 * static_cast<double>(std::min<Index>(threads, candidates)),
                    request.targets.rows());
}

py::dict ridge(const std::vector<Array>& grams, const RidgeRequest& request, int threads,
               const py::object& progress) {
    std::vector<ConstMatrixRef> stored;
    for (const Array& gram : grams) stored.push_back(to_matrix(gram, "a kernel matrix"));
    const auto candidates = static_cast<Index>(grams.size());
    Control control(checked_threads(threads), make_tick(progress));
    const auto results = run(ridge_bytes(request, candidates, threads),
                             [&] { return ridge_matrices(stored, request, control); });
    return ridge_results(results, candidates, request);
}

py::dict ridge_of_kernels(const Sample& sample, const std::vector<ProgramTuples>& tuples,
                          const RidgeRequest& request, const std::string& scaling, int threads,
                          const py::object& progress) {
    const std::vector<Program> programs = to_programs(tuples, without_classes(sample));
    const auto candidates = static_cast<Index>(programs.size());
    const KernelScaling how = to_scaling(scaling);
    Control control(checked_threads(threads), make_tick(progress));
    ScaledRidge made = run(ridge_bytes(request, candidates, threads),
                           [&] { return ridge_kernels(sample, programs, request, how, control); });
    py::dict found = ridge_results(made.results, candidates, request);
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
             py::arg("evidence") = standard.evidence, py::arg("loo") = standard.loo,
             py::arg("variances") = standard.variances, py::arg("fold_sets") = FoldSets{},
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
            checked_range(n, 1, std::numeric_limits<Index>::max(), "n");
            return bayesian_regularisation(to_vector(loo_squared, "loo_squared"), n,
                                           to_vector(eta, "eta"));
        },
        "Bayesian regularisation from leave-one-out squared losses.",
        py::arg("loo_squared").noconvert(), py::arg("n"), py::arg("eta").noconvert());
}

}  // namespace kernelect::python
