#include "kernelect/moments/moments.hpp"

#include <cmath>

namespace kernelect {

Moments::Moments(const Sample& sample, const Target& target, const KernelSums& sums,
                 Vector diagonal)
    : sample_(sample), target_(target), sums_(sums), diagonal_(std::move(diagonal)) {
    const int c = sample.classes();
    row_sums_ = sums.by_class.row(0).transpose();  // row by row: in packs, to the same bits
    for (int k = 1; k < c; ++k) row_sums_ += sums.by_class.row(k).transpose();
    blocks_.resize(c, c);
    for (int k = 0; k < c; ++k)
        for (int l = 0; l < c; ++l)
            blocks_(k, l) = sums.by_class.row(l)
                                .segment(sample.class_begin(k), sample.class_sizes()[place(k)])
                                .sum();
    finite_ = diagonal_.allFinite() && std::isfinite(trace()) && std::isfinite(total()) &&
              blocks_.allFinite() && std::isfinite(sums_.square_sum) &&
              sums_.row_squares.allFinite() && sums_.products.allFinite();
}

double Moments::total() const { return n() * n() * sums_.shift + sums_.sign * blocks_.sum(); }

double Moments::block(int k, int l) const {
    return class_size(k) * class_size(l) * sums_.shift + sums_.sign * blocks_(k, l);
}

double Moments::frobenius() const { return std::sqrt(sums_.row_squares.sum()); }

double Moments::centred_frobenius_squared() const {
    // ||HEH||^2 = ||E||^2 - (1'E1)^2/n^2 - (2/n) sum_i (r_i - mean r)^2, r = E1
    const double mean = row_sums_.mean(), all = blocks_.sum();
    return (sums_.square_sum - all * all / (n() * n())) -
           2.0 / n() * (row_sums_.array() - mean).square().sum();
}

double Moments::centred_form(const Vector& a) const { return sums_.sign * a.dot(blocks_ * a); }

Vector Moments::class_product(const Vector& a, bool centred) const {
    Vector product = (sums_.sign * a(0)) * sums_.by_class.row(0).transpose();
    for (int k = 1; k < classes(); ++k)
        product += (sums_.sign * a(k)) * sums_.by_class.row(k).transpose();
    if (!centred && sums_.shift != 0.0) {
        double sum = 0.0;
        for (int k = 0; k < classes(); ++k) sum += class_size(k) * a(k);
        product.array() += sums_.shift * sum;
    }
    return product;
}

Vector Moments::class_product_on(int q, const Vector& a, int k, int l) const {
    const Index begin = sample_.class_begin(q), size = static_cast<Index>(class_size(q));
    return sums_.sign * (a(k) * sums_.by_class.row(k).segment(begin, size) +
                         a(l) * sums_.by_class.row(l).segment(begin, size))
                            .transpose();
}

Vector Moments::target_product(Index p) const {
    return sums_.sign * sums_.products.row(p).transpose();
}

double Moments::target_form(Index p, Index q) const {
    return sums_.sign * target_.centred.row(p).dot(sums_.products.row(q));
}

double Moments::target_total(Index p) const { return sums_.sign * sums_.products.row(p).sum(); }

}  // namespace kernelect
