#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "explicit_kernels.hpp"
#include "kernelect/moments/scoring.hpp"
#include "seven_points.hpp"

using namespace kernelect;
using namespace explicit_kernels;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

MomentCriterion sm(int degree, bool entry_sum = false, bool plain = false, bool relative = false) {
    return make_criterion("sm", {degree, entry_sum, plain, relative});
}

std::vector<MomentCriterion> all_criteria() {
    std::vector<MomentCriterion> out;
    for (const seven_points::Scored& s : seven_points::kScores)
        out.push_back(
            make_criterion(s.criterion, {s.degree, s.entry_sum, s.plain, s.relative}, s.variant));
    return out;
}

std::vector<std::vector<criteria::Score>> score(const Sample& sample, const Target& target,
                                                const std::vector<Program>& programs,
                                                const std::vector<MomentCriterion>& wanted,
                                                double memory = 1e9, int threads = 1) {
    Control control(threads);
    return score_moments(sample, target, programs, wanted, memory, control);
}

Target no_target(Index n) { return {Matrix(0, n), Vector(0)}; }

// Scores of one stored matrix by every criterion for two classes.
std::vector<criteria::Score> of_matrix(const Matrix& k, const std::vector<int>& labels,
                                       const std::vector<MomentCriterion>& wanted) {
    Sample sample(labels, *std::max_element(labels.begin(), labels.end()) + 1);
    sample.add_matrix(k);
    return score(sample, no_target(k.rows()), {{{Op::precomputed, 0.0, 0.0, 0, 0}}}, wanted)[0];
}

}  // namespace

TEST_CASE("golden values of classification") {
    Sample sample(seven_points::kLabels, 2);
    sample.add_dense(seven_points::points());
    // Alone, in a chain, and as an expression that is no chain.
    const Program one = gaussian(0.25);
    const Program general = joined(gaussian(0.125), gaussian(0.125), Op::product);
    for (const std::vector<Program>& programs :
         {std::vector<Program>{one},
          {gaussian(0.0625), gaussian(0.125), one, gaussian(0.5)},
          {general, one}}) {
        const auto scores = score(sample, no_target(7), programs, all_criteria());
        for (std::size_t p = 0; p < programs.size(); ++p) {
            if (programs[p].size() == 1 && programs[p].front().a != 0.25) continue;
            for (std::size_t k = 0; k < seven_points::kScores.size(); ++k) {
                CHECK(scores[p][k].value ==
                      doctest::Approx(seven_points::kScores[k].value).epsilon(1e-10));
                CHECK(scores[p][k].reason.empty());
            }
        }
    }
}

TEST_CASE("golden values of regression") {
    Sample sample(std::vector<int>(7, 0), 1);
    sample.add_dense(seven_points::points());
    const Vector t = seven_points::target();
    Target target{Matrix(1, 7), Vector::Constant(1, t.mean())};
    target.centred.row(0) = (t.array() - t.mean()).matrix().transpose();
    const auto scores = score(sample, target, {gaussian(0.25)},
                              {make_criterion("ckta"), make_criterion("stability")});
    CHECK(scores[0][0].value == doctest::Approx(seven_points::kRegressionCkta).epsilon(1e-10));
    CHECK(scores[0][1].value == doctest::Approx(seven_points::kRegressionStability).epsilon(1e-10));
}

TEST_CASE("the identity and the matrix of ones, where every criterion is known") {
    for (const auto& [plus, minus] : {std::pair{5, 5}, {3, 7}, {1, 4}}) {
        const int n = plus + minus;
        const double np = plus, nm = minus, all = n;
        std::vector<int> labels(place(n), 0);
        std::fill(labels.begin(), labels.begin() + plus, 1);
        const std::vector<MomentCriterion> wanted = {sm(2),
                                                     sm(3, true),
                                                     sm(2, false, false, true),
                                                     make_criterion("kta"),
                                                     make_criterion("ekta"),
                                                     make_criterion("ckta"),
                                                     make_criterion("ckta", {}, true),
                                                     make_criterion("kcsm"),
                                                     make_criterion("stability")};
        const std::vector<double> identity = {1.0 / (np * nm),
                                              1.0 / (all * np * nm),
                                              1.0,
                                              1.0 / std::sqrt(all),
                                              1.0 / std::sqrt(all),
                                              1.0 / std::sqrt(all - 1.0),
                                              4.0 * np * nm / (all * all * std::sqrt(all - 1.0)),
                                              1.0 / (all - 2.0),
                                              1.0};
        const auto at_identity = of_matrix(Matrix::Identity(n, n), labels, wanted);
        for (std::size_t k = 0; k < wanted.size(); ++k)
            CHECK(at_identity[k].value == doctest::Approx(identity[k]).epsilon(1e-12));
        const auto at_ones = of_matrix(Matrix::Ones(n, n), labels, wanted);
        const double balance = (np - nm) / all;
        const std::vector<double> ones = {0.0,
                                          0.0,
                                          0.0,
                                          balance * balance,
                                          0.0,
                                          -kInfinity,
                                          -kInfinity,
                                          -kInfinity,
                                          0.5 * (1.0 + std::sqrt(4.0 * all - 3.0))};
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            if (std::isinf(ones[k])) {
                CHECK(at_ones[k].value == ones[k]);
                CHECK(!at_ones[k].reason.empty());
            } else {
                CHECK(std::abs(at_ones[k].value - ones[k]) < 1e-12);
                CHECK(at_ones[k].reason.empty());
            }
        }
    }
}

TEST_CASE("kernels on which formulas are undefined get the worst value and a reason") {
    const std::vector<int> labels = {0, 0, 0, 1, 1, 1};
    const auto all = all_criteria();
    const std::set<std::string> minimised = {"fsm", "ncut", "stability"};
    Matrix overflowing = Matrix::Identity(6, 6);
    overflowing(0, 1) = overflowing(1, 0) = 1e308;
    overflowing(0, 2) = overflowing(2, 0) = 1e308;
    for (const Matrix& k : {Matrix(Matrix::Zero(6, 6)), Matrix(Matrix::Ones(6, 6)), overflowing}) {
        const auto scores = of_matrix(k, labels, all);
        for (std::size_t c = 0; c < all.size(); ++c) {
            CHECK(!std::isnan(scores[c].value));
            if (std::isinf(scores[c].value)) {
                CHECK((scores[c].value > 0) == (minimised.count(all[c].entry->name) == 1));
                CHECK(!scores[c].reason.empty());
            }
        }
    }
    // Zero scatter within the classes is the best that kcsm can be.
    Matrix blocks = Matrix::Zero(6, 6);
    blocks.topLeftCorner(3, 3).setOnes();
    blocks.bottomRightCorner(3, 3).setOnes();
    const auto best =
        of_matrix(blocks, labels, {make_criterion("kcsm"), make_criterion("kcsm", {}, true)});
    CHECK(best[0].value == kInfinity);
    CHECK(best[0].reason.empty());
    CHECK(best[1].value == doctest::Approx(1.0));
    // A class of one member has no spread.
    const auto lone =
        of_matrix(Matrix::Identity(6, 6), {0, 1, 1, 1, 1, 1}, {make_criterion("fsm")});
    CHECK(lone[0].value == kInfinity);
    CHECK(lone[0].reason == "a class of one member has no spread");
}

TEST_CASE("high degrees neither overflow on the way nor pass for zero") {
    Sample sample(mixed_groups({20, 30}), 2);
    sample.add_dense(noise(50, 2));
    const std::vector<MomentCriterion> wanted = {sm(100), sm(400), sm(400, false, false, true),
                                                 sm(200, true)};
    const auto scores = score(sample, no_target(50), {gaussian(0.01), gaussian(100.0)}, wanted);
    // n^-100 is within range, n^-400 is not; relative values can be too large.
    CHECK(scores[0][0].value > 0.0);
    CHECK(scores[1][0].value > 0.0);
    CHECK(scores[0][0].value > scores[1][0].value);
    for (const auto& of_kernel : scores) {
        CHECK(of_kernel[1].value == -kInfinity);
        CHECK(!of_kernel[1].reason.empty());
        CHECK((std::isfinite(of_kernel[2].value) || !of_kernel[2].reason.empty()));
        CHECK(!std::isnan(of_kernel[3].value));
    }
    CHECK(scores[1][2].value > 0.0);  // nearly the identity: 1 to any power
}

TEST_CASE("little memory takes the candidates in groups, with the same numbers") {
    Sample sample(mixed_groups({40, 60, 30}), 3);
    sample.add_dense(noise(130, 4));
    std::vector<Program> programs;
    for (int k = -6; k <= 6; ++k) programs.push_back(gaussian(std::ldexp(1.0, k)));
    const std::vector<MomentCriterion> wanted = {sm(2), sm(5), make_criterion("ckta"),
                                                 make_criterion("fsm")};
    const auto all = score(sample, no_target(130), programs, wanted, 1e9);
    const auto few = score(sample, no_target(130), programs, wanted, 1.0, 2);
    for (std::size_t k = 0; k < programs.size(); ++k)
        for (std::size_t c = 0; c < wanted.size(); ++c)
            CHECK(few[k][c].value == doctest::Approx(all[k][c].value).epsilon(1e-11));
}

TEST_CASE("criteria without a form for a target are refused") {
    Sample three(mixed_groups({4, 4, 4}), 3), none(std::vector<int>(12, 0), 1);
    three.add_dense(noise(12, 2));
    none.add_dense(noise(12, 2));
    for (const char* name : {"ncut", "mmd"})
        CHECK_THROWS_AS(score(three, no_target(12), {gaussian(1.0)}, {make_criterion(name)}),
                        std::invalid_argument);
    for (const char* name : {"sm", "kta", "ekta", "fsm", "kcsm"})
        CHECK_THROWS_AS(score(none, no_target(12), {gaussian(1.0)}, {make_criterion(name)}),
                        std::invalid_argument);
    CHECK(score(none, no_target(12), {gaussian(1.0)}, {make_criterion("stability")})[0][0].value >
          0.0);
}

TEST_CASE("every criterion has a name of its own, a direction and a formula") {
    std::set<std::string> names;
    for (const CriterionEntry& entry : criterion_table()) {
        CHECK(names.insert(entry.name).second);
        CHECK(std::abs(entry.direction) <= 1);
        CHECK(entry.formula != nullptr);
        CHECK(make_criterion(entry.name).entry == &entry);
    }
    CHECK_THROWS_AS(make_criterion("ktb"), std::invalid_argument);
    CHECK_THROWS_AS(make_criterion(""), std::invalid_argument);
}

TEST_CASE("where a formula has no value, the worst of its direction is given") {
    Sample sample({0, 1}, 2);
    const Matrix identity = Matrix::Identity(2, 2);
    sample.add_matrix(identity);
    const Target target = no_target(2);
    Control control(1);
    const KernelSet set(sample, {{{Op::precomputed, 0.0, 0.0, 0, 0}}}, true);
    const auto sums = stream_sums(set, {target.centred, true}, control);
    const Moments moments(sample, target, sums[0], Vector::Ones(2));
    for (const int direction : {-1, 0, 1}) {
        const CriterionEntry mute{"mute",
                                  direction,
                                  false,
                                  false,
                                  false,
                                  [](const MomentEvidence&, const MomentCriterion&) {
                                      return criteria::undefined("it says nothing");
                                  }};
        const CriterionEntry nan{"nan",
                                 direction,
                                 false,
                                 false,
                                 false,
                                 [](const MomentEvidence&, const MomentCriterion&) {
                                     return criteria::Score{std::nan(""), {}};
                                 }};
        const double worst = direction > 0 ? -kInfinity : kInfinity;
        const MomentEvidence evidence{moments, nullptr, nullptr};
        CHECK(score_of({&mute, {}, false}, evidence).value == worst);
        CHECK(score_of({&mute, {}, false}, evidence).reason == "it says nothing");
        CHECK(score_of({&nan, {}, false}, evidence).value == worst);
        CHECK(score_of({&nan, {}, false}, evidence).reason == "the value is not a number");
    }
}
