#pragma once

#include <cstdint>
#include <limits>

#include "kernelect/base/types.hpp"
#include "kernelect/linalg/linalg.hpp"

namespace kernelect {

struct LanczosOptions {
    Index count = 1;                // leading eigenpairs wanted
    Index block = 4;                // vectors multiplied at a time
    Index max_basis = 0;            // vectors kept before a restart; 0 chooses
    Index max_products = 0;         // vectors multiplied before giving up; 0 chooses
    double tolerance = 1e-10;       // error of the sum of the eigenvalues over the largest one
    double vector_tolerance = 0.0;  // residual norms over the largest eigenvalue; 0 does not ask
    std::uint64_t seed = 0;         // of the start block
};

// The largest eigenpairs of a symmetric positive semidefinite matrix by block Lanczos with full
// reorthogonalisation, thick restarts and deflation. The matrix is seen through its products alone,
// which the caller makes, so that many solvers can share one pass over the data:
//
//     while (!solver.done()) { K.apply(solver.block(), out, control); solver.advance(out); }
//
// Ritz values never exceed the eigenvalues that they stand for (Cauchy), so for any p >= count the
// error of the sum is at most the error of the first p, which is |R_p|_F^2 / (theta_p - alpha), R_p
// their residuals and alpha the largest eigenvalue on the complement. That quadratic bound stops
// the iteration; alpha is estimated by the next Ritz value and by the mean of what the trace
// leaves.
class BlockLanczos {
  public:
    using ColMatrix = linalg::ColMatrix;

    // `warm` may hold vectors near the wanted ones, for example those of a neighbouring kernel.
    // They are mixed with random ones: kernels on regular designs share eigenvectors in another
    // order, and an exact start would never see the others.
    BlockLanczos(Index n, double trace, const LanczosOptions& options, const ColMatrix& warm = {});

    bool done() const { return done_; }
    const ColMatrix& block() const { return block_; }
    // Takes K * block(). Throws std::domain_error if it is not finite.
    void advance(const ColMatrix& product);

    bool converged() const { return converged_; }
    Index products() const { return products_; }
    // Once done. Descending, at most `count`; residual norms |K v - theta v| and vectors in the
    // same order.
    Vector values() const;
    Vector residuals() const;
    ColMatrix vectors(Index columns) const;
    // Estimated error of the sum of values(), and the smallest Ritz value: one below zero proves
    // that the matrix has an eigenvalue at most that large.
    double sum_error() const { return sum_error_; }
    double smallest() const { return smallest_; }

  private:
    void start(const ColMatrix& warm);
    ColMatrix random_columns(Index columns);
    ColMatrix orthonormalise(const ColMatrix& w, double negligible, ColMatrix* coefficients) const;
    void project(const ColMatrix& product, ColMatrix& w);
    void reorthogonalise(ColMatrix& w, Index basis) const;
    void rayleigh_ritz(const ColMatrix& coupling);
    double next_value(Index p, double sum) const;
    double estimate_error() const;
    bool accurate() const;
    bool copies_may_be_missing() const;
    void schedule_check();
    Index fresh_columns(bool closed, bool exhausted, Index next);
    void restart(ColMatrix& coupling, Index reserved);
    void append(const ColMatrix& next, const ColMatrix& coupling);
    void append_random(Index columns);
    void grow(Index capacity);

    Index n_, count_, block_size_, capacity_, max_products_;
    double trace_, tolerance_, vector_tolerance_;
    std::uint64_t random_state_;

    ColMatrix basis_;      // padded rows; columns [0, processed_) have products, the block follows
    ColMatrix projected_;  // basis' K basis
    ColMatrix block_;
    Index processed_ = 0;
    Index coupled_from_ = 0;  // first basis column that the current block's product touches
    Index random_seen_ = 0;   // random columns put in: the copies of an eigenvalue that can be seen
    Index products_ = 0, steps_ = 0, first_steps_ = 0, steps_needed_ = 0;
    Index next_check_ = 0, last_check_ = 0;  // in products
    double last_error_ = 0.0;
    double scale_ = 0.0;  // lower bound of |K|

    Vector ritz_values_, ritz_residuals_;
    ColMatrix ritz_vectors_;  // in the basis
    double sum_error_ = 0.0, smallest_ = std::numeric_limits<double>::infinity();
    bool done_ = false, converged_ = false;
};

}  // namespace kernelect
