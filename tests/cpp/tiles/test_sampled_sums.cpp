#include <doctest/doctest.h>

#include <stdexcept>

#include "explicit_kernels.hpp"
#include "kernelect/tiles/sampled_sums.hpp"

using namespace kernelect;
using namespace explicit_kernels;

namespace {

constexpr Index kRows = 1300, kSome = 90;
constexpr int kClasses = 3, kGroups = 4;

Sample sample_of(const Matrix& x, int groups, const Sample* like = nullptr) {
    std::vector<int> of_row;
    for (Index i = 0; i < x.rows(); ++i) of_row.push_back(static_cast<int>(i % groups));
    Sample sample(of_row, groups);
    sample.add_dense(x, like);
    return sample;
}

std::vector<Program> programs() {
    return {gaussian(1e-4), gaussian(0.5), gaussian(1.0), gaussian(0.5), gaussian(64.0),
            leaf(Op::matern32, 2.0), then(leaf(Op::polynomial, 1.0, 1.0, 2), Op::normalize)};
}

}  // namespace

TEST_CASE("sums of some rows over all rows, for all candidates in one pass") {
    const Matrix x = noise(kRows, 3, 1), some = x.topRows(kSome), v = noise(2, kRows, 2);
    const Vector w = noise(kSome, 1, 3).col(0);
    const Sample sample = sample_of(x, kClasses), others = sample_of(some, kGroups, &sample);
    Matrix sorted(2, kRows);
    for (Index p = 0; p < 2; ++p) sorted.row(p) = sample.sorted(v.row(p).transpose()).transpose();
    const std::vector<Program> kernels = programs();
    const KernelSet set(sample, others, kernels);
    Control control(1), three(3);
    const std::vector<SampledSums> found = sampled_sums(set, sorted, w, control);
    const std::vector<SampledSums> again = sampled_sums(set, sorted, w, three);
    REQUIRE(found.size() == kernels.size());
    CHECK(found[0].shift == 1.0);  // a wide kernel is summed as 1 - K
    for (std::size_t k = 0; k < kernels.size(); ++k) {
        const SampledSums& sums = found[k];
        const Long shift = sums.shift, sign = sums.sign;
        std::vector<std::vector<Long>> weighted(kGroups, std::vector<Long>(kRows, 0.0L));
        for (Index j = 0; j < kSome; ++j) {
            Long by_class[kClasses] = {}, products[2] = {}, squares = 0;
            for (Index i = 0; i < kRows; ++i) {
                const Long e = sign * (entry(kernels[k], x, i, x, j) - shift);
                by_class[i % kClasses] += e;
                for (Index p = 0; p < 2; ++p) products[p] += Long(v(p, i)) * e;
                squares += e * e;
                weighted[place(j % kGroups)][place(i)] += Long(w(j)) * e;
            }
            for (Index c = 0; c < kClasses; ++c)
                CHECK(relative_error(sums.by_class(c, j), by_class[c], 1e-2L) < 1e-11);
            for (Index p = 0; p < 2; ++p)
                CHECK(relative_error(sums.products(p, j), products[p], 1e-1L) < 1e-11);
            CHECK(relative_error(sums.squares(j), squares) < 1e-11);
        }
        for (Index g = 0; g < kGroups; ++g) {
            Long spread = 0;
            for (const Long each : weighted[place(g)]) spread += each * each;
            CHECK(relative_error(sums.spreads(g), spread) < 1e-11);
        }
        CHECK(relative_error(sums.trace, Long(kRows)) < 1e-13);
        CHECK(sums.by_class == again[k].by_class);
        CHECK(sums.products == again[k].products);
        CHECK(sums.squares == again[k].squares);
        CHECK(sums.spreads == again[k].spreads);
    }
}

TEST_CASE("sampled sums that do not fit are refused") {
    const Matrix x = noise(20, 2, 1);
    const Sample sample = sample_of(x, 1), others = sample_of(x.topRows(4), 1, &sample);
    const KernelSet set(sample, others, {gaussian(1.0)});
    Control control(1);
    CHECK_THROWS_AS(sampled_sums(set, Matrix(0, 20), Vector::Ones(3), control),
                    std::invalid_argument);
    CHECK_THROWS_AS(sampled_sums(set, Matrix::Ones(1, 19), Vector::Ones(4), control),
                    std::invalid_argument);
}
