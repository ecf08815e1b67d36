#include "kernelect/ridge/bif.hpp"

#include <limits>

namespace kernelect {

using linalg::ColMatrix;

ColMatrix bif_residuals(const RidgeSystem& system, const Folds& folds, const ColMatrix& targets,
                        const RidgeFit& fit, int order) {
    const Index n = system.size(), width = targets.cols(), count = static_cast<Index>(folds.size());
    const ColMatrix training = system.penalty().asDiagonal() * fit.alpha;  // g
    ColMatrix weights(n, count);                                           // D, a column a fold
    for (Index f = 0; f < count; ++f) {
        const Fold& fold = folds[place(f)];
        const double held_out = static_cast<double>(fold.size());
        weights.col(f).setConstant(-held_out / (static_cast<double>(n) - held_out));
        for (const Index i : fold) weights(i, f) = 1.0;
    }
    ColMatrix term = -training.replicate(1, count), residuals = training.replicate(1, count);
    for (int s = 0; s < order; ++s) {
        for (Index f = 0; f < count; ++f) {
            auto columns = term.middleCols(f * width, width);
            columns = weights.col(f).asDiagonal() * columns;
        }
        term = system.smooth(term);
        residuals -= term;
    }
    ColMatrix result = ColMatrix::Constant(n, width, std::numeric_limits<double>::quiet_NaN());
    for (Index f = 0; f < count; ++f)
        for (const Index i : folds[place(f)])
            result.row(i) = residuals.middleCols(f * width, width).row(i);
    return result;
}

}  // namespace kernelect
