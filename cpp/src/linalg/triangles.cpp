#include "kernelect/linalg/triangles.hpp"

namespace kernelect::triangles {

using Eigen::Index;

void add_symmetric_product(double alpha, const ConstColMatrixRef& s, blas::Triangle triangle,
                           const ConstColMatrixRef& b, ColMatrixRef c) {
    const Index n = s.rows();
    for (Index j = 0; j < n; ++j) {
        const Index start = triangle == blas::Triangle::lower ? j + 1 : 0;
        const Index length = triangle == blas::Triangle::lower ? n - j - 1 : j;
        const auto column = s.col(j).segment(start, length);
        for (Index k = 0; k < c.cols(); ++k) {
            c.col(k).segment(start, length) += alpha * b(j, k) * column;
            c(j, k) += alpha * (s(j, j) * b(j, k) + column.dot(b.col(k).segment(start, length)));
        }
    }
}

Eigen::VectorXd squared_columns(const ConstColMatrixRef& lower) {
    const Index n = lower.rows();
    Eigen::VectorXd squares(n);
    for (Index j = 0; j < n; ++j) squares[j] = lower.col(j).tail(n - j).squaredNorm();
    return squares;
}

}  // namespace kernelect::triangles
