#pragma once

#include <vector>

#include "kernelect/base/control.hpp"
#include "kernelect/base/types.hpp"
#include "kernelect/linalg/linalg.hpp"
#include "kernelect/spectrum/symmetric_operator.hpp"

namespace kernelect {

// Gauss quadrature of the measure that puts <u, v_i>^2 on each eigenvalue of K:
// u' phi(K) u ~= sum_j weights_j phi(nodes_j), exact for polynomials of degree below 2 * size.
struct QuadratureRule {
    Vector nodes;        // ascending
    Vector weights;      // sum to |u|^2
    Vector residuals;    // |K x - node x| of the unit Ritz vector x behind each node
    bool exact = false;  // the Krylov space closed: exact for every phi
};

// Lanczos with full reorthogonalisation from every column of a block at once, so that one product
// serves all. The caller makes the products:
//
//     while (!run.done()) { K.apply(run.block(), out, control); run.advance(out); }
class LanczosQuadrature {
  public:
    using ColMatrix = linalg::ColMatrix;

    // Stops after `steps` products; a column stops earlier when its Krylov space is exhausted.
    // Throws std::invalid_argument if steps is not positive.
    LanczosQuadrature(ConstMatrixRef starts, Index steps);

    bool done() const { return done_ == runs_.size() || taken_ == steps_; }
    const ColMatrix& block() const { return block_; }
    // Takes K * block(). Throws std::domain_error if it is not finite.
    void advance(const ColMatrix& product);

    Index steps() const { return taken_; }
    QuadratureRule rule(Index column) const;

  private:
    struct Run {
        double squared_norm = 0.0, scale = 0.0;
        ColMatrix basis;                  // padded rows, grows
        std::vector<double> alpha, beta;  // of the tridiagonal matrix; beta[j] follows alpha[j]
        bool closed = false;
    };

    void step(Run& run, const Eigen::Ref<const Vector>& product) const;
    void collect_block();

    Index n_, steps_, taken_ = 0;
    std::size_t done_ = 0;
    std::vector<Run> runs_;
    ColMatrix block_;
};

std::vector<QuadratureRule> lanczos_quadrature(const SymmetricOperator& k, ConstMatrixRef starts,
                                               Index steps, Control& control);

struct HingeForm {
    double value = 0.0;  // sum of lambda_i <u, v_i>^2 over the eigenvalues above the threshold
    double error = 0.0;  // bound on its error, for positive semidefinite K
    Index steps = 0;
    bool converged = false;
};

// Whether an eigenvalue counts as above the threshold. The slack keeps values that equal it up to
// rounding (all of them when K = I and the threshold is tr K / n) on one side.
bool above(double value, double threshold, double largest);

// u' phi(K) u with phi(t) = t above the threshold and 0 elsewhere: from all eigenvalues and the
// energies <u, v_i>^2, or from a quadrature rule.
double hinge_sum(ConstVectorRef values, ConstVectorRef energies, double threshold);
HingeForm hinge_form(const QuadratureRule& rule, double threshold);

// One form per column of starts, to `tolerance` relative to u' K u, or as far as max_steps go.
std::vector<HingeForm> hinge_forms(const SymmetricOperator& k, ConstMatrixRef starts,
                                   double threshold, double tolerance, Index max_steps,
                                   Control& control);

}  // namespace kernelect
