#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "explicit_kernels.hpp"
#include "kernelect/base/aligned.hpp"
#include "kernelect/tiles/operations.hpp"

using namespace kernelect;
using namespace explicit_kernels;

namespace {

// One entry of a leaf, or of its complement.
double value(const Node& node, double base, bool complement = false) {
    const Operation& known = operation(node.op);
    const Buffer in(kTileArea, base);
    Buffer out(kTileArea, -1.0);
    const LeafTile tile{in.data(), out.data(), 1, kStrip};
    (complement ? known.complement : known.tile)(node, tile);
    for (Index j = 1; j < kStrip; ++j) CHECK(out[static_cast<std::size_t>(j)] == out[0]);
    CHECK(out[kStrip] == -1.0);  // nothing is written beyond the width
    return out[0];
}

}  // namespace

TEST_CASE("every operation has a name of its own and is found by it") {
    std::set<std::string> names;
    for (const Operation& entry : operations()) {
        CHECK(names.insert(entry.name).second);
        CHECK(find_operation(entry.name) == &entry);
        CHECK(&operation(entry.op) == &entry);
    }
    CHECK(names.size() == kOperations);
    CHECK(find_operation("gauss") == nullptr);
    CHECK(find_operation("") == nullptr);
}

double base_at(Op op, double distance) {
    return operation(op).base == Base::squared_distance ? distance * distance : distance;
}

TEST_CASE("kernels and their complements against fifty digits") {
    int seen = 0;
    for (const Family& known : families())
        for (const Golden& golden : known.golden) {
            const Node node{known.op, golden.a, golden.b, 0, 0};
            const double base = base_at(known.op, golden.distance);
            CHECK(relative_error(value(node, base), golden.kernel) < 1e-13);
            CHECK(relative_error(value(node, base, true), golden.complement) < 1e-13);
            // What decides whether the kernel is wide is the same exponent, in plain arithmetic.
            const double exponent = operation(known.op).exponent(node, base);
            CHECK(std::abs(std::exp(-exponent) - static_cast<double>(golden.kernel)) < 1e-13);
            ++seen;
        }
    CHECK(seen > 10);
}

TEST_CASE("leaves against extended precision, and their complements where they have one") {
    Matrix x(1, 1), origin = Matrix::Zero(1, 1);
    for (const Program& program : leaves(&Family::ordinary)) {
        const Node& node = program.front();
        if (!operation(node.op).has_unit_diagonal()) continue;  // not radial
        for (const double distance : {0.0, 1e-160, 1e-9, 1e-3, 0.3, 0.95, 1.9, 4.0, 30.0}) {
            x(0, 0) = distance;
            const double base = base_at(node.op, distance);
            CHECK(relative_error(value(node, base), entry(program, x, 0, origin, 0)) < 1e-13);
            if (operation(node.op).complement != nullptr)
                CHECK(relative_error(value(node, base, true), complement(program, x, 0, origin, 0),
                                     1e-300L) < 1e-13);
        }
    }
}

TEST_CASE("distances beyond the range of doubles leave numbers") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    CHECK(value({Op::rational_quadratic, 1.0, 0.5, 0, 0}, infinity) == 0.0);
    CHECK(value({Op::rational_quadratic, 1.0, 0.5, 0, 0}, infinity, true) == 1.0);
    CHECK(value({Op::rational_quadratic, 1.0, 0.5, 0, 0}, 1e308) > 0.0);
    for (const double far : {1e20, 1e300, infinity}) {
        const double k = value({Op::periodic, 0.5, 1.0, 0, 0}, far);
        CHECK(k >= std::exp(-0.5) * (1 - 1e-15));
        CHECK(k <= 1.0);
    }
}

TEST_CASE("which kernels are one on the diagonal, and what the others are there") {
    const Matrix x = noise(1, 3);
    for (const Program& program : leaves(&Family::ordinary)) {
        const Operation& known = operation(program.front().op);
        CAPTURE(known.name);
        CHECK(known.has_unit_diagonal() == (entry(program, x, 0, x, 0) == 1));
    }
    CHECK(operation(Op::linear).at_itself({}, 3.0) == 3.0);
    CHECK(operation(Op::precomputed).at_itself({}, -3.0) == -3.0);
    CHECK(operation(Op::constant).at_itself({Op::constant, 5.0, 0.0, 0, 0}, 3.0) == 5.0);
    CHECK(operation(Op::polynomial).at_itself({Op::polynomial, 2.0, 1.0, 3, 0}, 3.0) == 343.0);
}
