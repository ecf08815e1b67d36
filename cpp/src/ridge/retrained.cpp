#include "ridge/retrained.hpp"

#include "kernelect/linalg/serial.hpp"

namespace kernelect {
namespace {

using linalg::ColMatrix;

// LAPACK factors in one piece; of more points the caller would not be heard for too long.
constexpr Index kMost = 3000;
// What an operation of LAPACK's factorisation takes beside one of the closed form's large products
// (1,000 points: 11.2 ms for n^3/3, and 18.6 ms for twice as many).
constexpr double kSlower = 1.2;
// Beside the largest entry. Below, digits are lost, and what is left is to be that of the closed
// form, whether or not leave-one-out is asked for as well.
constexpr double kLeastPivot = 1e-6;

Fold others(const Fold& fold, Index n) {
    Fold rest;
    rest.reserve(place(n) - fold.size());
    auto next = fold.begin();  // folds are sorted
    for (Index i = 0; i < n; ++i) {
        if (next != fold.end() && *next == i)
            ++next;
        else
            rest.push_back(i);
    }
    return rest;
}

// Empty where there is no factor.
ColMatrix residuals_of(const GramBuffer& gram, const Vector& ridge, bool bias,
                       const ColMatrix& targets, const Fold& fold) {
    const auto& k = gram.matrix();
    const Fold trained = others(fold, gram.size());
    const Index m = static_cast<Index>(trained.size()), columns = targets.cols();
    ColMatrix a(m, m);
    for (Index j = 0; j < m; ++j) {
        const auto from = k.col(trained[place(j)]);
        for (Index i = j; i < m; ++i) a(i, j) = from[trained[place(i)]];
        a(j, j) += ridge[trained[place(j)]];
    }
    const double largest = a.diagonal().maxCoeff();
    if (!linalg::cholesky(a)) return {};
    if (!(a.diagonal().cwiseAbs2().minCoeff() > kLeastPivot * largest)) return {};
    ColMatrix alpha(m, columns + (bias ? 1 : 0));
    alpha.leftCols(columns) = targets(trained, Eigen::all);
    if (bias) alpha.col(columns).setOnes();
    serial::solve_factored(a, alpha);
    Vector offset = Vector::Zero(columns);
    if (bias) {
        offset = alpha.leftCols(columns).colwise().sum().transpose() / alpha.col(columns).sum();
        for (Index c = 0; c < columns; ++c) alpha.col(c) -= offset[c] * alpha.col(columns);
    }
    ColMatrix residuals = targets(fold, Eigen::all);
    Vector row(m);
    for (std::size_t f = 0; f < fold.size(); ++f) {
        row = k.col(fold[f])(trained);
        for (Index c = 0; c < columns; ++c)
            residuals(static_cast<Index>(f), c) -= row.dot(alpha.col(c)) + offset[c];
    }
    return residuals;
}

}  // namespace

// Units of n^3/3 operations, as in eigen_is_cheaper.
bool retraining_is_cheaper(const std::vector<Job>& jobs, Index n) {
    double closed = 2.0, again = 0.0;
    for (const Job& job : jobs) {
        if (job.full || job.loo) return false;
        for (const Fold& fold : job.folds) {
            const double share = static_cast<double>(fold.size()) / static_cast<double>(n);
            if (n - static_cast<Index>(fold.size()) > kMost) return false;
            closed += share * share;
            again += kSlower * (1.0 - share) * (1.0 - share) * (1.0 - share);
        }
    }
    return again < closed;
}

std::optional<std::vector<ColMatrix>> retrained(GramBuffer& gram, const Ridge& ridge,
                                                const ColMatrix& targets, const Folds& folds) {
    gram.restore();
    const Vector diagonal = ridge.diagonal(gram.size());
    std::vector<ColMatrix> found(folds.size());
    gram.team().run(static_cast<Index>(folds.size()), [&](Index f) {
        found[place(f)] = residuals_of(gram, diagonal, ridge.bias, targets, folds[place(f)]);
    });
    for (const ColMatrix& residuals : found)
        if (residuals.size() == 0 || !residuals.allFinite()) return std::nullopt;
    return found;
}

}  // namespace kernelect
