#pragma once

#include <vector>

#include "kernelect/base/digest.hpp"
#include "kernelect/tiles/tile.hpp"

namespace kernelect {

// The rows of a stored kernel matrix, which the caller keeps alive, in the order of the
// computation.
class StoredRows {
  public:
    // `column_order` as for the rows of the other table.
    StoredRows(const ConstMatrixRef& k, const std::vector<Index>& order,
               const std::vector<Index>& column_order);

    const Vector& diagonal() const { return diagonal_; }  // empty unless the matrix is square
    void add_to(Digest& digest) const;
    void values(const Block& a, const Block& b, Real* tile) const;

  private:
    const double* matrix_;
    Index stride_;
    std::vector<Index> order_, column_order_;
    Vector diagonal_;
};

}  // namespace kernelect
