#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "explicit_kernels.hpp"
#include "kernelect/tiles/sample.hpp"

using namespace kernelect;
using namespace explicit_kernels;

TEST_CASE("rows are sorted by class, and stay in order within one") {
    const Sample sample({2, 0, 1, 0, 2, 2}, 3);
    CHECK(sample.size() == 6);
    CHECK(sample.classes() == 3);
    CHECK(sample.order() == std::vector<Index>{1, 3, 2, 0, 4, 5});
    CHECK(sample.class_sizes() == std::vector<Index>{2, 1, 3});
    CHECK(sample.class_begin(2) == 3);
    CHECK(sample.blocks().size() == 3);
    Vector v(6);
    v << 0, 1, 2, 3, 4, 5;
    Vector wanted(6);
    wanted << 1, 3, 2, 0, 4, 5;
    CHECK(sample.sorted(v) == wanted);
}

TEST_CASE("tables are added in the order of the sample") {
    Sample sample({1, 0, 1}, 2);
    Matrix x(3, 1);
    x << 2, 3, 5;
    Matrix k(3, 3);
    k << 1, 2, 3, 2, 4, 5, 3, 5, 6;
    sample.add_dense(x);
    sample.add_matrix(k);
    REQUIRE(sample.sources().size() == 2);
    Vector squares(3), diagonal(3);
    squares << 9, 4, 25;
    diagonal << 4, 1, 6;
    CHECK(sample.sources()[0].own_products() == squares);
    CHECK(sample.sources()[1].own_products() == diagonal);
}

TEST_CASE("what does not fit is refused") {
    CHECK_THROWS_AS(Sample({0, 2}, 2), std::invalid_argument);
    CHECK_THROWS_AS(Sample({0, -1}, 2), std::invalid_argument);
    CHECK_THROWS_AS(Sample({0, 0}, 2), std::invalid_argument);  // a class without rows
    Sample sample({0, 0, 0}, 1), other({0, 0, 0}, 1);
    const Matrix oblong = Matrix::Zero(3, 2), short_one = Matrix::Zero(2, 2);
    CHECK_THROWS_AS(sample.add_dense(noise(2, 4)), std::invalid_argument);
    CHECK_THROWS_AS(sample.add_matrix(oblong), std::invalid_argument);
    CHECK_THROWS_AS(sample.add_matrix(short_one), std::invalid_argument);
    CHECK_THROWS_AS(sample.add_dense(noise(3, 4), &other), std::invalid_argument);
    other.add_dense((noise(3, 20).array() + 1e3).matrix());  // centred
    CHECK_THROWS_AS(sample.add_dense(noise(3, 21), &other), std::invalid_argument);
    sample.add_dense(noise(3, 20), &other);
    CHECK(sample.sources()[0].centre() == other.sources()[0].centre());
}
