#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <vector>

#include "kernelect/ridge/jobs.hpp"
#include "ridge_problems.hpp"

using namespace kernelect;
using namespace kernelect::testing;

namespace {

constexpr Index kPoints = 64;  // a power of two: the shares of folds are exact

RidgeRequest request(Index n = kPoints, Index columns = 1) {
    RidgeRequest made;
    made.targets = ColMatrix::Ones(n, columns);
    return made;
}

Folds folds_of(const std::vector<Index>& sizes) {
    Folds folds;
    for (const Index size : sizes) folds.emplace_back(place(size));
    return folds;
}

// As many ridges, and for each of them a job with these folds.
Jobs jobs_with(std::size_t ridges, const std::vector<Index>& sizes) {
    Jobs jobs;
    for (std::size_t k = 0; k < ridges; ++k) {
        Job job;
        job.lambda = k;
        job.folds = folds_of(sizes);
        jobs[0.5 + static_cast<double>(k)].push_back(job);
    }
    return jobs;
}

// Units of n / 3 operations, of which there are whole numbers: a dense system takes 2 n^2 of them
// and |F|^2 for each fold, an eigendecomposition as many as 15 dense systems and 3 |F|^2.
bool counted_cheaper(const Jobs& jobs) {
    Index dense = 0, eigen = 15 * 2 * kPoints * kPoints;
    for (const auto& entry : jobs) {
        dense += 2 * kPoints * kPoints;
        for (const Job& job : entry.second)
            for (const Fold& fold : job.folds) {
                const Index squared = static_cast<Index>(fold.size() * fold.size());
                dense += squared;
                eigen += 3 * squared;
            }
    }
    return eigen < dense;
}

// A system whose solutions multiply by E a few times.
struct Series {
    explicit Series(Index n, double tau)
        : matrix(gaussian(random_problem(n, 6, 3).points, tau)),
          gram(matrix),
          split(KernelSplit::find(gram, Vector::Ones(n))),
          system(split ? NearLowRankRidge::make(*split, {1.0, true}) : nullptr) {}
    ColMatrix matrix;
    GramBuffer gram;
    std::optional<KernelSplit> split;
    std::unique_ptr<NearLowRankRidge> system;
};

// Models that the jobs train, counted one by one.
Index models(const std::vector<Job>& jobs, const RidgeRequest& asked) {
    Index count = 0;
    for (Index column = 0; column < asked.targets.cols(); ++column)
        for (const Job& job : jobs) {
            ++count;
            for (std::size_t f = 0; f < job.folds.size(); ++f) ++count;
            if (!job.full) continue;
            for (int order = 0; order < asked.bif_order; ++order)
                for (const Folds& set : asked.fold_sets)
                    for (std::size_t f = 0; f < set.size(); ++f) ++count;
        }
    return count;
}

}  // namespace

TEST_CASE("from sixteen ridges on one decomposition is cheaper than a factorisation for each") {
    for (const std::size_t ridges : {1, 2, 14, 15}) {
        CAPTURE(ridges);
        CHECK_FALSE(eigen_is_cheaper(jobs_with(ridges, {}), request()));
    }
    CHECK(eigen_is_cheaper(jobs_with(16, {}), request()));
    CHECK(eigen_is_cheaper(jobs_with(200, {}), request()));
}

TEST_CASE("folds count with the square of their share") {
    const std::vector<std::vector<Index>> sets{
        {}, {1}, {63}, {32, 32}, {32, 31}, {16, 16, 16, 16}, {8, 8, 8}, {40, 24}};
    std::size_t changes = 0;
    for (const auto& sizes : sets) {
        bool last = false;
        for (std::size_t ridges = 0; ridges < 90; ++ridges) {
            const Jobs jobs = jobs_with(ridges, sizes);
            const bool cheaper = eigen_is_cheaper(jobs, request());
            CHECK(cheaper == counted_cheaper(jobs));
            changes += cheaper != last;
            last = cheaper;
        }
    }
    CHECK(changes == 7);  // of all sets but the one that leaves a single point for training
    Jobs many = jobs_with(20, {});
    CHECK(eigen_is_cheaper(many, request()));
    for (int k = 0; k < 10; ++k)  // many jobs of one ridge
        many.begin()->second.push_back(jobs_with(1, {63}).begin()->second.front());
    CHECK(eigen_is_cheaper(many, request()) == counted_cheaper(many));
    CHECK_FALSE(eigen_is_cheaper(many, request()));
}

TEST_CASE("no decomposition where it is not asked for or cannot answer") {
    const Jobs jobs = jobs_with(50, {});
    REQUIRE(eigen_is_cheaper(jobs, request()));
    CHECK_FALSE(eigen_is_cheaper({}, request()));
    RidgeRequest without = request(), weighted = request();
    without.eigen = false;
    weighted.weights = Vector::Ones(kPoints);
    CHECK_FALSE(eigen_is_cheaper(jobs, without));
    CHECK_FALSE(eigen_is_cheaper(jobs, weighted));
    for (const double rho : {0.0, -1.0}) {
        Jobs with = jobs;
        with[rho].push_back({});
        CHECK_FALSE(eigen_is_cheaper(with, request()));
    }
}

TEST_CASE("a series is affordable up to half a factorisation") {
    constexpr Index kSize = 240;
    const Series series(kSize, 0.02);
    REQUIRE(series.system != nullptr);
    const Index passes = series.system->passes();
    REQUIRE(passes > 0);
    for (const Index columns : {1, 2, 3})
        for (const bool full : {true, false})
            for (const int bif_order : {0, 1, 3})
                for (const std::size_t sets : {0, 1, 2}) {
                    RidgeRequest asked = request(kSize, columns);
                    asked.bif_order = bif_order;
                    asked.fold_sets.assign(sets, folds_of({1, 2}));
                    for (std::size_t folds = 0; folds < 60; ++folds) {
                        Job job, other;
                        job.full = full;
                        job.folds = folds_of(std::vector<Index>(folds, 1));
                        for (const std::vector<Job>& jobs :
                             {std::vector<Job>{job}, std::vector<Job>{job, other}}) {
                            const Index work = 2 * models(jobs, asked) * passes;
                            CHECK(affordable(*series.system, jobs, asked) == (3 * work <= kSize));
                        }
                    }
                }
    CHECK(affordable(*series.system, {}, request(kSize)));
    CHECK(affordable(*series.system, {Job{}}, request(kSize)) == (6 * passes <= kSize));
}

TEST_CASE("a kernel that is a diagonal takes no pass, and any number of models") {
    const Series series(120, 1e-5);
    REQUIRE(series.system != nullptr);
    CHECK(series.system->passes() == 0);
    Job job;
    job.folds = folds_of(std::vector<Index>(100000, 1));
    CHECK(affordable(*series.system, {job}, request(120, 5)));
}
