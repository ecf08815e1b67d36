#pragma once

#include <vector>

#include "kernelect/base/control.hpp"
#include "kernelect/base/team.hpp"
#include "kernelect/landmarks/basis.hpp"
#include "kernelect/landmarks/kernel_values.hpp"

namespace kernelect {

// Rows whose residuals are wanted.
struct ScoredRows {
    Matrix targets;                    // rows x columns
    Vector weights = {};               // in the training sums; empty: all 1
    std::vector<Index> landmark = {};  // which landmark each row is, -1 for none; empty: none
};

struct LandmarkFit {
    linalg::ColMatrix coefficients;  // landmarks x columns: f(x) = k(x, Z) coefficients + bias
    Vector bias;
};

// With the model as a Gaussian process a left-out target has the variance rho / (w share) + unseen,
// in units of the kernel: landmarks do not see the last of a new row.
struct LandmarkResiduals {
    std::vector<linalg::ColMatrix> of_ridge;  // rows x columns
    Matrix shares = {};  // of left-out rows 1 - h, ridges x rows; of landmarks without themselves
    Vector unseen = {};  // of left-out rows k(x, x) - |g|^2
};

// A fold F of the training rows, and a series around the fit on all of them.
struct FoldSeries {
    linalg::ColMatrix sums;  // the group of RowSums that is F's
    double ratio;            // of its rows to the others, M / (n - M)
    int order;               // terms
};

// Ridge regression on the first landmarks of a basis, with every ridge rho > 0 from one
// decomposition. For training rows of weights w, in coordinates g,
//     min over beta, b of  sum w (y - g'beta - b)^2 + rho |beta|^2.
// With W = sum w, means mu and ybar, C = sum w (g - mu)(g - mu)' = V diag(Lam) V',
// c = V' sum w (g - mu)(y - ybar) and D = 1 / (Lam + rho),
//     beta = V (D c),   b = ybar - mu'beta,
// and a row with u = V'(g - mu) has the residual e = y - ybar - sum u D c and, where it was trained
// on, the leverage h = w/W + w sum u^2 D. Without bias mu, ybar and w/W are 0.
class LandmarkRidge {
  public:
    // `sums` is a group of RowSums around the origins of the basis and of the targets; the basis
    // must outlive this. Throws std::domain_error for sums that are not finite.
    LandmarkRidge(const LandmarkBasis& basis, const linalg::ColMatrix& sums,
                  const Vector& target_origin, bool bias, Index order, const Team& team);
    LandmarkRidge(LandmarkBasis&& basis, const linalg::ColMatrix& sums, const Vector& target_origin,
                  bool bias, Index order, const Team& team) = delete;

    Index order() const { return values_.size(); }
    const Vector& eigenvalues() const { return values_; }  // Lam, ascending

    LandmarkFit fit(double rho) const;

    // Sum w (y - f)^2 over the training rows, of each column. What cancels where the fit is nearly
    // perfect is lost: a result below 1e-9 of the total sum of squares tells no more than that.
    Vector squared_residuals(double rho) const;
    Vector total_squares() const { return total_; }
    double degrees_of_freedom(double rho) const;

    // y - f of each row and ridge, rows x columns. `left_out`: of models trained without the row,
    // e / (1 - h). Where the row is landmark j it leaves the basis too; with t row j of L'^-1 V,
    //     (p e + s a) / (p (1 - h) + w s^2),  s = sum u t D,  p = sum t^2 D,  a = sum t D c,
    // 1 - h becomes 1 - h + w s^2 / p, and of the kernel 1 / |t|^2 is not seen any more.
    LandmarkResiduals residuals(const LandmarkColumns& columns, const ScoredRows& rows,
                                const std::vector<double>& ridges, bool left_out,
                                Control& control) const;

    // y - f^(-F) of rows of a fold, approximately, by the series of bif_residuals. Its terms are
    // functions u'theta + b of this model, which D weighs and the smoother A fits: all that is
    // asked of the rows of F are their sums.
    LandmarkResiduals expanded(const LandmarkColumns& columns, const ScoredRows& rows,
                               const std::vector<double>& ridges, const FoldSeries& series,
                               Control& control) const;

  private:
    struct Scoring;
    LandmarkResiduals scored(const Scoring& scoring, Control& control) const;
    void score(const Scoring& scoring, Index first, Index count, LandmarkResiduals& out) const;
    void expand(Scoring& scoring, const FoldSeries& series) const;

    const LandmarkBasis& basis_;
    bool bias_;
    double weight_;                          // W
    Vector values_;                          // Lam
    linalg::ColMatrix vectors_;              // V
    linalg::ColMatrix moments_;              // c
    Vector centre_, target_centre_, total_;  // mu, ybar, sum w (y - ybar)^2
    Vector moved_, target_moved_;            // how far mu and ybar are from the origins of sums
};

}  // namespace kernelect
