#pragma once

#include <stdexcept>
#include <vector>

#include "kernelect/base/team.hpp"
#include "kernelect/base/types.hpp"
#include "kernelect/linalg/linalg.hpp"

namespace kernelect {

// The points that one fit leaves out, in ascending order.
using Fold = std::vector<Index>;
using Folds = std::vector<Fold>;

// Sorts every fold. Folds of one set must be non-empty, disjoint, and leave a training point each;
// they need not cover all n points. Throws std::invalid_argument otherwise.
Folds checked_folds(Folds folds, Index n);

// P_FF is not positive definite to working precision: the ridge is too small for this fold.
struct SingularFoldBlock : std::domain_error {
    SingularFoldBlock()
        : std::domain_error(
              "a fold's block of the residual maker is singular to working precision: give a "
              "larger lam") {}
};

// y_F - f^(-F)(x_F) = (P_FF)^-1 alpha_F: held-out residuals of a fold without retraining. Only the
// lower triangle of the block is read, and it is spoiled.
linalg::ColMatrix fold_residuals(linalg::ColMatrix& block, const linalg::ColMatrix& alpha,
                                 const Fold& fold, const Team& team);

}  // namespace kernelect
