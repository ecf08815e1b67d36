#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "explicit_kernels.hpp"
#include "kernelect/linalg/strips.hpp"
#include "sparse_blas.hpp"

using namespace kernelect;
using namespace kernelect::testing;
using blas::ColMatrix;
using blas::Transpose;
using blas::Triangle;
using explicit_kernels::noise;

namespace {

// Strips of an operand of this order have this many rows or columns: 4e9 multiplications, rounded
// down to a multiple of 64.
constexpr Index kOrder = 2000, kLength = 960;

double worst(const ColMatrix& a, const ColMatrix& b) {
    REQUIRE(a.rows() == b.rows());
    REQUIRE(a.cols() == b.cols());
    return a.size() == 0 ? 0.0 : (a - b).cwiseAbs().maxCoeff();
}

// Entry by entry.
ColMatrix product(const ColMatrix& a, const ColMatrix& b) {
    ColMatrix c = ColMatrix::Zero(a.rows(), b.cols());
    for (Index i = 0; i < a.rows(); ++i)
        for (Index j = 0; j < b.cols(); ++j)
            for (Index k = 0; k < a.cols(); ++k) c(i, j) += a(i, k) * b(k, j);
    return c;
}

ColMatrix lower_of(const ColMatrix& a) { return a.triangularView<Eigen::Lower>(); }

ColMatrix symmetric_of(const ColMatrix& lower) {
    ColMatrix full = lower_of(lower);
    for (Index j = 0; j < full.cols(); ++j)
        for (Index i = 0; i < j; ++i) full(i, j) = full(j, i);
    return full;
}

// A lower triangle that can be divided by, with something above it that nobody may read.
ColMatrix triangle(Index n) {
    ColMatrix t = noise(n, n, 3);
    for (Index j = 0; j < n; ++j) {
        t(j, j) += 3.0 + 0.1 * static_cast<double>(n);
        t.col(j).head(j).setConstant(1e9);
    }
    return t;
}

// One kind of product on operands that are large enough for strips.
struct Large {
    const char* name;
    std::function<ColMatrix(Index size, const Team& team)> strips, whole;
};

const ColMatrix& large_triangle() {
    static const ColMatrix t = sparse_triangle(kOrder);
    return t;
}

// c <- what(c) where c begins as a full matrix of this size.
template <class What>
ColMatrix begun(Index rows, Index columns, const What& what) {
    ColMatrix c(rows, columns);
    for (Index j = 0; j < columns; ++j)
        for (Index i = 0; i < rows; ++i) c(i, j) = static_cast<double>((3 * i + 5 * j) % 11) - 4.5;
    what(c);
    return c;
}

std::vector<Large> large_products() {
    std::vector<Large> all;
    for (const Transpose op : {Transpose::no, Transpose::yes}) {
        const auto& t = large_triangle();
        all.push_back({"trmm_left",
                       [&t, op](Index size, const Team& team) {
                           return begun(kOrder, size, [&](ColMatrix& b) {
                               strips::trmm_left(-0.75, t, op, b, team);
                           });
                       },
                       [&t, op](Index size, const Team&) {
                           return begun(kOrder, size,
                                        [&](ColMatrix& b) { blas::trmm_left(-0.75, t, op, b); });
                       }});
        all.push_back({"trmm_right",
                       [&t, op](Index size, const Team& team) {
                           return begun(size, kOrder, [&](ColMatrix& b) {
                               strips::trmm_right(-0.75, t, op, b, team);
                           });
                       },
                       [&t, op](Index size, const Team&) {
                           return begun(size, kOrder,
                                        [&](ColMatrix& b) { blas::trmm_right(-0.75, t, op, b); });
                       }});
        all.push_back({"gemm",
                       [&t, op](Index size, const Team& team) {
                           const ColMatrix b = begun(kOrder, size, [](ColMatrix&) {});
                           return begun(kOrder, size, [&](ColMatrix& c) {
                               strips::gemm(-0.75, t, op, b, 0.5, c, team);
                           });
                       },
                       [&t, op](Index size, const Team&) {
                           const ColMatrix b = begun(kOrder, size, [](ColMatrix&) {});
                           return begun(kOrder, size, [&](ColMatrix& c) {
                               blas::gemm(-0.75, t, op, b, Transpose::no, 0.5, c);
                           });
                       }});
    }
    const auto& t = large_triangle();
    all.push_back({"trsm_left",
                   [&t](Index size, const Team& team) {
                       return begun(kOrder, size,
                                    [&](ColMatrix& b) { strips::trsm_left(t, b, team); });
                   },
                   [&t](Index size, const Team&) {
                       return begun(kOrder, size,
                                    [&](ColMatrix& b) { blas::trsm_left(t, Transpose::no, b); });
                   }});
    all.push_back({"symm",
                   [&t](Index size, const Team& team) {
                       const ColMatrix b = begun(kOrder, size, [](ColMatrix&) {});
                       return begun(kOrder, size, [&](ColMatrix& c) {
                           strips::symm(t, Triangle::lower, b, c, team);
                       });
                   },
                   [&t](Index size, const Team&) {
                       const ColMatrix b = begun(kOrder, size, [](ColMatrix&) {});
                       return begun(kOrder, size, [&](ColMatrix& c) {
                           blas::symm(1.0, t, Triangle::lower, b, 0.0, c);
                       });
                   }});
    return all;
}

}  // namespace

TEST_CASE("sizes are rounded up to where packs are aligned") {
    CHECK(strips::aligned(0) == 0);
    CHECK(strips::aligned(1) == 8);
    CHECK(strips::aligned(8) == 8);
    CHECK(strips::aligned(9) == 16);
}

TEST_CASE("small products are those of plain loops") {
    const Team team;
    for (const Index n : {0, 1, 2, 17, 65})
        for (const Index m : {0, 1, 3, 40}) {
            CAPTURE(n);
            CAPTURE(m);
            const ColMatrix t = triangle(n), l = lower_of(t), tall = noise(n, m, 5),
                            wide = noise(m, n, 6), upper = l.transpose();
            ColMatrix a = tall, b = tall, c = wide, d = wide, e = tall;
            strips::trmm_left(2.0, t, Transpose::no, a, team);
            strips::trmm_left(-1.0, t, Transpose::yes, b, team);
            strips::trmm_right(2.0, t, Transpose::no, c, team);
            strips::trmm_right(-1.0, t, Transpose::yes, d, team);
            strips::trsm_left(t, e, team);
            CHECK(worst(a, 2.0 * product(l, tall)) < 1e-12);
            CHECK(worst(b, -product(upper, tall)) < 1e-12);
            CHECK(worst(c, 2.0 * product(wide, l)) < 1e-12);
            CHECK(worst(d, -product(wide, upper)) < 1e-12);
            CHECK(worst(product(l, e), tall) < 1e-12);

            ColMatrix f = tall, g = wide, h = noise(n, m, 7);
            const ColMatrix full = noise(n, n, 8), turned = wide.transpose();
            strips::gemm(3.0, full, Transpose::no, tall, 0.5, f, team);
            strips::symm(t, Triangle::lower, tall, h, team);
            CHECK(worst(f, 3.0 * product(full, tall) + 0.5 * tall) < 1e-12);
            CHECK(worst(h, product(symmetric_of(t), tall)) < 1e-12);
            strips::gemm(3.0, tall, Transpose::yes, full, 0.0, g, team);
            const ColMatrix tall_turned = tall.transpose();
            CHECK(worst(g, 3.0 * product(tall_turned, full)) < 1e-12);

            ColMatrix outer = full, inner = full;
            strips::add_gram(-2.0, tall, Transpose::no, outer, team);
            strips::add_gram(-2.0, wide, Transpose::yes, inner, team);
            const ColMatrix above = full.triangularView<Eigen::StrictlyUpper>();
            const ColMatrix of_rows = full - 2.0 * product(tall, tall_turned),
                            of_columns = full - 2.0 * product(turned, wide);
            CHECK(worst(lower_of(outer), lower_of(of_rows)) < 1e-12);
            CHECK(worst(lower_of(inner), lower_of(of_columns)) < 1e-12);
            const ColMatrix kept = outer.triangularView<Eigen::StrictlyUpper>();
            CHECK(kept == above);
        }
}

TEST_CASE("a BLAS that skips zeros is one") {
    const ColMatrix t = sparse_triangle(50), l = lower_of(t), a = sparse_matrix(30, 50),
                    at = a.transpose(), b = noise(50, 6), lt = l.transpose();
    ColMatrix c = b, d = b, e = b, f = ColMatrix(30, 6), g = ColMatrix::Zero(30, 30), h = b,
              i = noise(6, 50);
    const ColMatrix wide = i;
    const SparseBlas sparse;
    blas::trmm_left(2.0, t, Transpose::no, c);
    blas::trmm_left(2.0, t, Transpose::yes, d);
    blas::trsm_left(t, Transpose::no, e);
    blas::gemm(2.0, a, Transpose::no, b, Transpose::no, 0.0, f);
    blas::syrk(2.0, a, Transpose::no, 1.0, g);
    blas::symm(2.0, t, Triangle::lower, b, 0.0, h);
    blas::trmm_right(2.0, t, Transpose::no, i);
    CHECK(sparse.calls().size() == 7);
    CHECK(worst(c, 2.0 * product(l, b)) < 1e-12);
    CHECK(worst(d, 2.0 * product(lt, b)) < 1e-12);
    CHECK(worst(product(l, e), b) < 1e-12);
    CHECK(worst(f, 2.0 * product(a, b)) < 1e-12);
    CHECK(worst(g, lower_of(2.0 * product(a, at))) < 1e-12);
    CHECK(worst(h, 2.0 * product(symmetric_of(t), b)) < 1e-12);
    CHECK(worst(i, 2.0 * product(wide, l)) < 1e-12);
}

TEST_CASE("large products go in strips of one size, to the same bits from any threads") {
    for (const Large& large : large_products()) {
        CAPTURE(large.name);
        // A symmetric matrix meets a rest of one or two columns without BLAS.
        for (const Index size : {kLength, kLength + 3}) {
            CAPTURE(size);
            const SparseBlas sparse;
            const ColMatrix found = large.strips(size, {});
            CHECK(sparse.calls().size() == (size == kLength ? 1 : 2));
            CHECK(worst(found, large.whole(size, {})) < 1e-12);
        }
        ColMatrix one;
        for (const int threads : {1, 2, 3}) {
            CAPTURE(threads);
            Control control(threads);
            const SparseBlas sparse;
            const ColMatrix found = large.strips(2 * kLength + 5, Team(control, threads, true));
            Index narrow = 0, all = 0;
            for (const SparseBlas::Call& call : sparse.calls()) {
                const Index length = call.rows == kOrder ? call.columns : call.rows;
                all += length;
                narrow += length == 5;
            }
            CHECK(sparse.calls().size() == 3);
            CHECK(all == 2 * kLength + 5);
            CHECK(narrow == 1);
            if (threads == 1) {
                CHECK(worst(found, large.whole(2 * kLength + 5, {})) < 1e-12);
                one = found;
            }
            CHECK(found == one);
        }
    }
}

TEST_CASE("a large sum of squares is added up in squares, of the lower triangle alone") {
    // So long that squares have at most 975 rows.
    constexpr Index kInner = 2100, kMost = 975;
    for (const Transpose op : {Transpose::no, Transpose::yes})
        for (const Index order : {kMost, kMost + 1, 2 * kMost + 1}) {
            CAPTURE(order);
            ColMatrix a = sparse_matrix(order, kInner);
            if (op == Transpose::yes) a = a.transpose().eval();
            const ColMatrix start = begun(order, order, [](ColMatrix&) {});
            ColMatrix whole = start, one;
            {
                const SparseBlas sparse;
                blas::syrk(-0.5, a, op, 1.0, whole);
            }
            for (const int threads : {1, 2, 3}) {
                if (threads > 1 && order < 2 * kMost) continue;
                Control control(threads);
                const SparseBlas sparse;
                ColMatrix c = start;
                strips::add_gram(-0.5, a, op, c, Team(control, threads, true));
                CHECK(sparse.calls().size() == (order == kMost ? 1 : order < 2 * kMost ? 3 : 6));
                CHECK(worst(c, whole) < 1e-11);
                if (threads == 1) one = c;
                CHECK(c == one);
                Index strange = 0;  // columns of a square begin where packs are aligned
                for (const SparseBlas::Call& call : sparse.calls())
                    strange += (call.first - c.data()) / order % 8 != 0;
                CHECK(strange == 0);
            }
        }
}

TEST_CASE("between strips the caller is heard, and an exception ends them") {
    const Index size = 5 * kLength;
    const ColMatrix& t = large_triangle();
    ColMatrix b = ColMatrix::Zero(kOrder, size);
    for (const int threads : {1, 2}) {
        {
            Control control(threads, [](double) { return false; });
            const SparseBlas slow(
                [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(55)); });
            CHECK_THROWS_AS(
                strips::trmm_left(1.0, t, Transpose::no, b, Team(control, threads, true)),
                Cancelled);
            CHECK(slow.calls().size() <= static_cast<std::size_t>(2 * threads - 1));
        }
        Control control(threads);
        const SparseBlas failing([](std::size_t call) {
            if (call == 1) throw std::domain_error("one");
        });
        CHECK_THROWS_AS(strips::trmm_left(1.0, t, Transpose::no, b, Team(control, threads, true)),
                        std::domain_error);
        CHECK(failing.calls().size() <= 5);
    }
}
