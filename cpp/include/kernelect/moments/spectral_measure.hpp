#pragma once

#include <vector>

#include "kernelect/base/wide_number.hpp"
#include "kernelect/moments/moments.hpp"
#include "kernelect/moments/score.hpp"

namespace kernelect {

// Which form of the spectral measure (1/n) y' N^r y, N = K / (trace or sum of entries).
struct SpectralForm {
    int degree = 2;
    bool entry_sum = false;  // N = K / 1'K1 as printed in the paper, else K / tr K
    bool plain = false;      // labels +-1, else weighted by n/n_k
    bool relative = false;   // divided by the value at K = I
};

// The label vectors w that the measure propagates, in the sample's order, one per row: one-vs-rest
// codings (one vector for two classes), or targets scaled to squared norm n.
struct LabelVectors {
    Matrix rows;
    Matrix coding;  // coefficients on the classes; empty for a regression target
    bool centred;   // every row sums to zero
};
LabelVectors label_vectors(const Sample& sample, const Target& target, bool plain);

// w' (nK/tr K)^j w for j = 0, 1, ...: pushed on as products become available.
class SpectralPowers {
  public:
    // `products` = K w (one row per vector), the first of them.
    SpectralPowers(const LabelVectors& labels, double trace, const Matrix& products);

    // (nK/tr K)^m w for the highest m so far, up to a power of two; the next product must be taken
    // of it.
    const Matrix& top() const { return top_; }
    void push(const Matrix& product_of_top);
    // t'Kt for every vector t at the top: one degree more, and the end of it.
    void push_last(const Vector& forms_of_top);
    // Mean over vectors of w' (nK/tr K)^r w / w'w-mean; needs ceil(r/2) products, of which the last
    // may be the forms alone if r is odd.
    WideNumber relative_power(int r) const;

  private:
    double scale_;                   // n / tr K
    Matrix top_;                     // highest power, times 2^-exponent_
    long exponent_ = 0;              // powers grow up to n-fold each: high ones leave the range
    std::vector<WideNumber> inner_;  // sum over vectors of w' (nK/tr K)^j w
};

// The measure from its relative powers; `total` is 1'K1.
criteria::Score spectral_measure(const SpectralForm& form, const LabelVectors& labels,
                                 const SpectralPowers& powers, double trace, double total);

}  // namespace kernelect
