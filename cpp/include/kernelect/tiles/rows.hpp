#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernelect/base/aligned.hpp"
#include "kernelect/base/digest.hpp"
#include "kernelect/base/types.hpp"
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

// One table of rows in the order and blocks of the computation: feature vectors, dense or sparse,
// or the rows of a stored kernel matrix. Computes base tiles between two such tables.
class Rows {
  public:
    // Distances are taken from rows minus `centre`, where one is given.
    static Rows dense(const ConstMatrixRef& x, const std::vector<Index>& order,
                      const std::vector<Block>& blocks, const Vector& centre = {});
    // A centre for tables whose distances come out of products, |x|^2 + |x'|^2 - 2 x.x', and would
    // lose their digits far from the origin; empty where there is nothing to gain.
    static Vector useful_centre(const ConstMatrixRef& x);
    static Rows sparse(const SparseView& x, const std::vector<Index>& order);
    // Keeps a reference to k, which must outlive this; `column_order` as for the other table.
    static Rows matrix(const ConstMatrixRef& k, const std::vector<Index>& order,
                       const std::vector<Index>& column_order);

    // tile(i, j) = base between row i of block a of this table and row j of block b of `other`;
    // rows kTile apart. Columns and rows beyond the blocks hold anything. `scratch` is grown as
    // needed. Gives bounds of the entries where they come for nothing.
    Range base_tile(Base base, const Block& a, const Rows& other, const Block& b, double* tile,
                    std::vector<double>& scratch) const;

    // What the rows are made of, in their order.
    void add_to(Digest& digest) const;

    // Squared norms of the rows, or the diagonal of a stored matrix.
    const Vector& squared_norms() const { return squared_norms_; }
    const Vector& centre() const { return centre_; }

  private:
    enum class Kind { dense, sparse, matrix };

    // Whether distances to `other` may be taken from centred rows.
    bool shares_centre(const Rows& other) const {
        return centre_.size() > 0 && centre_.size() == other.centre_.size() &&
               centre_ == other.centre_;
    }
    const double* packed(const Block& b, bool centred = false) const;
    void dots(const Block& a, const Rows& other, const Block& b, double* tile,
              std::vector<double>& scratch) const;
    Range distances_from_dots(const Block& a, const Rows& other, const Block& b, double* tile,
                              std::vector<double>& scratch) const;
    double exact_distance(Base base, const Block& a, Index i, const Rows& other, const Block& b,
                          Index j) const;

    Kind kind_ = Kind::dense;
    Index features_ = 0;
    Vector squared_norms_;
    // dense: each block feature by feature, its rows beside one another and padded with zeros; last
    // the squared norms
    Buffer packed_;
    // the same of the rows minus the centre; empty without one
    Buffer centred_;
    Vector centre_, centred_norms_;
    std::vector<std::size_t> offsets_;  // of the block that starts at a row
    // sparse
    std::vector<double> values_;
    std::vector<std::int32_t> columns_;
    std::vector<std::int64_t> starts_;
    // matrix
    const double* matrix_ = nullptr;
    Index stride_ = 0;
    std::vector<Index> order_, column_order_;
};

}  // namespace kernelect
