#include "kernelect/tiles/stored_rows.hpp"

namespace kernelect {

StoredRows::StoredRows(const ConstMatrixRef& k, const std::vector<Index>& order,
                       const std::vector<Index>& column_order)
    : matrix_(k.data()), stride_(k.outerStride()), order_(order), column_order_(column_order) {
    if (k.rows() != k.cols()) return;
    diagonal_.resize(k.rows());
    for (Index i = 0; i < k.rows(); ++i) diagonal_(i) = k(order[place(i)], order[place(i)]);
}

void StoredRows::add_to(Digest& digest) const {
    for (const Index row : order_)
        for (const Index column : column_order_) digest.add(matrix_[row * stride_ + column]);
}

void StoredRows::values(const Block& a, const Block& b, Real* tile) const {
    for (Index i = 0; i < a.size; ++i) {
        const double* from = matrix_ + order_[place(a.begin + i)] * stride_;
        for (Index j = 0; j < b.size; ++j)
            tile[i * kTile + j] = from[column_order_[place(b.begin + j)]];
    }
}

}  // namespace kernelect
