#pragma once

#include <string>
#include <vector>

#include "kernelect/moments/criteria.hpp"
#include "kernelect/moments/spectral_measure.hpp"

namespace kernelect {

struct MomentCriterion;

// What one kernel's passes have brought together. Labels and powers are those that a criterion with
// `powers` has asked for, in its coding, and null for the others.
struct MomentEvidence {
    const Moments& moments;
    const LabelVectors* labels;
    const SpectralPowers* powers;
};

// All that is known of one criterion of O(n^2) evidence.
struct CriterionEntry {
    const char* name;
    int direction;   // 1: the larger the better, -1: the smaller, 0: neither
    bool squares;    // needs sums of squared entries
    bool bare_cuts;  // judges sums between classes without the diagonal: tails must be exact
    bool powers;     // needs powers of the kernel on labels, up to its degree
    criteria::Score (*formula)(const MomentEvidence& evidence, const MomentCriterion& criterion);
};

const std::vector<CriterionEntry>& criterion_table();

// An entry with its parameters.
struct MomentCriterion {
    const CriterionEntry* entry;
    SpectralForm spectral;  // of sm
    bool variant = false;   // ckta: survey; kcsm: bounded; ncut: Shi-Malik
};

// Throws std::invalid_argument for a name that is not in the table.
MomentCriterion make_criterion(const std::string& name, const SpectralForm& spectral = {},
                               bool variant = false);

// The criterion's value. Where it is undefined, or the sums are not finite, it is the worst of its
// direction with a reason, never a NaN.
criteria::Score score_of(const MomentCriterion& criterion, const MomentEvidence& evidence);

}  // namespace kernelect
