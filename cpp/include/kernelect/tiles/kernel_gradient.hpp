#pragma once

#include <vector>

#include "kernelect/base/team.hpp"
#include "kernelect/linalg/linalg.hpp"
#include "kernelect/tiles/kernels.hpp"
#include "kernelect/tiles/sample.hpp"

namespace kernelect {

// The derivative of some number J in the entries of a kernel matrix, dJ = sum_ij G_ij dK_ij, in the
// form in which all that is differentiated here has it:
//     G = sum_k (l_k r_k' + r_k l_k') / 2 + c K + diag(d) + S.
struct EntryWeights {
    Matrix left = {}, right = {};  // l_k and r_k, one per row, in the sample's order
    double kernel = 0.0;           // c
    Vector diagonal = {};          // d; empty for none
    // S, of which the lower triangle is read; null for none.
    const linalg::ColMatrixRef* matrix = nullptr;
};

// A leaf of a Euclidean distance sum_j w_j (x_j - x'_j)^2 with a weight for every column, w = 1
// being the table as it is.
struct WeightedLeaf {
    std::size_t node;     // its place in the program
    ConstMatrixRef rows;  // the table that it reads, in the caller's order
};

struct KernelGradient {
    Matrix numbers;               // nodes x 2: a dJ/da and b dJ/db of every node of the program
    std::vector<Vector> columns;  // dJ/dw of every weighted leaf
};

// The derivatives of J in all numbers of a kernel expression, and in the weights of columns. Back
// through the expression, tile by tile; no n x n matrix is made. Throws std::domain_error for a
// normalised kernel whose values leave the range of doubles, and std::invalid_argument for weighted
// leaves that are none of a Euclidean distance.
KernelGradient kernel_gradient(const Program& program, const Sample& sample,
                               const EntryWeights& weights, const std::vector<WeightedLeaf>& leaves,
                               const Team& team);

}  // namespace kernelect
