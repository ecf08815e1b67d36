#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "explicit_kernels.hpp"
#include "kernelect/linalg/tall.hpp"

using namespace kernelect;
using explicit_kernels::Long;
using explicit_kernels::noise;
using linalg::ColMatrix;

namespace {

// Around one pack, two, and the rows that are taken at a time.
const std::vector<Index> kRows{0, 1, 3, 4, 5, 8, 9, 12, 508, 512, 513, 516, 1023, 1024, 1029};

// A tall matrix, padded with zeros.
ColMatrix tall_matrix(Index rows, Index columns, unsigned seed) {
    ColMatrix a = ColMatrix::Zero(tall::padded(rows), columns);
    a.topRows(rows) = noise(rows, columns, seed);
    return a;
}

// Largest error of a'b, in units of the size of its sums.
double worst_product(const ColMatrix& a, Index first, const ColMatrix& b, const ColMatrix& found) {
    double error = 0.0;
    for (Index v = 0; v < found.rows(); ++v)
        for (Index w = 0; w < found.cols(); ++w) {
            Long sum = 0, size = 1;
            for (Index i = 0; i < a.rows(); ++i) {
                const Long term = Long{a(i, first + v)} * Long{b(i, w)};
                sum += term;
                size += std::fabs(term);
            }
            error = std::max(error, static_cast<double>(std::fabs(found(v, w) - sum) / size));
        }
    return error;
}

}  // namespace

TEST_CASE("rows are padded to whole packs") {
    constexpr Index kPack = simd::kWidth;
    CHECK(tall::padded(0) == 0);
    CHECK(tall::padded(1) == kPack);
    CHECK(tall::padded(kPack) == kPack);
    CHECK(tall::padded(kPack + 1) == 2 * kPack);
    CHECK(tall::kChunk % kPack == 0);
}

TEST_CASE("a'b is that of plain loops, for all counts of columns") {
    for (const Index rows : kRows) {
        CAPTURE(rows);
        const ColMatrix a = tall_matrix(rows, 8, 1), wide = tall_matrix(rows, 9, 2);
        for (const Index columns : {0, 1, 2, 3, 4, 5, 8, 9})
            for (const Index count : {0, 1, 2, 3, 6})
                for (const Index first : {0, 2}) {
                    CAPTURE(columns);
                    CAPTURE(count);
                    const ColMatrix b = wide.leftCols(columns);
                    const ColMatrix found = tall::transposed_product(a, first, count, b);
                    REQUIRE(found.rows() == count);
                    REQUIRE(found.cols() == columns);
                    CHECK(worst_product(a, first, b, found) < 1e-14);
                }
    }
}

TEST_CASE("b - a c is that of plain loops, and only the rows of b change") {
    for (const Index rows : kRows) {
        CAPTURE(rows);
        const ColMatrix a = tall_matrix(rows, 8, 3), wide = tall_matrix(rows, 9, 4);
        for (const Index columns : {0, 1, 3, 4, 5, 8, 9})
            for (const Index count : {0, 1, 2, 6})
                for (const Index first : {0, 2}) {
                    const ColMatrix c = noise(count, columns, 5);
                    ColMatrix b = wide.leftCols(columns);
                    tall::subtract_product(a, first, c, b);
                    double error = 0.0;
                    for (Index i = 0; i < b.rows(); ++i)
                        for (Index w = 0; w < columns; ++w) {
                            Long wanted = wide(i, w);
                            for (Index v = 0; v < count; ++v)
                                wanted -= Long{a(i, first + v)} * Long{c(v, w)};
                            error =
                                std::max(error, static_cast<double>(std::fabs(b(i, w) - wanted)));
                        }
                    CHECK(error < 1e-14);
                    CHECK(b.bottomRows(b.rows() - rows).isZero(0.0));
                }
    }
}

TEST_CASE("parts of larger matrices are worked on in place") {
    const Index rows = tall::padded(600);
    const ColMatrix a = tall_matrix(rows + tall::padded(20), 5, 6);
    ColMatrix b = tall_matrix(rows + tall::padded(20), 6, 7);
    const ColMatrix before = b, a_part = a.topRows(rows), b_part = b.block(0, 1, rows, 5);
    auto part = b.block(0, 1, rows, 5);
    const ColMatrix c = tall::transposed_product(a.topRows(rows), 1, 3, part);
    CHECK(c == tall::transposed_product(a_part, 1, 3, b_part));
    tall::subtract_product(a.topRows(rows), 1, c, part);
    ColMatrix wanted = b_part;
    tall::subtract_product(a_part, 1, c, wanted);
    CHECK(ColMatrix(part) == wanted);
    b.block(0, 1, rows, 5) = b_part;
    CHECK(b == before);  // nothing beside the part was written to
}

TEST_CASE("a column has the same bits whatever stands beside it") {
    const ColMatrix a = tall_matrix(1029, 7, 8), b = tall_matrix(1029, 9, 9);
    const ColMatrix c = tall::transposed_product(a, 0, 7, b);
    ColMatrix rest = b;
    tall::subtract_product(a, 0, c, rest);
    for (Index w = 0; w < b.cols(); ++w) {
        ColMatrix one = b.col(w);
        for (Index v = 0; v < 7; ++v)
            CHECK(tall::transposed_product(a, v, 1, one)(0, 0) == c(v, w));
        const ColMatrix coefficients = c.col(w);
        tall::subtract_product(a, 0, coefficients, one);
        CHECK(one == rest.col(w));
    }
}
