#pragma once

#include <variant>
#include <vector>

#include "kernelect/tiles/dense_rows.hpp"
#include "kernelect/tiles/sparse_rows.hpp"
#include "kernelect/tiles/stored_rows.hpp"

namespace kernelect {

// One table of rows in the order and blocks of the computation: feature vectors, dense or sparse,
// or the rows of a stored kernel matrix. Computes base tiles between two such tables.
class Rows {
  public:
    Rows(DenseRows rows) : rows_(std::move(rows)) {}
    Rows(SparseRows rows) : rows_(std::move(rows)) {}
    Rows(StoredRows rows) : rows_(std::move(rows)) {}

    // tile(i, j) = base between row i of block a of this table and row j of block b of `other`;
    // rows kTile apart. Columns and rows beyond the blocks hold anything. `scratch` is grown as
    // needed. Returns bounds of the entries where they come for nothing.
    Range base_tile(Base base, const Block& a, const Rows& other, const Block& b, Real* tile,
                    std::vector<Real>& scratch) const;

    // x.x of every row, or the diagonal of a stored matrix.
    const Vector& own_products() const;
    // Whether these are rows of a kernel matrix.
    bool stored() const { return std::holds_alternative<StoredRows>(rows_); }
    // What dense rows are centred by for their distances; empty for the others.
    Vector centre() const;
    void add_to(Digest& digest) const;

  private:
    std::variant<DenseRows, SparseRows, StoredRows> rows_;
};

}  // namespace kernelect
