#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernelect/base/aligned.hpp"
#include "kernelect/base/types.hpp"
#include "kernelect/tiles/kernels.hpp"

namespace kernelect {

// Rows are worked on in blocks of at most kTile; a tile is one block against another. 64 x 64
// doubles stay in the first-level cache while every candidate is computed from them.
inline constexpr Index kTile = 64;
inline constexpr Index kTileArea = kTile * kTile;
// Columns of a tile are padded to a multiple of this (two packs of four).
inline constexpr Index kStrip = 8;

inline Index padded(Index size) { return (size + kStrip - 1) / kStrip * kStrip; }

// Consecutive rows of one group (class); blocks never straddle groups.
struct Block {
    Index begin = 0;
    Index size = 0;
    int group = 0;
};

// Bounds of the entries of a tile; unknown until set.
struct Range {
    double least = 1.0, greatest = -1.0;
    bool known() const { return least <= greatest; }
};

// Cuts groups of the given sizes into blocks of nearly equal size.
std::vector<Block> make_blocks(const std::vector<Index>& group_sizes);

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
