#pragma once

#include "kernelect/moments/moments.hpp"
#include "kernelect/moments/score.hpp"

// Every closed form on Moments, one function each. Where a formula has no value it says why.
namespace kernelect::criteria {

enum class Alignment { plain, balanced, centred, centred_survey };

// Kernel-target alignment: the cosine between K and a matrix made of the target. `plain` (KTA):
// yy'; `balanced` (EKTA): classes weighted by 1/n_k; `centred` (CKTA, Cortes et al.): both centred;
// `centred_survey`: only K centred, two classes.
Score alignment(const Moments& m, Alignment kind);

// Feature-space separability measure: within-class spread over the distance of the class means,
// along the line that joins them; the mean over pairs of classes.
Score separability(const Moments& m);

// Kernel class separability measure Tr S_B / Tr S_W; bounded: Tr S_B / (Tr S_B + Tr S_W).
Score class_separability(const Moments& m, bool bounded);

// Normalised cut of the two classes: 4 cut / vol, or cut/vol(+) + cut/vol(-) (Shi and Malik).
Score normalized_cut(const Moments& m, bool shi_malik);

// Squared distance of the two class means in feature space (biased MMD^2).
Score mean_discrepancy(const Moments& m);

// Kernel stability max_i ||K - K^i||_2, K^i with row and column i zeroed (Theorem 4).
Score stability(const Moments& m);

}  // namespace kernelect::criteria
