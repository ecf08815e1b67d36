#include <doctest/doctest.h>

#include <Eigen/LU>
#include <algorithm>
#include <vector>

#include "differences.hpp"
#include "kernelect/ridge/candidates.hpp"
#include "kernelect/ridge/objective.hpp"
#include "ridge_problems.hpp"

using namespace kernelect;
using namespace kernelect::testing;

namespace {

constexpr RidgeGoal kGoals[] = {RidgeGoal::loo, RidgeGoal::log_probability, RidgeGoal::cv,
                                RidgeGoal::evidence};

Folds singles(Index n) {
    Folds folds;
    for (Index i = 0; i < n; ++i) folds.push_back({i});
    return folds;
}

// What a goal is by its definition, in extended precision.
struct Twin {
    const RidgeObjective& objective;
    LongMatrix targets = objective.targets.cast<Long>();
    Index n = targets.rows();

    Long weight(Index i) const {
        const Vector& given = objective.ridge.weights;
        return given.size() > 0 ? given(i) : 1.0;
    }

    // Mean square of what models that have not seen a fold say of it.
    Long held_out(const LongMatrix& k, Long rho, const Folds& folds) const {
        Long total = 0, weights = 0;
        for (const Fold& fold : folds) {
            std::vector<Index> seen;
            for (Index i = 0; i < n; ++i)
                if (std::find(fold.begin(), fold.end(), i) == fold.end()) seen.push_back(i);
            const Index m = static_cast<Index>(seen.size()), border = objective.ridge.bias ? 1 : 0;
            LongMatrix system = LongMatrix::Zero(m + border, m + border);
            LongMatrix right = LongMatrix::Zero(m + border, targets.cols());
            system.topLeftCorner(m, m) = k(seen, seen);
            for (Index i = 0; i < m; ++i) system(i, i) += rho / weight(seen[place(i)]);
            if (border > 0) {
                system.col(m).head(m).setOnes();
                system.row(m).head(m).setOnes();
            }
            right.topRows(m) = targets(seen, Eigen::all);
            const LongMatrix model = system.partialPivLu().solve(right);
            for (const Index i : fold) {
                LongMatrix said = k(i, seen) * model.topRows(m);
                if (border > 0) said += model.row(m);
                total += weight(i) * (targets.row(i) - said).squaredNorm();
                weights += weight(i);
            }
        }
        return total / (weights * targets.cols());
    }

    Long operator()(const LongMatrix& k, Long rho) const {
        if (objective.goal == RidgeGoal::loo) return held_out(k, rho, singles(n));
        if (objective.goal == RidgeGoal::cv) return held_out(k, rho, objective.folds);
        LongMatrix a = k;
        for (Index i = 0; i < n; ++i) a(i, i) += rho / weight(i);
        const Eigen::PartialPivLU<LongMatrix> factored(a);
        LongMatrix p = factored.inverse();
        Long log_determinant = std::log(factored.determinant());
        if (objective.ridge.bias) {
            const LongMatrix sums = p.rowwise().sum();
            log_determinant += std::log(sums.sum());
            p -= sums * sums.transpose() / sums.sum();
        }
        const Long log_two_pi = std::log(2 * std::acos(Long{-1}));
        const LongMatrix alpha = p * targets;
        Long value = 0, weights = 0;
        for (Index i = 0; i < n; ++i) weights += weight(i);
        for (Index c = 0; c < targets.cols(); ++c) {
            if (objective.goal == RidgeGoal::evidence) {
                const Long energy = targets.col(c).dot(alpha.col(c));
                const Long freedom = n - (objective.ridge.bias ? 1 : 0);
                const Long s = objective.variance > 0.0 ? objective.variance : energy / freedom;
                value -= (freedom * (log_two_pi + std::log(s)) + log_determinant + energy / s) / 2;
                continue;
            }
            Long s = 0, surprise = 0;  // of a normal variable with variance s / P_ii
            for (Index i = 0; i < n; ++i)
                s += weight(i) / weights * alpha(i, c) * alpha(i, c) / p(i, i);
            for (Index i = 0; i < n; ++i)
                surprise += weight(i) / weights *
                            (log_two_pi + std::log(s / p(i, i)) +
                             alpha(i, c) * alpha(i, c) / (p(i, i) * s)) /
                            2;
            value += surprise / targets.cols();
        }
        return value;
    }
};

RidgeObjective objective_of(RidgeGoal goal, bool bias, bool weighted_rows, double variance = 0.0) {
    RidgeObjective made{goal, worked_example().targets, {0.3, bias, {}}, {}, variance};
    if (weighted_rows) made.ridge.weights = Vector::LinSpaced(7, 0.5, 2.5);
    if (goal == RidgeGoal::cv) made.folds = seven_points::kFolds;
    return made;
}

std::vector<RidgeObjective> objectives() {
    std::vector<RidgeObjective> made;
    for (const RidgeGoal goal : kGoals)
        for (const bool bias : {false, true})
            for (const bool weights : {false, true})
                made.push_back(objective_of(goal, bias, weights));
    made.push_back(objective_of(RidgeGoal::evidence, true, false, 2.0));
    return made;
}

}  // namespace

TEST_CASE("derivatives in every entry of a kernel matrix and in rho are those of differences") {
    const ColMatrix k = gaussian(worked_example().points, seven_points::kTau);
    const LongMatrix known = k.cast<Long>();
    for (const RidgeObjective& objective : objectives()) {
        CAPTURE(static_cast<int>(objective.goal));
        ColMatrix buffer = k;
        GramBuffer gram(buffer);
        const MatrixSlopes found = differentiate(objective, gram);
        const Twin twin{objective};
        const Long rho = objective.ridge.rho;
        CHECK(error(found.value, twin(known, rho), std::fabs(twin(known, rho))) < 1e-12);
        const ColMatrix product = found.left * found.right.transpose();
        ColMatrix ours = 0.5 * (product + product.transpose());
        if (found.matrix) ours += ColMatrix(gram.matrix().selfadjointView<Eigen::Lower>());
        LongMatrix wanted(7, 7);
        for (Index i = 0; i < 7; ++i)
            for (Index j = 0; j <= i; ++j)
                wanted(i, j) = wanted(j, i) = slope([&](Long step) {
                    LongMatrix moved = known;
                    moved(i, j) += step / 2;
                    moved(j, i) += step / 2;
                    return twin(moved, rho);
                });
        const Long largest = wanted.cwiseAbs().maxCoeff();
        for (Index i = 0; i < 7; ++i)
            for (Index j = 0; j < 7; ++j) CHECK(error(ours(i, j), wanted(i, j), largest) < 1e-9);
        const Long by_rho = slope([&](Long step) { return twin(known, rho + step); });
        CHECK(error(found.by_rho, by_rho, std::fabs(by_rho)) < 1e-9);
    }
}

TEST_CASE("derivatives in the numbers of every kernel are those of differences") {
    for (const RidgeGoal goal : kGoals)
        for (const Program& program : refinable_kernels()) {
            // Periodic kernels of distances are definite on a line alone.
            const bool line = program.front().op == Op::periodic;
            const Matrix x = explicit_kernels::noise(7, line ? 1 : 3);
            Sample sample(std::vector<int>(7, 0), 1);
            sample.add_dense(x);
            CAPTURE(static_cast<int>(goal));
            CAPTURE(static_cast<int>(program.front().op));
            const RidgeObjective objective = objective_of(goal, true, false);
            Control control;
            const auto leaves = weighted(program, x);
            const KernelSlopes found = differentiate(objective, program, sample, leaves, control);
            const Twin twin{objective};
            CHECK(worst_slope(program, x, found.kernel, leaves, [&](const LongMatrix& k) {
                      return twin(k, objective.ridge.rho);
                  }) < 1e-9);
        }
}

// Products of this order are cut into squares, which any thread may compute.
TEST_CASE("derivatives of a large system are those of P, whatever the threads") {
    const Index n = 1300;
    const Matrix x = explicit_kernels::noise(n, 2);
    Sample sample(std::vector<int>(place(n), 0), 1);
    sample.add_dense(x);
    const RidgeObjective objective{RidgeGoal::loo, ColMatrix(x.rowwise().sum()), {0.3, true, {}}};
    const Program program = explicit_kernels::gaussian(0.7);
    std::vector<KernelSlopes> found;
    for (const int threads : {1, 2}) {
        Control control(threads);
        found.push_back(differentiate(objective, program, sample, {{0, x}}, control));
    }
    CHECK(found[0].value == found[1].value);
    CHECK(found[0].kernel.numbers == found[1].kernel.numbers);
    CHECK(found[0].kernel.columns[0] == found[1].kernel.columns[0]);
    // All weights together are the rate, whose derivative has no part in how columns are summed.
    CHECK(found[0].kernel.columns[0].sum() ==
          doctest::Approx(found[0].kernel.numbers(0, 0)).epsilon(1e-9));
    const auto value = [&](double rate) {
        Control control;
        return differentiate(objective, explicit_kernels::gaussian(rate), sample, {}, control)
            .value;
    };
    const double step = 1e-4;
    CHECK(found[0].kernel.numbers(0, 0) ==
          doctest::Approx((value(0.7 * (1.0 + step)) - value(0.7 * (1.0 - step))) / (2.0 * step))
              .epsilon(1e-5));
}

TEST_CASE("what cannot be differentiated is refused") {
    ColMatrix k = gaussian(worked_example().points, seven_points::kTau);
    RidgeObjective objective = objective_of(RidgeGoal::cv, true, false);
    objective.folds.clear();
    GramBuffer gram(k);
    CHECK_THROWS_AS(differentiate(objective, gram), std::invalid_argument);
    objective.goal = RidgeGoal::loo;
    objective.targets = ColMatrix::Ones(6, 1);
    CHECK_THROWS_AS(differentiate(objective, gram), std::invalid_argument);
}
