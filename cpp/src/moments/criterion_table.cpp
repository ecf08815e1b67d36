#include "kernelect/moments/criterion_table.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace kernelect {
namespace {

using criteria::Alignment;
using criteria::Score;

Score spectral(const MomentEvidence& e, const MomentCriterion& c) {
    if (!(e.moments.trace() > 0.0))
        return criteria::undefined("the trace of the kernel is not positive");
    return spectral_measure(c.spectral, *e.labels, *e.powers, e.moments.trace(), e.moments.total());
}
Score plain_alignment(const MomentEvidence& e, const MomentCriterion&) {
    return criteria::alignment(e.moments, Alignment::plain);
}
Score balanced_alignment(const MomentEvidence& e, const MomentCriterion&) {
    return criteria::alignment(e.moments, Alignment::balanced);
}
Score centred_alignment(const MomentEvidence& e, const MomentCriterion& c) {
    return criteria::alignment(e.moments,
                               c.variant ? Alignment::centred_survey : Alignment::centred);
}
Score separability(const MomentEvidence& e, const MomentCriterion&) {
    return criteria::separability(e.moments);
}
Score class_separability(const MomentEvidence& e, const MomentCriterion& c) {
    return criteria::class_separability(e.moments, c.variant);
}
Score normalized_cut(const MomentEvidence& e, const MomentCriterion& c) {
    return criteria::normalized_cut(e.moments, c.variant);
}
Score mean_discrepancy(const MomentEvidence& e, const MomentCriterion&) {
    return criteria::mean_discrepancy(e.moments);
}
Score stability(const MomentEvidence& e, const MomentCriterion&) {
    return criteria::stability(e.moments);
}

}  // namespace

const std::vector<CriterionEntry>& criterion_table() {
    // name, direction, squares, bare cuts, powers, formula
    static const std::vector<CriterionEntry> table = {
        {"sm", 1, false, false, true, spectral},
        {"kta", 1, true, false, false, plain_alignment},
        {"ekta", 1, true, false, false, balanced_alignment},
        {"ckta", 1, true, false, false, centred_alignment},
        {"fsm", -1, false, false, false, separability},
        {"kcsm", 1, false, false, false, class_separability},
        {"ncut", -1, false, true, false, normalized_cut},
        {"mmd", 1, false, false, false, mean_discrepancy},
        {"stability", 0, true, false, false, stability},
    };
    return table;
}

MomentCriterion make_criterion(const std::string& name, const SpectralForm& spectral,
                               bool variant) {
    for (const CriterionEntry& entry : criterion_table())
        if (name == entry.name) {
            if (entry.powers && spectral.degree < 1)
                throw std::invalid_argument("the degree of a criterion must be at least 1");
            return {&entry, spectral, variant};
        }
    throw std::invalid_argument("unknown criterion " + name);
}

Score score_of(const MomentCriterion& criterion, const MomentEvidence& evidence) {
    Score score =
        evidence.moments.finite()
            ? criterion.entry->formula(evidence, criterion)
            : criteria::undefined("the kernel matrix has entries too large for floating point");
    if (!std::isnan(score.value)) return score;
    // Large values of a criterion without a direction are those of kernels out of range.
    score.value = criterion.entry->direction > 0 ? -std::numeric_limits<double>::infinity()
                                                 : std::numeric_limits<double>::infinity();
    if (score.reason.empty()) score.reason = "the value is not a number";
    return score;
}

}  // namespace kernelect
