#include "kernelect/moments/spectral_measure.hpp"

#include <cmath>
#include <stdexcept>

namespace kernelect {
namespace {

// Vectors are kept within 2^-kKeepWithin .. 2^kKeepWithin, so that products of them stay in range.
constexpr int kKeepWithin = 200;
// Entries that add up to no more than this share of the trace add up to nothing.
constexpr double kEmpty = 1e-12;

}  // namespace

LabelVectors label_vectors(const Sample& sample, const Target& target, bool plain) {
    const Index n = sample.size();
    const double all = static_cast<double>(n);
    if (target.regression()) {
        LabelVectors labels{target.centred, {}, true};
        for (Index p = 0; p < labels.rows.rows(); ++p) {
            const double norm = labels.rows.row(p).stableNorm();
            if (!(norm > 0.0)) throw std::invalid_argument("a regression target is constant");
            labels.rows.row(p) *= std::sqrt(all) / norm;
        }
        return labels;
    }
    const int c = sample.classes();
    if (c < 2) throw std::invalid_argument("sm needs class labels or a regression target");
    const int vectors = c == 2 ? 1 : c;
    LabelVectors labels{Matrix(vectors, n), Matrix(vectors, c), !plain};
    for (int k = 0; k < vectors; ++k)
        for (int q = 0; q < c; ++q) {
            const Index begin = sample.class_begin(q);
            const Index size = sample.class_sizes()[place(q)];
            const double own = static_cast<double>(sample.class_sizes()[place(k)]);
            const double value = plain    ? (q == k ? 1.0 : -1.0)
                                 : q == k ? all / own
                                          : -all / (all - own);
            labels.coding(k, q) = value;
            labels.rows.row(k).segment(begin, size).setConstant(value);
        }
    return labels;
}

SpectralPowers::SpectralPowers(const LabelVectors& labels, double trace, const Matrix& products)
    : scale_(static_cast<double>(labels.rows.cols()) / trace), top_(labels.rows) {
    inner_.emplace_back(top_.squaredNorm());
    push(products);
}

void SpectralPowers::push(const Matrix& product_of_top) {
    Matrix next = scale_ * product_of_top;
    inner_.emplace_back(top_.cwiseProduct(next).sum(), 2 * exponent_);
    inner_.emplace_back(next.squaredNorm(), 2 * exponent_);
    top_ = std::move(next);
    const double largest = top_.cwiseAbs().maxCoeff();
    if (largest > 0.0 && std::abs(std::ilogb(largest)) > kKeepWithin) {
        const int shift = std::ilogb(largest);
        top_ *= std::ldexp(1.0, -shift);
        exponent_ += shift;
    }
}

void SpectralPowers::push_last(const Vector& forms_of_top) {
    inner_.emplace_back(scale_ * forms_of_top.sum(), 2 * exponent_);
}

WideNumber SpectralPowers::relative_power(int r) const { return inner_[place(r)] / inner_[0]; }

criteria::Score spectral_measure(const SpectralForm& form, const LabelVectors& labels,
                                 const SpectralPowers& powers, double trace, double total) {
    const double n = static_cast<double>(labels.rows.cols());
    WideNumber value = powers.relative_power(form.degree);  // (nK/trK)^r against I^r
    if (form.entry_sum) {
        if (total <= kEmpty * trace)
            return criteria::undefined("the sum of the kernel's entries is not positive");
        value = value * WideNumber::power(trace / total, form.degree);
    }
    WideNumber unit(1.0);  // the value at K = I
    if (!form.relative) {
        // N = I/n there, so the measure is n^-r times the mean of w'w/n over the vectors.
        const double vectors = static_cast<double>(labels.rows.rows());
        unit = WideNumber(labels.rows.squaredNorm() / (vectors * n)) /
               WideNumber::power(n, form.degree);
        if (unit.underflows())
            return criteria::undefined(
                "the value is too small for floating point; take it relative to K = I");
    }
    value = value * unit;
    if (value.overflows()) return criteria::undefined("the value is too large for floating point");
    return {value.underflows() ? 0.0 : value.value(), {}};
}

}  // namespace kernelect
