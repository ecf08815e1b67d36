#pragma once

#include "kernelect/tiles/sample.hpp"
#include "kernelect/tiles/streams.hpp"

namespace kernelect {

// What is to be predicted, in the sample's order. Classes are the sample's own; a regression target
// comes as centred columns with their means. With neither (one class, no columns) only label-free
// criteria are defined.
struct Target {
    Matrix centred;  // one row per target column, each summing to zero
    Vector means;

    bool regression() const { return centred.rows() > 0; }
};

// The evidence of one streaming pass about one kernel, with every sum that a closed form needs. All
// centred quantities are computed from E = sign * (K - shift), whose constant part is gone.
class Moments {
  public:
    // All but the diagonal must outlive this.
    Moments(const Sample& sample, const Target& target, const KernelSums& sums, Vector diagonal);
    Moments(Sample&& sample, const Target& target, const KernelSums& sums, Vector d) = delete;
    Moments(const Sample& sample, Target&& target, const KernelSums& sums, Vector d) = delete;
    Moments(const Sample& sample, const Target& target, KernelSums&& sums, Vector d) = delete;

    double n() const { return static_cast<double>(sample_.size()); }
    int classes() const { return sample_.classes(); }
    double class_size(int k) const { return static_cast<double>(sample_.class_sizes()[place(k)]); }
    const Sample& sample() const { return sample_; }
    const Target& target() const { return target_; }
    const Vector& diagonal() const { return diagonal_; }

    bool finite() const { return finite_; }
    double trace() const { return diagonal_.sum(); }
    // tr(K) - n shift: what is left of the trace beside the sums of E.
    double shifted_trace() const { return (diagonal_.array() - sums_.shift).sum(); }
    double total() const;                      // 1'K1
    double block(int k, int l) const;          // 1_k'K 1_l
    double frobenius() const;                  // ||K||
    double centred_frobenius_squared() const;  // ||HKH||^2
    const Vector& row_squares() const { return sums_.row_squares; }
    double sign() const { return sums_.sign; }
    double shift() const { return sums_.shift; }
    double shifted_block(int k, int l) const { return blocks_(k, l); }  // 1_k'E 1_l
    double shifted_total() const { return blocks_.sum(); }

    // a'K a for a vector that is a_k on class k, when sum_k n_k a_k = 0.
    double centred_form(const Vector& a) const;
    // K a for such a vector; with `centred` its sum is taken to be exactly zero.
    Vector class_product(const Vector& a, bool centred) const;
    // The part on class q of K a for such a vector that is zero except on classes k and l.
    Vector class_product_on(int q, const Vector& a, int k, int l) const;
    // K t for target column p (centred).
    Vector target_product(Index p) const;
    // t_p'K t_q of centred columns, and 1'K t_p.
    double target_form(Index p, Index q) const;
    double target_total(Index p) const;

  private:
    const Sample& sample_;
    const Target& target_;
    const KernelSums& sums_;
    Vector diagonal_;
    Vector row_sums_;  // of E
    Matrix blocks_;    // class by class sums of E
    bool finite_;      // whether all of it is
};

}  // namespace kernelect
