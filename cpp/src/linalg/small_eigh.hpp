#pragma once

#include <Eigen/Eigenvalues>
#include <stdexcept>

#include "kernelect/linalg/linalg.hpp"

namespace kernelect::linalg {

// linalg::eigh with vectors for the projected matrices of Krylov methods, which are small and
// solved often. Below the order where a threaded LAPACK gains anything Eigen is as fast, gives the
// same bits whatever LAPACK is in use, and does not wait for threads that other work holds up.
inline Eigen::VectorXd small_eigh(ColMatrix& a) {
    if (a.rows() > 200) return eigh(a, true);
    const Eigen::SelfAdjointEigenSolver<ColMatrix> solver(a);
    if (solver.info() != Eigen::Success)
        throw std::runtime_error("the eigenvalue iteration did not converge");
    a = solver.eigenvectors();
    return solver.eigenvalues();
}

}  // namespace kernelect::linalg
