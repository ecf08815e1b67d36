#pragma once

#include <cstdint>
#include <vector>

#include "kernelect/base/digest.hpp"
#include "kernelect/tiles/tile.hpp"

namespace kernelect {

// A sparse matrix as the caller holds it (compressed sparse rows, sorted indices).
struct SparseView {
    const double* values;
    const std::int32_t* columns;
    const std::int64_t* starts;  // rows + 1 entries
    Index rows;
    Index features;
};

// Sparse feature vectors in the order of the computation.
class SparseRows {
  public:
    // Throws std::invalid_argument unless the columns of every row ascend and are there.
    SparseRows(const SparseView& x, const std::vector<Index>& order);

    Index features() const { return features_; }
    const Vector& squared_norms() const { return squared_norms_; }
    void add_to(Digest& digest) const;

    // tile(i, j) of row i of block a and row j of block b of `other`; `scratch` is grown as needed.
    void dots(const Block& a, const SparseRows& other, const Block& b, Real* tile,
              std::vector<Real>& scratch) const;
    void l1_distances(const Block& a, const SparseRows& other, const Block& b, Real* tile) const;
    void squared_distances(const Block& a, const SparseRows& other, const Block& b, Real* tile,
                           std::vector<Real>& scratch) const;
    // |x - x'| of two rows, though its square may leave the range of doubles.
    double distance(const Block& a, Index i, const SparseRows& other, const Block& b,
                    Index j) const;

  private:
    // Calls add(difference) for every feature that one of the two rows has.
    template <class Add>
    void differences(Index row, const SparseRows& other, Index column, Add&& add) const;

    Index features_;
    Vector squared_norms_;
    std::vector<double> values_;
    std::vector<std::int32_t> columns_;
    std::vector<std::int64_t> starts_;
};

}  // namespace kernelect
