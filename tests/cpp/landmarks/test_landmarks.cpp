#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <functional>
#include <set>

#include "kernelect/landmarks/choose.hpp"
#include "kernelect/landmarks/ridge.hpp"
#include "kernelect/landmarks/sources.hpp"
#include "kernelect/landmarks/sums.hpp"
#include "ridge_problems.hpp"

using namespace kernelect;
using namespace kernelect::testing;

namespace {

constexpr double kTau = 2.0;
const Program kProgram{{Op::gaussian, 0.5 / kTau, 0.0, 0, 0}};

struct Setting {
    explicit Setting(Index n, Index limit)
        : problem(random_problem(n, 3, 4)), points(problem.points), tables(n) {
        tables.add_dense(points);
        chosen = choose_landmarks(RowPool(tables, kProgram), limit, 0.0, 1, {});
        landmarks = tables.take(chosen.rows);
    }
    LandmarkBasis basis() const {
        return LandmarkBasis(landmark_gram(landmarks, kProgram), chosen.origin);
    }
    LandmarkTargets targets() const { return {problem.targets, Vector::Constant(2, 0.3)}; }
    LandmarkSums sums(Index first, Index count, int threads, Index first_row) const {
        const Matrix part = points.middleRows(first, count);
        RowTables rows(count);
        rows.add_dense(part);
        LandmarkTargets wanted = targets();
        wanted.targets = Matrix(wanted.targets.middleRows(first, count));
        Control control(threads);
        return landmark_sums(basis(), RowColumns(rows, landmarks, kProgram), wanted, first_row,
                             control);
    }

    Problem problem;
    Matrix points;
    RowTables tables;
    ChosenLandmarks chosen;
    Sample landmarks = Sample({0}, 1);
};

bool same_bits(const RowSums& a, const RowSums& b) {
    return a.plain == b.plain && std::equal(a.groups.begin(), a.groups.end(), b.groups.begin());
}

// P of K + rho I.
ColMatrix residual_maker(const ColMatrix& k, double rho, bool bias) {
    const Index n = k.rows();
    const ColMatrix r = (k + rho * ColMatrix::Identity(n, n)).inverse();
    if (!bias) return r;
    const Vector ones = r.rowwise().sum();
    return r - ones * ones.transpose() / ones.sum();
}

}  // namespace

TEST_CASE("landmarks are distinct and leave less and less") {
    const Setting setting(200, 50);
    const ChosenLandmarks& chosen = setting.chosen;
    REQUIRE(chosen.rows.size() == 50);
    CHECK(std::set<Index>(chosen.rows.begin(), chosen.rows.end()).size() == 50);
    CHECK(std::is_sorted(chosen.left.data(), chosen.left.data() + 50, std::greater<>()));
    CHECK(chosen.mean_diagonal == 1.0);
    // What is left, by its definition.
    const ColMatrix k = gaussian(setting.problem.points, kTau);
    const ColMatrix inner = k(chosen.rows, chosen.rows), cross = k(Eigen::all, chosen.rows);
    const double left = (k - cross * inner.llt().solve(cross.transpose())).diagonal().mean();
    CHECK(chosen.left(49) == doctest::Approx(left).epsilon(1e-8));
}

TEST_CASE("a kernel of low rank has as many landmarks, and duplicates are not taken twice") {
    const Problem problem = random_problem(60, 3, 2);
    Matrix points(120, 3);
    points << problem.points, problem.points;
    RowTables tables(120);
    tables.add_dense(points);
    CHECK(choose_landmarks(RowPool(tables, {{Op::linear}}), 50, 0.0, 1, {}).rows.size() == 3);
    const auto all = choose_landmarks(RowPool(tables, kProgram), 120, 0.0, 1, {}).rows;
    std::set<Index> distinct;
    for (const Index row : all) distinct.insert(row % 60);
    CHECK(distinct.size() == all.size());
    const Matrix zero = Matrix::Zero(5, 5);
    CHECK_THROWS_AS(choose_landmarks(StoredPool(zero), 3, 0.0, 1, {}), std::domain_error);
}

TEST_CASE("landmarks stop at the tolerance") {
    const Setting setting(200, 50);
    const double enough = setting.chosen.left(20);
    RowTables tables(200);
    tables.add_dense(setting.points);
    const auto few = choose_landmarks(RowPool(tables, kProgram), 50, enough, 1, {});
    CHECK(few.rows.size() == 21);
    CHECK(std::equal(few.rows.begin(), few.rows.end(), setting.chosen.rows.begin()));
}

TEST_CASE("sums of parts are the sums of the whole, to the bit") {
    constexpr Index kLeaf = LandmarkSums::kLeafRows, kRows = 5 * kLeaf + 77;
    const Setting setting(kRows, 6);
    const RowSums whole = setting.sums(0, kRows, 1, 0).whole();
    CHECK(same_bits(whole, setting.sums(0, kRows, 3, 0).whole()));
    const Index cuts[] = {0, kLeaf, 3 * kLeaf, kRows};
    std::vector<LandmarkSums> parts;
    for (int k = 0; k < 3; ++k)
        parts.push_back(setting.sums(cuts[k], cuts[k + 1] - cuts[k], 1, cuts[k]));
    LandmarkSums all = parts[2];
    CHECK_THROWS_AS(all.whole(), std::invalid_argument);
    all.merge(parts[0]);
    all.merge(parts[1]);
    CHECK(same_bits(whole, all.whole()));
    CHECK(all.rows() == kRows);
    CHECK_THROWS_AS(all.merge(parts[1]), std::invalid_argument);
    CHECK_THROWS_AS(setting.sums(0, kLeaf, 1, 7), std::invalid_argument);
}

TEST_CASE("held-out residuals are those of models trained without the row and its landmark") {
    const Setting setting(70, 20);
    const ColMatrix k = gaussian(setting.problem.points, kTau);
    const LandmarkBasis basis = setting.basis();
    const RowSums sums = setting.sums(0, 70, 1, 0).whole();
    const double rho = 0.2;
    for (const bool bias : {true, false}) {
        const LandmarkRidge model(basis, training_sums(sums, -1), setting.targets().origin, bias,
                                  20, {});
        ScoredRows rows{setting.problem.targets, {}, std::vector<Index>(70, -1)};
        for (std::size_t j = 0; j < 20; ++j)
            rows.landmark[place(setting.chosen.rows[j])] = static_cast<Index>(j);
        Control control;
        const auto found = model.residuals(RowColumns(setting.tables, setting.landmarks, kProgram),
                                           rows, {rho}, true, control);
        for (Index i = 0; i < 70; ++i) {
            std::vector<Index> kept = setting.chosen.rows;
            kept.erase(std::remove(kept.begin(), kept.end(), i), kept.end());
            const ColMatrix inner = k(kept, kept), cross = k(Eigen::all, kept);
            const ColMatrix nystroem = cross * inner.llt().solve(cross.transpose());
            const ColMatrix honest = retrained_residuals(nystroem, setting.problem.targets,
                                                         Vector::Constant(70, rho), bias, {i});
            CHECK(largest_difference(found.of_ridge[0].row(i), honest) < 1e-9);
            CHECK(std::abs(found.unseen(i) - (1.0 - nystroem(i, i))) < 1e-9);
            // 1 - h is rho P_ii.
            const ColMatrix p = residual_maker(nystroem, rho, bias);
            CHECK(std::abs(found.shares(0, i) - rho * p(i, i)) < 1e-9);
        }
        const LandmarkFit fit = model.fit(rho);
        ColMatrix outputs = k(Eigen::all, setting.chosen.rows) * fit.coefficients;
        outputs.rowwise() += fit.bias.transpose();
        const Vector squares =
            (setting.problem.targets - outputs).cwiseAbs2().colwise().sum().transpose();
        CHECK((model.squared_residuals(rho) - squares).norm() < 1e-9 * squares.norm());
    }
}

TEST_CASE("the series of a fold is that of the smoother, term by term") {
    const Setting setting(40, 12);
    const ColMatrix k = gaussian(setting.problem.points, kTau);
    const std::vector<Index>& chosen = setting.chosen.rows;
    const ColMatrix inner = k(chosen, chosen), cross = k(Eigen::all, chosen);
    const ColMatrix nystroem = cross * inner.llt().solve(cross.transpose());
    const LandmarkBasis basis = setting.basis();
    LandmarkTargets targets = setting.targets();
    const Fold fold{1, 5, 8, 21, 30};
    targets.folds.assign(40, 1);
    targets.fold_count = 1;
    for (const Index i : fold) targets.folds[place(i)] = 0;
    const RowColumns columns(setting.tables, setting.landmarks, kProgram);
    Control control;
    const RowSums sums = landmark_sums(basis, columns, targets, 0, control).whole();
    const std::vector<double> ridges{0.3, 4.0};
    Vector inside = Vector::Constant(40, -5.0 / 35.0);
    for (const Index i : fold) inside(i) = 1.0;
    for (const bool bias : {true, false}) {
        const LandmarkRidge model(basis, training_sums(sums, -1), targets.origin, bias, 12, {});
        for (const int order : {1, 2, 5}) {
            const auto found = model.expanded(columns, {setting.problem.targets}, ridges,
                                              {sums_of_fold(sums, 0), 5.0 / 35.0, order}, control);
            for (std::size_t l = 0; l < 2; ++l) {
                const double rho = ridges[l];
                const ColMatrix p = residual_maker(nystroem, rho, bias);
                ColMatrix residuals = rho * (p * setting.problem.targets), term = -residuals;
                for (int s = 0; s < order; ++s) {
                    const ColMatrix weighed = inside.asDiagonal() * term;
                    term = weighed - rho * (p * weighed);
                    residuals -= term;
                }
                CHECK(largest_difference(found.of_ridge[l], residuals) < 1e-9);
            }
        }
    }
    CHECK_THROWS_AS(sums_of_fold(sums, 1), std::invalid_argument);
}
