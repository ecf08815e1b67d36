#pragma once

#include <vector>

#include "kernelect/base/control.hpp"
#include "kernelect/tiles/kernel_set.hpp"

namespace kernelect {

// Sums of E = sign * (K - shift) between some rows, the set's others, and all rows, its sample, for
// one kernel. Every sum of one of the others is over all rows, hence exact.
struct SampledSums {
    double shift = 0.0;
    double sign = 1.0;
    double trace = 0.0;  // of K on all rows
    Matrix by_class;     // classes x others: sums of E over the rows of each class
    Matrix products;     // one row per common vector v: E v
    Vector squares;      // sum_i E_ij^2 of each of the others
    Vector spreads;      // of each group of the others: sum over all rows i of (sum_j w_j E_ij)^2
};

// One streaming pass over the rectangle of all rows against the others, for all candidates. The
// vectors, one per row, are in the sample's order, the weights w in that of the caller's others, as
// are the results. The classes of the others are the groups. The bits do not depend on the number
// of threads.
std::vector<SampledSums> sampled_sums(const KernelSet& set, const ConstMatrixRef& vectors,
                                      const ConstVectorRef& weights, Control& control);

}  // namespace kernelect
