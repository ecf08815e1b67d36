#include "kernelect/ridge/request.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "kernelect/ridge/system.hpp"

namespace kernelect {

RidgeRequest checked_request(RidgeRequest request) {
    const Index n = request.targets.rows();
    if (n < 2 || request.targets.cols() < 1)
        throw std::invalid_argument("targets must have two rows and one column at least");
    if (!request.targets.allFinite()) throw std::invalid_argument("targets hold NaN or infinity");
    for (const double lambda : request.lambdas)
        if (!std::isfinite(lambda)) throw std::invalid_argument("lam must be finite");
    Ridge{1.0, request.bias, request.weights}.diagonal(n);
    for (Folds& folds : request.fold_sets) {
        // Nothing is held out: there would be no systems to iterate on, and no outputs to judge.
        if (folds.empty())
            throw std::invalid_argument("a set of folds has none: every set needs a fold");
        folds = checked_folds(std::move(folds), n);
    }
    if (request.zero_one && !(request.targets.array().abs() == 1.0).all())
        throw std::invalid_argument("the zero-one loss needs targets of +1 and -1");
    if (request.bif_order < 0) throw std::invalid_argument("the order of BIF must not be negative");
    if (request.bif_order > 0 && request.convention != LambdaConvention::mean)
        throw std::invalid_argument(
            "BIF expands in the mean convention: give lambda_convention mean");
    return request;
}

}  // namespace kernelect
