#pragma once

#include "kernelect/moments/criterion_table.hpp"
#include "kernelect/tiles/kernel_gradient.hpp"

namespace kernelect {

struct MomentSlopes {
    double value;
    KernelGradient kernel;
};

// A closed form on sums over the kernel matrix, with its derivatives in all numbers of a kernel
// expression and in the weights of columns: a few passes over the tiles, O(n^2), and no n x n
// matrix. Known are, with N the norm of K or of HKH and f the value,
//     alignments  G = T / (N |T|) - f K / N^2, of those of both centred with HKH in place of K
//     sm          f = c sum_q w_q'K^r w_q / D^r, D = tr K or 1'K1:
//                 G = f sum_qj sym(K^j w_q (K^(r-1-j) w_q)') / sum_q w_q'K^r w_q - r f dD / D
//     stability   that of the row i for which it is largest: G = sym(e_i s')
// Throws std::invalid_argument for other forms, and std::domain_error, with the reason, where the
// form has no value.
MomentSlopes differentiate(const MomentCriterion& form, const Program& program,
                           const Sample& sample, const Target& target,
                           const std::vector<WeightedLeaf>& leaves, Control& control);

}  // namespace kernelect
