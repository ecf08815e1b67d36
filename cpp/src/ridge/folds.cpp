#include "kernelect/ridge/folds.hpp"

#include <algorithm>
#include <string>

#include "kernelect/linalg/serial.hpp"

namespace kernelect {

Folds checked_folds(Folds folds, Index n) {
    std::vector<char> taken(place(n), 0);
    for (std::size_t f = 0; f < folds.size(); ++f) {
        const std::string name = "fold " + std::to_string(f);
        if (folds[f].empty())
            throw std::invalid_argument(name + " is empty: every fold needs a held-out point");
        if (static_cast<Index>(folds[f].size()) >= n)
            throw std::invalid_argument(name + " holds out all " + std::to_string(n) +
                                        " points: leave at least one for training");
        for (const Index i : folds[f]) {
            if (i < 0 || i >= n)
                throw std::invalid_argument(name + " holds out point " + std::to_string(i) +
                                            ", there are points 0 to " + std::to_string(n - 1));
            if (taken[place(i)]++ != 0)
                throw std::invalid_argument("point " + std::to_string(i) +
                                            " is held out twice: put overlapping folds into "
                                            "separate sets");
        }
        std::sort(folds[f].begin(), folds[f].end());
    }
    return folds;
}

linalg::ColMatrix fold_residuals(linalg::ColMatrix& block, const linalg::ColMatrix& alpha,
                                 const Fold& fold) {
    linalg::ColMatrix residuals = alpha(fold, Eigen::all);
    if (!linalg::cholesky(block)) throw SingularFoldBlock();
    serial::solve_factored(block, residuals);
    if (!residuals.allFinite()) throw SingularFoldBlock();
    return residuals;
}

}  // namespace kernelect
