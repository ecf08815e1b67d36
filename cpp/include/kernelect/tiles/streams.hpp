#pragma once

#include <functional>
#include <vector>

#include "kernelect/base/control.hpp"
#include "kernelect/tiles/kernel_set.hpp"
#include "kernelect/tiles/partial_sums.hpp"

namespace kernelect {

// Sums of E = sign * (K - shift) for one kernel K; rows in the sample's order. The shift is 1 for a
// wide kernel, so that E = 1 - K, and 0 where nothing is gained by one.
struct KernelSums {
    double shift = 0.0;
    double sign = 1.0;
    Matrix by_class;          // classes x n: sums of E over the columns of each class
    Matrix products;          // one row per common vector v: E v
    Vector row_squares;       // sum_j K_ij^2, of K itself; empty unless asked for
    double square_sum = 0.0;  // sum_ij E_ij^2; 0 unless asked for
};

struct SumsRequest {
    Matrix vectors;        // common vectors, one per row, in the sample's order
    bool squares = false;  // the set must have been made with squares
};

// What is done with the sums of each candidate, by several threads at once where there are some.
using SumsStep = std::function<void(Index candidate, KernelSums sums)>;

// One streaming pass over the symmetric tiles, then the sums of all candidates. No n x n matrix is
// kept.
void stream_sums(const KernelSet& set, const SumsRequest& request, Control& control,
                 const SumsStep& take);
std::vector<KernelSums> stream_sums(const KernelSet& set, const SumsRequest& request,
                                    Control& control);

// The same pass over the leaves from `first_leaf` to before `last_leaf` of the sample alone. Merged
// with the sums of the other leaves they finish as what stream_sums returns, bit for bit.
PartialSums stream_partial_sums(const KernelSet& set, const SumsRequest& request, Index first_leaf,
                                Index last_leaf, Control& control);
// Throws std::invalid_argument unless the sums are complete and of this set and request.
void finish_sums(const KernelSet& set, const SumsRequest& request, const PartialSums& sums,
                 Control& control, const SumsStep& take);

// Another pass: K_k V_k for every candidate k, V_k given with one vector per row.
std::vector<Matrix> stream_products(const KernelSet& set, const std::vector<Matrix>& vectors,
                                    Control& control);

// The same of v'K_k v alone, for every row v of V_k, which is cheaper.
std::vector<Vector> stream_quadratic_forms(const KernelSet& set, const std::vector<Matrix>& vectors,
                                           Control& control);

}  // namespace kernelect
