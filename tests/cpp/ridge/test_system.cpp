#include <doctest/doctest.h>

#include "kernelect/ridge/bif.hpp"
#include "kernelect/ridge/dense.hpp"
#include "kernelect/ridge/eigen.hpp"
#include "kernelect/ridge/losses.hpp"
#include "ridge_problems.hpp"

using namespace kernelect;
using namespace kernelect::testing;

namespace {

double mean_square(const ColMatrix& residuals) { return residuals.squaredNorm() / 7.0; }

double fold_mean_square(const RidgeSystem& system, const ColMatrix& y) {
    double total = 0.0;
    for (const ColMatrix& part : system.solve(y, seven_points::kFolds).held_out)
        total += part.squaredNorm();
    return total / 7.0;
}

}  // namespace

TEST_CASE("the worked example has its known values") {
    const Problem problem = worked_example();
    const ColMatrix y = problem.targets.leftCols(1),
                    k = gaussian(problem.points, seven_points::kTau);
    for (const seven_points::Ridged& known : seven_points::kRidges) {
        ColMatrix buffer = k;
        GramBuffer gram(buffer);
        const DenseRidge system(gram, {known.rho, known.bias});
        const RidgeFit fit = system.fit(y);
        CHECK(mean_square(system.loo_residuals(fit)) == doctest::Approx(known.loo).epsilon(1e-10));
        CHECK(fold_mean_square(system, y) == doctest::Approx(known.folds).epsilon(1e-10));
        CHECK(gcv(fit.alpha, system.diagonal(), system.penalty(), {})[0] ==
              doctest::Approx(known.gcv).epsilon(1e-10));
        if (known.bias && known.rho == 1.0) {
            CHECK(fit.bias[0] == doctest::Approx(seven_points::kBias).epsilon(1e-10));
            const Vector squared = Vector::Constant(1, mean_square(system.loo_residuals(fit)));
            CHECK(bayesian_regularisation(squared, 7, Vector::Constant(1, 0.25)) ==
                  doctest::Approx(seven_points::kBayesian).epsilon(1e-10));
            const RidgeFit regression = system.fit(problem.targets.rightCols(1));
            CHECK(mean_square(system.loo_residuals(regression)) ==
                  doctest::Approx(seven_points::kRegressionLoo).epsilon(1e-10));
        }
    }
}

TEST_CASE("BIF has its known values and tends to retraining with the smaller ridge") {
    const Problem problem = worked_example();
    const ColMatrix y = problem.targets.leftCols(1),
                    k = gaussian(problem.points, seven_points::kTau);
    for (const bool bias : {true, false}) {
        ColMatrix buffer = k;
        GramBuffer gram(buffer);
        const DenseRidge system(gram, {7 * 0.05, bias});
        const RidgeFit fit = system.fit(y);
        CHECK(mean_square(bif_residuals(system, seven_points::kFolds, y, fit, 3)) ==
              doctest::Approx(bias ? seven_points::kBifWithBias : seven_points::kBifWithout)
                  .epsilon(1e-10));
        const ColMatrix limit = bif_residuals(system, seven_points::kFolds, y, fit, 400);
        for (const Fold& fold : seven_points::kFolds) {
            const double m = 7.0 - static_cast<double>(fold.size());
            const ColMatrix expected =
                retrained_residuals(k, y, Vector::Constant(7, m * 0.05), bias, fold);
            CHECK(largest_difference(limit(fold, Eigen::all), expected) < 1e-10);
        }
    }
}

TEST_CASE("dense and eigen systems are honest retraining") {
    const Problem problem = random_problem(70, 3, 5);
    Folds folds{{0, 69, 5}, {1}, {2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 40, 41, 42}, {20, 21}};
    folds = checked_folds(folds, 70);
    Vector weights = Vector::Random(70).array().abs() + 0.2;
    for (const double tau : {0.01, 1.0, 1000.0}) {
        const ColMatrix k = gaussian(problem.points, tau);
        for (const bool bias : {true, false})
            for (const double rho : {0.05, 1.0, 30.0}) {
                ColMatrix buffer = k;
                GramBuffer gram(buffer);
                for (const bool weighted : {false, true}) {
                    const DenseRidge dense(gram, {rho, bias, weighted ? weights : Vector()});
                    const Disagreement d = disagreement(dense, bias, k, problem.targets, folds);
                    CHECK(d.fit < 1e-9);
                    CHECK(d.loo < 1e-10);
                    CHECK(d.folds < 1e-10);
                }
                ColMatrix vectors = k;
                const EigenKernel kernel(vectors, bias);
                const auto eigen = EigenRidge::make(kernel, rho);
                REQUIRE(eigen != nullptr);
                const Disagreement d = disagreement(*eigen, bias, k, problem.targets, folds);
                CHECK(d.fit < 1e-9);
                CHECK(d.loo < 1e-10);
                CHECK(d.folds < 1e-10);
            }
    }
}

TEST_CASE("a buffer serves many ridges") {
    const ColMatrix k = gaussian(random_problem(150, 3, 6).points, 1.0);
    ColMatrix buffer = k;
    GramBuffer gram(buffer);
    for (const double rho : {1.0, 2.0}) DenseRidge(gram, {rho, true});
    gram.restore();
    CHECK(buffer == k);
    ColMatrix oblong = ColMatrix::Zero(3, 4);
    CHECK_THROWS_AS(GramBuffer{oblong}, std::invalid_argument);
}

TEST_CASE("a singular kernel needs a ridge, and a jitter when that is tiny") {
    ColMatrix duplicates = ColMatrix::Ones(6, 6);
    GramBuffer gram(duplicates);
    CHECK_THROWS_AS(DenseRidge(gram, {0.0, true}), std::domain_error);
    CHECK_THROWS_AS(DenseRidge(gram, {-0.5, true}), std::domain_error);
    const DenseRidge tiny(gram, {1e-20, true});
    CHECK(tiny.jitter() == doctest::Approx(1e-12).epsilon(1e-6));
    CHECK(DenseRidge(gram, {1e-3, true}).jitter() == 0.0);
    CHECK(DenseRidge(gram, {1e-3, true}, 1e-9).jitter() == 1e-9);

    // Without a ridge a kernel of full rank interpolates, and leave-one-out is still right.
    const Problem problem = worked_example();
    const ColMatrix k = gaussian(problem.points, 0.5);
    ColMatrix buffer = k;
    GramBuffer full(buffer);
    CHECK(
        disagreement(DenseRidge(full, {0.0, true}), true, k, problem.targets, seven_points::kFolds)
            .loo < 1e-9);

    ColMatrix indefinite = -ColMatrix::Identity(4, 4);
    GramBuffer bad(indefinite);
    CHECK_THROWS_AS(DenseRidge(bad, {0.5, true}), std::domain_error);
    bad.restore();
    const EigenKernel decomposed(indefinite, true);
    CHECK(EigenRidge::make(decomposed, 0.5) == nullptr);
    CHECK(EigenRidge::make(decomposed, 0.0) == nullptr);
    CHECK(EigenRidge::make(decomposed, 1.5) != nullptr);
}

TEST_CASE("folds are checked and sorted") {
    CHECK(checked_folds({{3, 1}, {2}}, 5) == Folds{{1, 3}, {2}});
    CHECK_THROWS_AS(checked_folds({{0}, {}}, 5), std::invalid_argument);
    CHECK_THROWS_AS(checked_folds({{0, 1}, {1, 2}}, 5), std::invalid_argument);
    CHECK_THROWS_AS(checked_folds({{0, 5}}, 5), std::invalid_argument);
    CHECK_THROWS_AS(checked_folds({{-1}}, 5), std::invalid_argument);
    CHECK_THROWS_AS(checked_folds({{0, 1, 2}}, 3), std::invalid_argument);
}

TEST_CASE("weights are checked") {
    CHECK_THROWS_AS((Ridge{1.0, true, Vector::Ones(3)}.diagonal(4)), std::invalid_argument);
    CHECK_THROWS_AS((Ridge{1.0, true, Vector::Zero(4)}.diagonal(4)), std::invalid_argument);
    CHECK((Ridge{6.0, true, Vector::Constant(2, 3.0)}.diagonal(2)) == Vector::Constant(2, 2.0));
}

TEST_CASE("zero-one losses share ties, and two columns equal one") {
    ColMatrix y(4, 1), f(4, 1);
    y << 1, 1, -1, -1;
    f << 0.5, 0.0, -2.0, 1.0;
    const HeldOutLosses one = held_out_losses(y - f, y, true);
    CHECK(one.zero_one == 1.5 / 4.0);
    CHECK(one.point_zero_one[1] == 0.5);
    ColMatrix two(4, 2), outputs(4, 2);
    two << y, -y;
    outputs << f, -f;
    const HeldOutLosses both = held_out_losses(two - outputs, two, true);
    CHECK(both.zero_one == one.zero_one);
    CHECK(both.squared.mean() == doctest::Approx(one.squared[0]).epsilon(1e-14));
    CHECK(both.point_squared == one.point_squared);

    ColMatrix three = -ColMatrix::Ones(2, 3), tied = ColMatrix::Zero(2, 3);
    three(0, 0) = three(1, 1) = 1.0;
    tied(0, 1) = 0.1;
    const HeldOutLosses shared = held_out_losses(three - tied, three, true);
    CHECK(shared.point_zero_one[0] == 1.0);
    CHECK(shared.point_zero_one[1] == doctest::Approx(2.0 / 3.0));
}

TEST_CASE("losses are means over the points that were held out") {
    ColMatrix y = ColMatrix::Ones(4, 1), residuals(4, 1);
    residuals << 1.0, std::nan(""), 3.0, std::nan("");
    const HeldOutLosses losses = held_out_losses(residuals, y, true);
    CHECK(losses.squared[0] == 5.0);
    CHECK(losses.zero_one == 0.75);  // outputs 0 and -2
    CHECK(std::isnan(losses.point_squared[1]));
    CHECK(std::isnan(losses.point_zero_one[3]));
}
