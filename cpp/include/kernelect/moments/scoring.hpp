#pragma once

#include <vector>

#include "kernelect/base/control.hpp"
#include "kernelect/moments/criterion_table.hpp"

namespace kernelect {

// scores[k][c]: candidate k by criterion c. One streaming pass over all candidates, and one more
// for each further product that the highest degree of sm needs; candidates are taken in groups
// where their sums would exceed `memory` bytes.
std::vector<std::vector<criteria::Score>> score_moments(const Sample& sample, const Target& target,
                                                        const std::vector<Program>& programs,
                                                        const std::vector<MomentCriterion>& wanted,
                                                        double memory, Control& control);

// The first pass of score_moments over some leaves of the sample (see Leaves), for all candidates
// in one group. The sums of all leaves, merged, give the same scores as one call does, to the last
// bit where that takes the candidates in one group too.
PartialSums moment_sums(const Sample& sample, const Target& target,
                        const std::vector<Program>& programs,
                        const std::vector<MomentCriterion>& wanted, Index first_leaf,
                        Index last_leaf, Control& control);
// Runs the further passes that high degrees of sm need.
std::vector<std::vector<criteria::Score>> score_moments_from(
    const PartialSums& sums, const Sample& sample, const Target& target,
    const std::vector<Program>& programs, const std::vector<MomentCriterion>& wanted,
    Control& control);

// Mean off-diagonal over mean diagonal entry of every kernel, or with `squares` the same of squared
// entries, in which signs do not cancel: near 0 for the identity.
Vector off_diagonal_shares(const Sample& sample, const std::vector<Program>& programs, bool squares,
                           Control& control);

}  // namespace kernelect
