#include "kernelect/ridge/gram_buffer.hpp"

#include <algorithm>
#include <stdexcept>

namespace kernelect {

GramBuffer::GramBuffer(linalg::ColMatrixRef matrix, const Team& team)
    : matrix_(matrix), diagonal_(matrix.diagonal()), team_(team) {
    if (matrix_.rows() != matrix_.cols())
        throw std::invalid_argument("the kernel matrix is " + std::to_string(matrix_.rows()) +
                                    " x " + std::to_string(matrix_.cols()) +
                                    ", a square one is needed");
}

void GramBuffer::restore() {
    if (intact_) return;
    constexpr Index kBlock =
        64;  // two blocks stay in the first-level cache while one is transposed
    const Index n = size();
    for (Index col = 0; col < n; col += kBlock) {
        const Index cols = std::min(kBlock, n - col);
        auto corner = matrix_.block(col, col, cols, cols);
        for (Index j = 0; j < cols; ++j)
            for (Index i = j + 1; i < cols; ++i) corner(i, j) = corner(j, i);
        for (Index row = col + kBlock; row < n; row += kBlock) {
            const Index rows = std::min(kBlock, n - row);
            matrix_.block(row, col, rows, cols) = matrix_.block(col, row, cols, rows).transpose();
        }
    }
    matrix_.diagonal() = diagonal_;
    intact_ = true;
}

}  // namespace kernelect
