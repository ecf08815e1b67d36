#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "explicit_kernels.hpp"
#include "kernelect/tiles/rows.hpp"

using namespace kernelect;
using namespace explicit_kernels;

namespace {

std::vector<Index> identity(Index n) {
    std::vector<Index> order(place(n));
    std::iota(order.begin(), order.end(), Index{0});
    return order;
}

struct Sparse {
    std::vector<double> values;
    std::vector<std::int32_t> columns;
    std::vector<std::int64_t> starts{0};
    Index features;

    explicit Sparse(const Matrix& x) : features(x.cols()) {
        for (Index i = 0; i < x.rows(); ++i) {
            for (Index f = 0; f < x.cols(); ++f)
                if (x(i, f) != 0.0) {
                    values.push_back(x(i, f));
                    columns.push_back(static_cast<std::int32_t>(f));
                }
            starts.push_back(static_cast<std::int64_t>(values.size()));
        }
    }
    SparseView view() const {
        return {values.data(), columns.data(), starts.data(), static_cast<Index>(starts.size()) - 1,
                features};
    }
};

Long base_value(Base base, const Matrix& x, Index i, const Matrix& y, Index j) {
    Long squared = 0, absolute = 0, dot = 0;
    for (Index f = 0; f < x.cols(); ++f) {
        const Long d = static_cast<Long>(x(i, f)) - static_cast<Long>(y(j, f));
        squared += d * d;
        absolute += std::fabs(d);
        dot += static_cast<Long>(x(i, f)) * static_cast<Long>(y(j, f));
    }
    switch (base) {
        case Base::squared_distance:
            return squared;
        case Base::distance:
            return std::sqrt(squared);
        case Base::l1_distance:
            return absolute;
        default:
            return dot;
    }
}

const Base kBases[] = {Base::squared_distance, Base::distance, Base::l1_distance,
                       Base::dot_product};

// The largest error of all tiles between two tables, relative to the values (to |x||y| for dots).
double worst_error(const Rows& left, const Matrix& x, const std::vector<Block>& a,
                   const Rows& right, const Matrix& y, const std::vector<Block>& b, Base base) {
    std::vector<Real> tile(kTileArea), scratch;
    double worst = 0.0;
    for (const Block& p : a)
        for (const Block& q : b) {
            left.base_tile(base, p, right, q, tile.data(), scratch);
            for (Index i = 0; i < p.size; ++i)
                for (Index j = 0; j < q.size; ++j) {
                    const Long scale = base == Base::dot_product
                                           ? x.row(p.begin + i).norm() * y.row(q.begin + j).norm()
                                           : 0.0;
                    worst = std::max(
                        worst,
                        relative_error(tile[place(i * kTile + j)],
                                       base_value(base, x, p.begin + i, y, q.begin + j), scale));
                }
        }
    return worst;
}

}  // namespace

TEST_CASE("base tiles of dense rows") {
    for (const Index features : {1, 3, 10, 11, 24, 60, 300})
        for (const Index n : {1, 7, 8, 9, 63, 64, 65, 150})
            for (const Base base : kBases) {
                const Matrix x = noise(n, features);
                const auto blocks = make_blocks({n});
                const Rows rows = DenseRows(x, identity(n), blocks);
                CHECK(worst_error(rows, x, blocks, rows, x, blocks, base) < 1e-13);
            }
}

TEST_CASE("base tiles between two tables") {
    for (const Index features : {4, 40}) {
        const Matrix x = noise(70, features, 1), y = noise(13, features, 2);
        const auto a = make_blocks({70}), b = make_blocks({13});
        const Rows left = DenseRows(x, identity(70), a), right = DenseRows(y, identity(13), b);
        for (const Base base : kBases) CHECK(worst_error(left, x, a, right, y, b, base) < 1e-13);
    }
}

TEST_CASE("rows in another order") {
    const Matrix x = noise(20, 5);
    std::vector<Index> order = identity(20);
    std::reverse(order.begin(), order.end());
    const auto blocks = make_blocks({8, 12});
    const Rows rows = DenseRows(x, order, blocks);
    const Matrix reversed = x.colwise().reverse();
    for (const Base base : kBases)
        CHECK(worst_error(rows, reversed, blocks, rows, reversed, blocks, base) < 1e-13);
    for (Index i = 0; i < 20; ++i)
        CHECK(rows.own_products()(i) == doctest::Approx(reversed.row(i).squaredNorm()));
}

TEST_CASE("base tiles of sparse rows") {
    for (const Index features : {1, 10, 200}) {
        Matrix x = noise(75, features);
        x = (x.array().abs() > 0.4).select(x, 0.0);
        x.row(5).setZero();
        const auto blocks = make_blocks({75});
        const Sparse sparse(x);
        const Rows rows = SparseRows(sparse.view(), identity(75));
        for (const Base base : kBases)
            CHECK(worst_error(rows, x, blocks, rows, x, blocks, base) < 1e-13);
    }
}

TEST_CASE("far from the origin, distances come from centred rows") {
    for (const double offset : {10.0, 1e3, 1e6}) {
        const Matrix x = (noise(80, 40, 1).array() + offset).matrix();
        const Matrix y = (noise(30, 40, 2).array() + offset).matrix();
        const auto a = make_blocks({80}), b = make_blocks({30});
        const Vector centre = DenseRows::useful_centre(x);
        REQUIRE(centre.size() == 40);
        const Rows left = DenseRows(x, identity(80), a, centre);
        const Rows right = DenseRows(y, identity(30), b, centre);
        const Rows without = DenseRows(y, identity(30), b);
        for (const Base base : {Base::squared_distance, Base::distance}) {
            CHECK(worst_error(left, x, a, left, x, a, base) < 1e-12);
            CHECK(worst_error(left, x, a, right, y, b, base) < 1e-12);
            // Without a common centre they are taken from differences where digits are lost.
            CHECK(worst_error(left, x, a, without, y, b, base) < 1e-10);
        }
        CHECK(worst_error(left, x, a, right, y, b, Base::dot_product) < 1e-13);
    }
    CHECK(DenseRows::useful_centre(noise(50, 40)).size() == 0);  // nothing to gain
    CHECK(DenseRows::useful_centre((noise(50, 4).array() + 1e6).matrix()).size() ==
          0);  // no products
    const Matrix huge = (noise(50, 40).array() * 1e200).matrix();
    CHECK(DenseRows::useful_centre(huge).size() == 0);
}

TEST_CASE("equal rows are at distance zero, neighbours keep their digits") {
    for (const Index features : {3, 50})
        for (const double offset : {0.0, 1e4}) {
            Matrix x = (noise(10, features).array() + offset).matrix();
            x.bottomRows(5) = x.topRows(5);
            x(9, 0) += 1e-3;
            const auto blocks = make_blocks({10});
            const Rows rows = DenseRows(x, identity(10), blocks, DenseRows::useful_centre(x));
            std::vector<Real> tile(kTileArea), scratch;
            rows.base_tile(Base::squared_distance, blocks[0], rows, blocks[0], tile.data(),
                           scratch);
            for (Index i = 0; i < 10; ++i) {
                CHECK(tile[place(i * kTile + i)] == 0.0);
                if (i < 4) CHECK(tile[place(i * kTile + i + 5)] == 0.0);
            }
            const double step = x(9, 0) - x(4, 0);
            CHECK(tile[4 * kTile + 9] == step * step);
        }
}

TEST_CASE("squares that overflow give infinity, never a NaN, and distances what they are") {
    for (const Index features : {3, 50}) {
        Matrix x = noise(12, features) * 1e200;
        x.row(1) = x.row(0);
        const auto blocks = make_blocks({12});
        const Rows rows = DenseRows(x, identity(12), blocks, DenseRows::useful_centre(x));
        std::vector<Real> tile(kTileArea), scratch;
        for (const Base base : {Base::squared_distance, Base::distance}) {
            rows.base_tile(base, blocks[0], rows, blocks[0], tile.data(), scratch);
            for (Index i = 0; i < 12; ++i)
                for (Index j = 0; j < 12; ++j) {
                    const bool same = i == j || (i < 2 && j < 2);
                    const double v = tile[place(i * kTile + j)];
                    const double distance = 1e200 * (1e-200 * (x.row(i) - x.row(j))).norm();
                    if (same)
                        CHECK(v == 0.0);
                    else if (base == Base::distance)
                        CHECK(std::abs(v / distance - 1.0) < 1e-14);
                    else
                        CHECK(v == std::numeric_limits<double>::infinity());
                }
        }
    }
}

TEST_CASE("a stored matrix is read in the order of the rows") {
    const Matrix k = noise(9, 9) + noise(9, 9).transpose();
    std::vector<Index> order = {8, 1, 0, 2, 7, 3, 4, 6, 5};
    const Rows rows = StoredRows(k, order, order);
    const auto blocks = make_blocks({4, 5});
    std::vector<Real> tile(kTileArea), scratch;
    for (const Block& a : blocks)
        for (const Block& b : blocks) {
            rows.base_tile(Base::value, a, rows, b, tile.data(), scratch);
            for (Index i = 0; i < a.size; ++i)
                for (Index j = 0; j < b.size; ++j)
                    CHECK(tile[place(i * kTile + j)] ==
                          k(order[place(a.begin + i)], order[place(b.begin + j)]));
        }
    for (Index i = 0; i < 9; ++i)
        CHECK(rows.own_products()(i) == k(order[place(i)], order[place(i)]));
}

TEST_CASE("tables that do not fit are refused") {
    const Matrix x = noise(5, 3), y = noise(5, 4);
    const auto blocks = make_blocks({5});
    const Rows left = DenseRows(x, identity(5), blocks), right = DenseRows(y, identity(5), blocks);
    std::vector<Real> tile(kTileArea), scratch;
    CHECK_THROWS_AS(
        left.base_tile(Base::dot_product, blocks[0], right, blocks[0], tile.data(), scratch),
        std::invalid_argument);
    CHECK_THROWS_AS(left.base_tile(Base::value, blocks[0], left, blocks[0], tile.data(), scratch),
                    std::invalid_argument);
    Sparse broken(x);
    broken.columns[2] = 3;
    CHECK_THROWS_AS(SparseRows(broken.view(), identity(5)), std::invalid_argument);
    broken.columns[2] = -1;
    CHECK_THROWS_AS(SparseRows(broken.view(), identity(5)), std::invalid_argument);
    Sample sample({0, 1, 0, 1, 0}, 2), other({0, 1, 0, 1, 0}, 2);
    CHECK_THROWS_AS(sample.add_dense(noise(4, 3)), std::invalid_argument);
    const Matrix oblong = noise(5, 4);
    CHECK_THROWS_AS(sample.add_matrix(oblong), std::invalid_argument);
    CHECK_THROWS_AS(sample.add_dense(x, &other), std::invalid_argument);
    CHECK_THROWS_AS(Sample({0, 2}, 2), std::invalid_argument);
    CHECK_THROWS_AS(Sample({0, 0}, 2), std::invalid_argument);
}
