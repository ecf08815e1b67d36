#include <doctest/doctest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernelect/ridge/folds.hpp"
#include "ridge_problems.hpp"
#include "sparse_blas.hpp"

using namespace kernelect;
using namespace kernelect::testing;

namespace {

// What checked_folds says about folds that make no sense.
std::string complaint(const Folds& folds, Index n) {
    try {
        checked_folds(folds, n);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

// Whether folds make sense, by their definition.
bool sensible(const Folds& folds, Index n) {
    std::vector<Index> held_out;
    for (const Fold& fold : folds) {
        if (fold.empty() || static_cast<Index>(fold.size()) >= n) return false;
        held_out.insert(held_out.end(), fold.begin(), fold.end());
    }
    for (const Index i : held_out)
        if (i < 0 || i >= n || std::count(held_out.begin(), held_out.end(), i) != 1) return false;
    return true;
}

constexpr Index kLarge = 3000;  // blocks of this order and more are inverted in strips

// A large block of small ones, which lie across the places where it is taken apart.
constexpr Index kSmall = 5;
ColMatrix small_block(Index which) {
    return gaussian(random_problem(kSmall, 2, static_cast<unsigned>(which % 3)).points, 1.0) +
           ColMatrix::Identity(kSmall, kSmall);
}
ColMatrix large_block() {
    ColMatrix block = ColMatrix::Zero(kLarge, kLarge);
    for (Index k = 0; k < kLarge / kSmall; ++k)
        block.block(k * kSmall, k * kSmall, kSmall, kSmall) = small_block(k);
    return block;
}

Fold range(Index first, Index size) {
    Fold fold(place(size));
    for (Index i = 0; i < size; ++i) fold[place(i)] = first + i;
    return fold;
}

}  // namespace

TEST_CASE("folds are sorted and keep their order, and need not cover all points") {
    CHECK(checked_folds({}, 0).empty());
    CHECK(checked_folds({}, 5).empty());
    CHECK(checked_folds({{1}}, 2) == Folds{{1}});
    CHECK(checked_folds({{4, 2}, {0}, {3, 1}}, 5) == Folds{{2, 4}, {0}, {1, 3}});
}

TEST_CASE("folds that make no sense are named") {
    CHECK(complaint({{0}, {}}, 5) == "fold 1 is empty: every fold needs a held-out point");
    CHECK(complaint({{0}}, 1) == "fold 0 holds out all 1 points: leave at least one for training");
    CHECK(complaint({{1, 0}}, 2) ==
          "fold 0 holds out all 2 points: leave at least one for training");
    CHECK(complaint({{0}, {5}}, 5) == "fold 1 holds out point 5, there are points 0 to 4");
    CHECK(complaint({{-1}}, 5) == "fold 0 holds out point -1, there are points 0 to 4");
    const std::string twice = "point 2 is held out twice: put overlapping folds into separate sets";
    CHECK(complaint({{0, 2}, {1, 2}}, 5) == twice);
    CHECK(complaint({{2, 2}}, 5) == twice);
}

TEST_CASE("random folds are taken when they make sense, and only then") {
    std::mt19937 random(5);
    int taken = 0;
    for (int trial = 0; trial < 500; ++trial) {
        const Index n = 1 + static_cast<Index>(random() % 8);
        Folds folds(random() % 3);
        for (Fold& fold : folds)
            for (std::size_t k = random() % 4; k-- > 0;)
                fold.push_back(static_cast<Index>(random() % 9) - (random() % 20 == 0));
        CHECK(complaint(folds, n).empty() == sensible(folds, n));
        taken += sensible(folds, n);
    }
    CHECK(taken > 100);
    CHECK(taken < 400);
}

TEST_CASE("residuals of a fold solve its block, of which the lower triangle is read") {
    for (const Index size : {1, 2, 63, 64, 65, 130})
        for (const Index columns : {0, 1, 3}) {
            CAPTURE(size);
            const Index n = size + 7;
            ColMatrix full = gaussian(random_problem(size, 3, 1).points, 2.0);
            full.diagonal().array() += 0.1;
            const ColMatrix alpha = ColMatrix::Random(n, columns);
            Fold fold;
            for (Index i = 0; i < size; ++i) fold.push_back(i < size / 2 ? i : i + 7);
            ColMatrix block = full;
            block.triangularView<Eigen::StrictlyUpper>().setConstant(1e9);
            const ColMatrix found = fold_residuals(block, alpha, fold, {});
            REQUIRE(found.rows() == size);
            REQUIRE(found.cols() == columns);
            if (columns == 0) continue;
            const ColMatrix wanted = full.fullPivLu().solve(alpha(fold, Eigen::all));
            CHECK(largest_difference(found, wanted) < 1e-11);
        }
}

TEST_CASE("a block that is singular, or residuals beyond all numbers, ask for a larger ridge") {
    const ColMatrix alpha = ColMatrix::Ones(4, 1);
    const Fold fold{1, 2};
    ColMatrix zero = ColMatrix::Zero(2, 2), indefinite = -ColMatrix::Identity(2, 2);
    CHECK_THROWS_AS(fold_residuals(zero, alpha, fold, {}), SingularFoldBlock);
    CHECK_THROWS_AS(fold_residuals(indefinite, alpha, fold, {}), SingularFoldBlock);
    ColMatrix tiny = std::numeric_limits<double>::denorm_min() * ColMatrix::Identity(2, 2);
    CHECK_THROWS_AS(fold_residuals(tiny, alpha, fold, {}), SingularFoldBlock);
    ColMatrix nan = ColMatrix::Constant(2, 2, std::nan(""));
    CHECK_THROWS_AS(fold_residuals(nan, alpha, fold, {}), SingularFoldBlock);
    CHECK(std::string(SingularFoldBlock().what()).find("larger lam") != std::string::npos);
}

TEST_CASE("large blocks go in strips, to the same bits from any threads, and can be stopped") {
    const SparseBlas sparse;
    const ColMatrix whole = large_block(), alpha = ColMatrix::Random(kLarge + 2, 2);
    const Fold fold = range(1, kLarge);
    ColMatrix wanted(kLarge, 2);
    for (Index first = 0; first < kLarge; first += kSmall)
        wanted.middleRows(first, kSmall) =
            small_block(first / kSmall).fullPivLu().solve(alpha.middleRows(first + 1, kSmall));
    ColMatrix one;
    for (const int threads : {1, 2, 3}) {
        Control control(threads);
        ColMatrix block = whole;
        const ColMatrix found = fold_residuals(block, alpha, fold, Team(control, threads, true));
        CHECK(largest_difference(found, wanted) < 1e-12);
        if (threads == 1) one = found;
        CHECK(found == one);
    }
    CHECK(!sparse.calls().empty());

    ColMatrix singular = whole;
    singular(kLarge - 1, kLarge - 1) = -1.0;
    CHECK_THROWS_AS(fold_residuals(singular, alpha, fold, {}), SingularFoldBlock);
    Control control(2);
    control.stop();
    ColMatrix stopped = whole;
    CHECK_THROWS_AS(fold_residuals(stopped, alpha, fold, Team(control, 2, true)), Cancelled);
}
