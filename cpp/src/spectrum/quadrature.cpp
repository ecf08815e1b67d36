#include "kernelect/spectrum/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernelect/linalg/serial.hpp"
#include "kernelect/linalg/tall.hpp"
#include "spectrum/krylov.hpp"

namespace kernelect {
namespace {

constexpr double kSlack = 1e-12;  // relative distance from the threshold that counts as none
// hinge_forms looks at its bounds first after kFirstLook products, then each time a fifth more, and
// at least kLeastSteps, have been made: a look costs about as much as a product.
constexpr Index kFirstLook = 8, kLeastSteps = 4, kGrowth = 5;

}  // namespace

LanczosQuadrature::LanczosQuadrature(ConstMatrixRef starts, Index steps)
    : n_(starts.rows()), steps_(std::min(steps, starts.rows())), runs_(place(starts.cols())) {
    if (steps < 1) throw std::invalid_argument("the number of quadrature steps must be positive");
    for (Index c = 0; c < starts.cols(); ++c) {
        Run& run = runs_[place(c)];
        ColMatrix u = ColMatrix::Zero(tall::padded(n_), 1);
        u.topRows(n_) = starts.col(c);
        run.squared_norm = u.squaredNorm();
        if (!std::isfinite(run.squared_norm))
            throw std::domain_error("a start vector has non-finite entries");
        run.closed = run.squared_norm == 0.0;
        if (!run.closed) run.basis = u / std::sqrt(run.squared_norm);
    }
    collect_block();
}

// The vectors to multiply next: the last one of every run that goes on.
void LanczosQuadrature::collect_block() {
    if (taken_ == steps_) return;  // there is no next one
    done_ = 0;
    block_.resize(n_, static_cast<Index>(runs_.size()));
    Index columns = 0;
    for (const Run& run : runs_) {
        if (run.closed)
            ++done_;
        else
            block_.col(columns++) = run.basis.col(static_cast<Index>(run.alpha.size())).topRows(n_);
    }
    block_.conservativeResize(n_, columns);
}

void LanczosQuadrature::advance(const ColMatrix& product) {
    if (done()) throw std::logic_error("the iteration is over");
    if (product.rows() != n_ || product.cols() != block_.cols())
        throw std::invalid_argument("the product has the wrong shape");
    if (!product.allFinite()) throw std::domain_error("the kernel matrix has non-finite entries");
    Index column = 0;
    for (Run& run : runs_)
        if (!run.closed) step(run, product.col(column++));
    ++taken_;
    collect_block();
}

void LanczosQuadrature::step(Run& run, const Eigen::Ref<const Vector>& product) const {
    const auto j = static_cast<Index>(run.alpha.size());
    ColMatrix w = ColMatrix::Zero(run.basis.rows(), 1);
    w.topRows(n_) = product;
    run.scale = std::max(run.scale, w.norm());
    // The three-term recurrence first, then everything: the second pass has rounding left to do.
    if (j > 0) w -= run.beta.back() * run.basis.col(j - 1);
    const double alpha = tall::transposed_product(run.basis, j, 1, w)(0, 0);
    w -= alpha * run.basis.col(j);
    double before = 0.0, after = w.norm();
    do {
        before = after;
        tall::subtract_product(run.basis, 0, tall::transposed_product(run.basis, 0, j + 1, w), w);
        after = w.norm();
    } while (after < krylov::kLost * before && after > 0.0);
    run.alpha.push_back(alpha);
    run.beta.push_back(after);
    run.closed = after <= krylov::rounding(n_, run.scale) || j + 1 == n_;
    if (run.closed || j + 1 == steps_) return;
    if (j + 1 == run.basis.cols())
        run.basis.conservativeResize(Eigen::NoChange, std::min(steps_, 2 * (j + 1)));
    run.basis.col(j + 1) = w / after;
}

QuadratureRule LanczosQuadrature::rule(Index column) const {
    const Run& run = runs_.at(place(column));
    const auto s = static_cast<Index>(run.alpha.size());
    QuadratureRule rule;
    rule.exact = run.closed;
    if (s == 0) return rule;
    ColMatrix t = ColMatrix::Zero(s, s);
    for (Index j = 0; j < s; ++j) {
        t(j, j) = run.alpha[place(j)];
        if (j + 1 < s) t(j + 1, j) = t(j, j + 1) = run.beta[place(j)];
    }
    rule.nodes = serial::small_eigh(t);
    rule.weights = run.squared_norm * t.row(0).cwiseAbs2().transpose();
    if (run.closed)
        rule.residuals = Vector::Constant(s, krylov::rounding(n_, run.scale));
    else
        rule.residuals = run.beta.back() * t.row(s - 1).cwiseAbs().transpose();
    return rule;
}

std::vector<QuadratureRule> lanczos_quadrature(const SymmetricOperator& k, ConstMatrixRef starts,
                                               Index steps, Control& control) {
    if (starts.rows() != k.order())
        throw std::invalid_argument("the start vectors must have as many rows as the matrix");
    LanczosQuadrature run(starts, steps);
    linalg::ColMatrix product;
    while (!run.done()) {
        product.resize(k.order(), run.block().cols());
        k.apply(run.block(), product, control);
        run.advance(product);
    }
    std::vector<QuadratureRule> rules;
    for (Index c = 0; c < starts.cols(); ++c) rules.push_back(run.rule(c));
    return rules;
}

bool above(double value, double threshold, double largest) {
    return value > threshold + kSlack * std::abs(largest);
}

double hinge_sum(ConstVectorRef values, ConstVectorRef energies, double threshold) {
    if (values.size() != energies.size())
        throw std::invalid_argument("every eigenvalue needs its energy");
    const double largest = values.size() > 0 ? values.maxCoeff() : 0.0;
    double sum = 0.0;
    for (Index i = 0; i < values.size(); ++i)
        if (above(values(i), threshold, largest)) sum += values(i) * energies(i);
    return sum;
}

// Two bounds on the error, both for K >= 0; the smaller one is taken.
// 1. Chebyshev, Markov, Stieltjes, multiplied by t: only the nodes next to the threshold matter.
// 2. With a (b) the part of u in Ritz vectors above (below) the threshold h and P the projector on
//    the eigenvectors above it, value - u' K P u is at most h |(1-P)a|^2 + 2 h |(1-P)a| |b| +
//    lambda_1 |P b|^2, and a Ritz vector leaks at most residual / |node - h| to the other side.
HingeForm hinge_form(const QuadratureRule& rule, double threshold) {
    HingeForm form;
    const Index s = rule.nodes.size();
    form.steps = s;
    form.converged = rule.exact;
    if (s == 0) return form;
    form.value = hinge_sum(rule.nodes, rule.weights, threshold);

    const double largest = rule.nodes(s - 1);
    Index first = 0;
    while (first < s && !above(rule.nodes(first), threshold, largest)) ++first;
    double neighbours = 0.0;
    if (first < s) neighbours = rule.nodes(first) * rule.weights(first);
    if (first > 0)
        neighbours = std::max(neighbours, rule.nodes(first - 1) * rule.weights(first - 1));

    double leak_above = 0.0, leak_below = 0.0, below = 0.0;
    for (Index j = 0; j < s; ++j) {
        const double distance = std::abs(rule.nodes(j) - threshold);
        double leak = rule.residuals(j) < distance ? rule.residuals(j) / distance : 1.0;
        // A node that equals the threshold is below it by definition.
        if (std::max(distance, rule.residuals(j)) <= kSlack * std::abs(largest)) leak = 0.0;
        (j < first ? leak_below : leak_above) += leak * std::sqrt(rule.weights(j));
        if (j < first) below += rule.weights(j);
    }
    const double h = std::max(threshold, 0.0);
    const double leaks =
        h * leak_above * (leak_above + 2.0 * std::sqrt(below)) + largest * leak_below * leak_below;
    form.error = std::min(neighbours, leaks);
    return form;
}

std::vector<HingeForm> hinge_forms(const SymmetricOperator& k, ConstMatrixRef starts,
                                   double threshold, double tolerance, Index max_steps,
                                   Control& control) {
    if (starts.rows() != k.order())
        throw std::invalid_argument("the start vectors must have as many rows as the matrix");
    LanczosQuadrature run(starts, max_steps);
    std::vector<HingeForm> forms(place(starts.cols()));
    const auto all_converged = [&] {
        bool all = true;
        for (Index c = 0; c < starts.cols(); ++c) {
            const QuadratureRule rule = run.rule(c);
            HingeForm& form = forms[place(c)];
            form = hinge_form(rule, threshold);
            if (form.error <= tolerance * rule.nodes.dot(rule.weights)) form.converged = true;
            all = all && form.converged;
        }
        return all;
    };
    linalg::ColMatrix product;
    Index next_check = kFirstLook;
    while (!run.done()) {
        product.resize(k.order(), run.block().cols());
        k.apply(run.block(), product, control);
        run.advance(product);
        if (run.steps() < next_check) continue;
        if (all_converged()) return forms;
        next_check = run.steps() + std::max(kLeastSteps, run.steps() / kGrowth);
    }
    all_converged();
    return forms;
}

}  // namespace kernelect
