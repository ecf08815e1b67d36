#include "kernelect/linalg/serial.hpp"

#include <Eigen/Eigenvalues>

#include "kernelect/linalg/linalg.hpp"

namespace kernelect::serial {
namespace {

constexpr Eigen::Index kSmall = 200;  // the largest order that LAPACK does not solve faster

}  // namespace

ColMatrix product(ConstColMatrixRef a, ConstColMatrixRef b) { return a * b; }

void add_gram(double alpha, ConstColMatrixRef a, ColMatrixRef c) {
    c.selfadjointView<Eigen::Lower>().rankUpdate(a.transpose(), alpha);
}

void solve_lower(ConstColMatrixRef l, ColMatrixRef b) {
    l.triangularView<Eigen::Lower>().solveInPlace(b);
}

void solve_lower_transposed(ConstColMatrixRef l, ColMatrixRef b) {
    l.transpose().triangularView<Eigen::Upper>().solveInPlace(b);
}

void solve_factored(ConstColMatrixRef l, ColMatrixRef b) {
    solve_lower(l, b);
    solve_lower_transposed(l, b);
}

Eigen::VectorXd eigh(ColMatrixRef a, bool vectors) {
    const Eigen::SelfAdjointEigenSolver<ColMatrix> solver(
        a, vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
    if (solver.info() != Eigen::Success || !solver.eigenvalues().allFinite())
        throw linalg::NoConvergence();
    if (vectors) a = solver.eigenvectors();
    return solver.eigenvalues();
}

Eigen::VectorXd small_eigh(ColMatrix& a) {
    return a.rows() > kSmall ? linalg::eigh(a, true) : eigh(a, true);
}

}  // namespace kernelect::serial
