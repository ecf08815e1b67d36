#include "kernelect/ridge/folds.hpp"

#include <algorithm>
#include <string>

#include "kernelect/linalg/blas.hpp"
#include "kernelect/linalg/inverse_cholesky.hpp"
#include "kernelect/linalg/serial.hpp"

namespace kernelect {
namespace {

constexpr Index kLarge = 3000;  // a block that takes long enough for the caller to be heard

}  // namespace

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
                                 const Fold& fold, const Team& team) {
    linalg::ColMatrix residuals = alpha(fold, Eigen::all);
    if (block.rows() < kLarge) {
        if (!linalg::cholesky(block)) throw SingularFoldBlock();
        serial::solve_factored(block, residuals);
    } else {
        if (!linalg::inverse_cholesky(block, team)) throw SingularFoldBlock();
        blas::trmm_left(1.0, block, blas::Transpose::no, residuals);
        blas::trmm_left(1.0, block, blas::Transpose::yes, residuals);
    }
    if (!residuals.allFinite()) throw SingularFoldBlock();
    return residuals;
}

}  // namespace kernelect
