#include "kernelect/ridge/jobs.hpp"

namespace kernelect {

// Units of n^3/3 operations: a dense system is 2 and the folds' blocks a third of n |F|^2 each; an
// eigendecomposition was measured at 15 dense systems, and its fold blocks are n |F|^2.
bool eigen_is_cheaper(const Jobs& jobs, const RidgeRequest& request) {
    if (!request.eigen || request.weights.size() > 0 || jobs.empty() || jobs.begin()->first <= 0.0)
        return false;
    constexpr double kDense = 2.0, kDenseFold = 1.0, kEigen = 15.0 * kDense, kEigenFold = 3.0;
    double dense = 0.0, eigen = kEigen;
    for (const auto& [rho, list] : jobs) {
        dense += kDense;
        for (const Job& job : list)
            for (const Fold& fold : job.folds) {
                const double share =
                    static_cast<double>(fold.size()) / static_cast<double>(request.targets.rows());
                dense += kDenseFold * share * share;
                eigen += kEigenFold * share * share;
            }
    }
    return eigen < dense;
}

// Solutions multiply by E once a pass and a model; beyond half a factorisation that is no shortcut.
bool affordable(const NearLowRankRidge& system, const std::vector<Job>& jobs,
                const RidgeRequest& request) {
    double models = 0.0;
    for (const Job& job : jobs) {
        models += 1.0 + static_cast<double>(job.folds.size());
        if (job.full && request.bif_order > 0)
            for (const Folds& set : request.fold_sets)
                models += static_cast<double>(set.size()) * request.bif_order;
    }
    models *= static_cast<double>(request.targets.cols());
    return 2.0 * models * static_cast<double>(system.passes()) <=
           static_cast<double>(request.targets.rows()) / 3.0;
}

}  // namespace kernelect
