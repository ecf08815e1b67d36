#pragma once

#include <map>
#include <vector>

#include "kernelect/ridge/near_low_rank.hpp"
#include "kernelect/ridge/request.hpp"

namespace kernelect {

// What one ridge has to answer: in the sum convention everything of its lambda, in the mean
// convention the fits on one number of training points.
struct Job {
    std::size_t lambda = 0;
    bool full = false, loo = false;
    Folds folds = {};
    std::vector<std::size_t> set_of_fold = {};
};

using Jobs = std::map<double, std::vector<Job>>;  // by rho

// Whether one decomposition for all ridges costs less than a factorisation for each.
bool eigen_is_cheaper(const Jobs& jobs, const RidgeRequest& request);

// Whether the series costs less than a factorisation.
bool affordable(const NearLowRankRidge& system, const std::vector<Job>& jobs,
                const RidgeRequest& request);

}  // namespace kernelect
