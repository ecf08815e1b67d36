#include "kernelect/spectrum/block_lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernelect/linalg/serial.hpp"
#include "kernelect/linalg/tall.hpp"
#include "spectrum/krylov.hpp"

namespace kernelect {
namespace {

constexpr double kRandomShare = 0.01;  // of a warm start's columns

// The basis has this many vectors for every wanted eigenpair and every vector of a block, and at
// least kLeastBasis; below kNarrowest blocks beyond the wanted ones a restart makes no progress.
constexpr Index kBasisPerVector = 8, kLeastBasis = 160, kNarrowest = 4;
// Gives up after the products of this many full bases.
constexpr Index kMostBases = 20;

// splitmix64, so that the start is the same with every standard library.
double uniform(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1.0p-52 - 1.0;
}

}  // namespace

BlockLanczos::BlockLanczos(Index n, double trace, const LanczosOptions& options,
                           const ColMatrix& warm)
    : n_(n),
      count_(options.count),
      block_size_(std::min(options.block, n)),
      capacity_(options.max_basis),
      max_products_(options.max_products),
      trace_(trace),
      tolerance_(options.tolerance),
      vector_tolerance_(options.vector_tolerance),
      random_state_(options.seed) {
    if (n < 1 || count_ < 1 || count_ > n)
        throw std::invalid_argument("the number of eigenpairs must be between 1 and the order");
    if (block_size_ < 1) throw std::invalid_argument("the block size must be positive");
    if (warm.size() != 0 && warm.rows() != n)
        throw std::invalid_argument("the start vectors must have as many rows as the matrix");
    if (capacity_ == 0)
        capacity_ = std::max<Index>(kBasisPerVector * (count_ + block_size_), kLeastBasis);
    capacity_ = std::min(n, std::max(capacity_, count_ + kNarrowest * block_size_));
    if (max_products_ == 0) max_products_ = kMostBases * capacity_;
    next_check_ = std::min(n, count_ + block_size_);
    start(warm);
}

void BlockLanczos::start(const ColMatrix& warm) {
    basis_ = ColMatrix::Zero(tall::padded(n_), capacity_);
    projected_ = ColMatrix::Zero(capacity_, capacity_);
    ColMatrix first = random_columns(block_size_);
    if (warm.cols() > 0) {
        ColMatrix mix(warm.cols(), block_size_);
        for (Index c = 0; c < mix.cols(); ++c)
            for (Index r = 0; r < mix.rows(); ++r) mix(r, c) = uniform(random_state_);
        const ColMatrix near = serial::product(warm, mix);
        for (Index c = 0; c < near.cols(); ++c) {
            const double norm = near.col(c).norm();
            if (!(norm > 0.0) || !std::isfinite(norm)) continue;
            first.col(c) *= kRandomShare / first.col(c).norm();
            first.col(c).head(n_) += near.col(c) / norm;
        }
    }
    random_seen_ = block_size_;
    append(orthonormalise(first, 0.0, nullptr), {});
}

BlockLanczos::ColMatrix BlockLanczos::random_columns(Index columns) {
    ColMatrix r = ColMatrix::Zero(tall::padded(n_), columns);
    for (Index c = 0; c < columns; ++c)
        for (Index i = 0; i < n_; ++i) r(i, c) = uniform(random_state_);
    return r;
}

// Makes w orthogonal to the first columns of the basis. One pass is enough unless most of w is
// lost.
void BlockLanczos::reorthogonalise(ColMatrix& w, Index basis) const {
    for (int pass = 0; pass < 3; ++pass) {
        const Eigen::RowVectorXd before = w.colwise().norm();
        const ColMatrix c = tall::transposed_product(basis_, 0, basis, w);
        tall::subtract_product(basis_, 0, c, w);
        if ((w.colwise().norm().array() >= krylov::kLost * before.array()).all()) return;
    }
}

// w = K block - basis (basis' K block), with the diagonal block of the projected matrix.
void BlockLanczos::project(const ColMatrix& product, ColMatrix& w) {
    const Index b = block_.cols(), basis = processed_ + b;
    w = ColMatrix::Zero(basis_.rows(), b);
    w.topRows(n_) = product;
    scale_ = std::max(scale_, w.colwise().norm().maxCoeff());
    // Known couplings first: what is left for the full pass is rounding, so that one pass does.
    const Index coupled = processed_ - coupled_from_;
    if (coupled > 0)
        tall::subtract_product(basis_, coupled_from_,
                               projected_.block(coupled_from_, processed_, coupled, b), w);
    const ColMatrix a = tall::transposed_product(basis_, processed_, b, w);
    tall::subtract_product(basis_, processed_, a, w);
    projected_.block(processed_, processed_, b, b) = 0.5 * (a + a.transpose());
    reorthogonalise(w, basis);
}

// Orthonormal columns that span w, which is orthogonal to the basis but for rounding; columns with
// no more than a negligible norm of their own are dropped. w = result * coefficients, also for the
// columns that come after the space is full.
BlockLanczos::ColMatrix BlockLanczos::orthonormalise(const ColMatrix& w, double negligible,
                                                     ColMatrix* coefficients) const {
    const Index basis = processed_ + block_.cols(), room = n_ - basis;
    ColMatrix q(w.rows(), w.cols());
    ColMatrix r = ColMatrix::Zero(w.cols(), w.cols());
    Index kept = 0;
    for (Index c = 0; c < w.cols(); ++c) {
        ColMatrix v = w.col(c);
        double before = v.norm(), after = before;
        for (int pass = 0; pass < 4; ++pass) {
            if (pass > 0) reorthogonalise(v, basis);
            const ColMatrix along = tall::transposed_product(q, 0, kept, v);
            tall::subtract_product(q, 0, along, v);
            r.block(0, c, kept, 1) += along;
            after = v.norm();
            if (after >= krylov::kLost * before || after <= negligible) break;
            before = after;
        }
        if (kept == room || !(after > negligible)) continue;
        r(kept, c) = after;
        q.col(kept++) = v / after;
    }
    if (coefficients != nullptr) *coefficients = r.topRows(kept);
    return q.leftCols(kept);
}

void BlockLanczos::advance(const ColMatrix& product) {
    if (done_) throw std::logic_error("the iteration is over");
    if (product.rows() != n_ || product.cols() != block_.cols())
        throw std::invalid_argument("the product has the wrong shape");
    if (!product.allFinite()) throw std::domain_error("the kernel matrix has non-finite entries");
    products_ += block_.cols();
    ++steps_;

    ColMatrix w, coupling;
    project(product, w);
    const double rounding = krylov::rounding(n_, scale_);
    const ColMatrix next = orthonormalise(w, rounding, &coupling);
    processed_ += block_.cols();
    block_.resize(n_, 0);

    const bool exhausted = processed_ >= n_;
    const bool closed = next.cols() == 0;  // the basis spans an invariant subspace
    const bool full = processed_ + next.cols() > capacity_;
    const bool out_of_budget = products_ >= max_products_;
    Index fresh = 0;
    if (exhausted || closed || full || out_of_budget ||
        (products_ >= next_check_ && steps_ >= steps_needed_)) {
        rayleigh_ritz(coupling);
        fresh = fresh_columns(closed, exhausted, next.cols());
        done_ = converged_ || out_of_budget;
        if (done_) return;
        schedule_check();
        if (fresh > 0) grow(count_ + kNarrowest * (next.cols() + fresh));
        if (processed_ + next.cols() + fresh > capacity_) restart(coupling, next.cols() + fresh);
    }
    append(next, coupling);
    if (fresh > 0) append_random(fresh);
}

// Wider blocks need a larger basis to make progress between restarts.
void BlockLanczos::grow(Index capacity) {
    capacity = std::min(capacity, n_);
    if (capacity <= capacity_) return;
    basis_.conservativeResize(Eigen::NoChange, capacity);
    projected_.conservativeResize(capacity, capacity);
    capacity_ = capacity;
}

void BlockLanczos::append_random(Index columns) {
    ColMatrix r = random_columns(columns);
    reorthogonalise(r, processed_ + block_.cols());
    const ColMatrix q = orthonormalise(r, krylov::kEps * static_cast<double>(n_), nullptr);
    random_seen_ += q.cols();
    append(q, {});
}

// Adds columns to the block; coupling: next' K (last processed block), if it is not zero.
void BlockLanczos::append(const ColMatrix& next, const ColMatrix& coupling) {
    const Index at = processed_ + block_.cols(), columns = next.cols();
    basis_.middleCols(at, columns) = next;
    projected_.middleCols(at, columns).setZero();
    projected_.middleRows(at, columns).setZero();
    if (coupling.size() > 0) {
        coupled_from_ = processed_ - coupling.cols();
        projected_.block(at, coupled_from_, columns, coupling.cols()) = coupling;
        projected_.block(coupled_from_, at, coupling.cols(), columns) = coupling.transpose();
    } else if (block_.cols() == 0) {
        coupled_from_ = processed_;
    }
    block_.conservativeResize(n_, block_.cols() + columns);
    block_.rightCols(columns) = next.topRows(n_);
}

void BlockLanczos::rayleigh_ritz(const ColMatrix& coupling) {
    ColMatrix h = projected_.topLeftCorner(processed_, processed_);
    // New matrices in the place of the old: a resized one would be freed twice where there is no
    // memory for its new size, because Eigen frees before it allocates.
    ritz_values_ = Vector(serial::small_eigh(h).reverse());
    ritz_vectors_ = ColMatrix(h.rowwise().reverse());
    // The residual of a Ritz vector is what the last processed block has outside the basis.
    ritz_residuals_ = Vector(serial::product(coupling, ritz_vectors_.bottomRows(coupling.cols()))
                                 .colwise()
                                 .norm()
                                 .transpose());
    smallest_ = std::min(smallest_, ritz_values_(processed_ - 1));  // restarts drop the low end
    sum_error_ = estimate_error();
}

// Keeps the leading Ritz vectors (Wu and Simon's thick restart): the projected matrix becomes their
// values bordered by the coupling to the next block.
void BlockLanczos::restart(ColMatrix& coupling, Index reserved) {
    const Index keep = std::min(count_ + (processed_ - count_) / 2, capacity_ - 2 * reserved);
    const ColMatrix s = ritz_vectors_.leftCols(keep);
    coupling = serial::product(coupling, s.bottomRows(coupling.cols()));
    for (Index row = 0; row < basis_.rows(); row += tall::kChunk) {
        const Index rows = std::min(tall::kChunk, basis_.rows() - row);
        basis_.block(row, 0, rows, keep) =
            serial::product(basis_.block(row, 0, rows, processed_), s);
    }
    projected_.topLeftCorner(keep, keep) = ritz_values_.head(keep).asDiagonal();
    processed_ = keep;
}

Vector BlockLanczos::values() const {
    return ritz_values_.head(std::min(count_, ritz_values_.size()));
}

Vector BlockLanczos::residuals() const {
    return ritz_residuals_.head(std::min(count_, ritz_residuals_.size()));
}

BlockLanczos::ColMatrix BlockLanczos::vectors(Index columns) const {
    const Index m = ritz_vectors_.rows();
    return serial::product(basis_.topLeftCorner(n_, m),
                           ritz_vectors_.leftCols(std::min(columns, m)));
}

}  // namespace kernelect
