#pragma once

#include <variant>
#include <vector>

#include "kernelect/tiles/sample.hpp"

namespace kernelect {

// Tables of rows as the caller holds them, and keeps them alive. Samples are made of a few of the
// rows at a time, so that of a large table there is never a second copy.
class RowTables {
  public:
    explicit RowTables(Index rows) : rows_(rows) {}

    void add_dense(const ConstMatrixRef& x);
    void add_sparse(const SparseView& x);

    Index size() const { return rows_; }
    Index tables() const { return static_cast<Index>(tables_.size()); }

    // Rows without classes, in the order given; `like` as for Sample.
    Sample range(Index first, Index count, const Sample* like = nullptr) const;
    Sample take(const std::vector<Index>& rows, const Sample* like = nullptr) const;

  private:
    Index rows_;
    std::vector<std::variant<ConstMatrixRef, SparseView>> tables_;
};

}  // namespace kernelect
