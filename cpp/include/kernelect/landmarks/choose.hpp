#pragma once

#include <cstdint>

#include "kernelect/landmarks/kernel_values.hpp"

namespace kernelect {

struct ChosenLandmarks {
    std::vector<Index> rows;  // of the pool, in the order in which they were taken
    Vector origin;            // mean over the pool of g = L^-1 k(x, Z)
    double mean_diagonal;     // mean over the pool of k(x, x)
    Vector left;              // mean of k(x, x) - |g|^2 after each of them
};

// Randomly pivoted Cholesky (Chen, Epperly, Tropp and Webber, 2025): the next landmark is a row of
// the pool with probability proportional to what the others leave of k(x, x). Taken in blocks
// (Epperly, Tropp and Webber, 2024): many rows are proposed at once and each is accepted with the
// share of its rest that those before it in the block leave, which gives the same law of landmarks
// with products of matrices. No jitter: what is left of a row at rounding level counts as nothing,
// so that no row is taken twice and a kernel of low rank has few landmarks.
//
// Stops after `limit` landmarks, or when the mean of what is left is at most `tolerance`. Random
// numbers depend on the seed and their place alone, so that kernels which are alike have nearly the
// same landmarks. Throws std::domain_error for a kernel that vanishes or is not finite.
ChosenLandmarks choose_landmarks(const PoolKernel& pool, Index limit, double tolerance,
                                 std::uint64_t seed, const Team& team);

}  // namespace kernelect
