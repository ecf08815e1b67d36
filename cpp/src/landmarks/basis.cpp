#include "kernelect/landmarks/basis.hpp"

#include <stdexcept>

#include "kernelect/linalg/blas.hpp"

namespace kernelect {

LandmarkBasis::LandmarkBasis(linalg::ColMatrix gram, Vector origin)
    : factor_(std::move(gram)), origin_(std::move(origin)) {
    if (factor_.rows() != size() || factor_.cols() != size() || size() < 1)
        throw std::invalid_argument("a basis needs one landmark at least, and an origin of theirs");
    if (!origin_.allFinite()) throw std::invalid_argument("the origin of a basis must be finite");
    if (linalg::leading_cholesky(factor_) < size())
        throw std::domain_error("the landmarks depend on one another to working precision");
}

void LandmarkBasis::whiten(linalg::ColMatrixRef columns) const {
    const Index order = columns.rows();
    blas::trsm_left(factor_.topLeftCorner(order, order), blas::Transpose::no, columns);
}

void LandmarkBasis::to_kernels(linalg::ColMatrixRef b) const {
    const Index order = b.rows();
    blas::trsm_left(factor_.topLeftCorner(order, order), blas::Transpose::yes, b);
}

}  // namespace kernelect
