#include <doctest/doctest.h>

#include <stdexcept>

#include "explicit_kernels.hpp"
#include "kernelect/tiles/cross_products.hpp"

using namespace kernelect;
using namespace explicit_kernels;

namespace {

Sample sample_of(const Matrix& x, const Sample* like = nullptr) {
    Sample sample(std::vector<int>(static_cast<std::size_t>(x.rows()), 0), 1);
    sample.add_dense(x, like);
    return sample;
}

// Wide and narrow members of two chains, one of them twice, and kernels of other kinds.
std::vector<Program> programs() {
    std::vector<Program> all;
    for (const double rate : {1e-4, 2e-4, 0.125, 0.5, 1.0, 2.0, 0.5, 64.0})
        all.push_back(gaussian(rate));
    for (const double rate : {0.25, 0.5, 4.0}) all.push_back(leaf(Op::laplacian, rate));
    all.push_back(leaf(Op::matern32, 2.0));
    all.push_back(then(leaf(Op::polynomial, 1.0, 1.0, 2), Op::normalize));
    return all;
}

}  // namespace

TEST_CASE("sums of products between new rows and old ones") {
    const Matrix old = noise(150, 3, 1), fresh = noise(70, 3, 2);
    const Sample sample = sample_of(old), others = sample_of(fresh, &sample);
    const std::vector<Program> kernels = programs();
    for (const Index columns : {1, 3, 6}) {
        std::vector<Matrix> owned;
        for (std::size_t k = 0; k < kernels.size(); ++k)
            owned.push_back(noise(columns, 150, 3 + static_cast<unsigned>(k)));
        const std::vector<ConstMatrixRef> vectors(owned.begin(), owned.end());
        Control control(1), two(2);
        const Matrix found = cross_products({sample, others, kernels}, vectors, control);
        for (Index i = 0; i < 70; ++i)
            for (Index c = 0; c < columns; ++c) {
                Long wanted = 0;
                for (std::size_t k = 0; k < kernels.size(); ++k)
                    for (Index j = 0; j < 150; ++j)
                        wanted += entry(kernels[k], fresh, i, old, j) * Long(owned[k](c, j));
                CHECK(relative_error(found(i, c), wanted, 10.0L) < 1e-12);
            }
        CHECK(found == cross_products({sample, others, kernels}, vectors, two));
    }
}

TEST_CASE("a product with one kernel keeps its digits far from the sample") {
    const Matrix old = noise(80, 2, 1), far = (noise(5, 2, 2).array() + 20.0).matrix();
    const Sample sample = sample_of(old), others = sample_of(far, &sample);
    const Matrix ones = Matrix::Ones(1, 80);
    Control control(1);
    const Matrix found =
        cross_products({sample, others, {gaussian(0.5)}}, {ConstMatrixRef(ones)}, control);
    for (Index i = 0; i < 5; ++i) {
        Long wanted = 0;
        for (Index j = 0; j < 80; ++j) wanted += entry(gaussian(0.5), far, i, old, j);
        CHECK(relative_error(found(i, 0), wanted) < 1e-10);
    }
}

TEST_CASE("products that do not fit are refused") {
    const Matrix old = noise(20, 2, 1), fresh = noise(4, 2, 2);
    const Sample sample = sample_of(old), others = sample_of(fresh, &sample);
    const KernelSet set(sample, others, {gaussian(1.0)});
    const Matrix right = Matrix::Ones(1, 20), wrong = Matrix::Ones(1, 19);
    Control control(1);
    CHECK_THROWS_AS(cross_products(set, {}, control), std::invalid_argument);
    CHECK_THROWS_AS(cross_products(set, {ConstMatrixRef(wrong)}, control), std::invalid_argument);
    CHECK_THROWS_AS(cross_products(set, {ConstMatrixRef(right), ConstMatrixRef(right)}, control),
                    std::invalid_argument);
}
