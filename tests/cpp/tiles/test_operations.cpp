#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "explicit_kernels.hpp"
#include "kernelect/base/aligned.hpp"
#include "kernelect/tiles/operations.hpp"

using namespace kernelect;
using namespace explicit_kernels;

namespace {

struct Golden {
    Op op;
    double a, b, distance;
    Long kernel, complement;  // computed with fifty digits
};

const std::vector<Golden> kGolden = {
    {Op::rational_quadratic, 0.5, 1.0, 2.0, 0.3333333333333333333333333L,
     0.6666666666666666666666667L},
    {Op::rational_quadratic, 0.125, 0.25, 3.0, 0.8282477531331040981990382L,
     0.1717522468668959018009618L},
    {Op::rational_quadratic, 0x1p-40, 0.75, 1.5, 0.9999999999984652276907609L,
     1.534772309239068287766882e-12L},
    {Op::rational_quadratic, 0x1p-60, 3.0, 0.25, 0.9999999999999999998373697L,
     1.626303258728256650834855e-19L},
    {Op::rational_quadratic, 1.0, 1000.0, 0.015625, 0.783400807077147944024681L,
     0.216599192922852055975319L},
    {Op::rational_quadratic, 0x1p20, 0.5, 4.0, 0.0002441406177240427110772097L,
     0.9997558593822759572889228L},
    {Op::rational_quadratic, 0x1p-30, 0x1p29, 1.75, 0.216265167302144842212235L,
     0.783734832697855157787765L},
    {Op::rational_quadratic, 0.25, 0x1p-20, 8.0, 0.9999972980408511723188158L,
     0.000002701959148827681184213883L},
    {Op::rational_quadratic, 0x1p200, 0.125, 3.0, 2.264486806546427450571024e-8L,
     0.9999999773551319345357255L},
    {Op::periodic, 2.0, 1.0, 0.25, 0.3678794411714423215955238L, 0.6321205588285576784044762L},
    {Op::periodic, 0.5, 3.0, 1.75, 0.6271896255704948925107174L, 0.3728103744295051074892826L},
    {Op::periodic, 0x1p-40, 0.75, 1.5, 1.0L, 0.0L},
    {Op::periodic, 0x1p-40, 0.7, 1.5, 0.9999999999998287829848135L,
     1.712170151864642797669619e-13L},
    {Op::periodic, 8.0, 0.1, 12.34375, 0.0004548612502403420815534606L,
     0.9995451387497596579184465L},
    {Op::periodic, 50.0, 4.0, 2.0, 1.928749847963917783017343e-22L, 0.9999999999999999999998071L},
    {Op::periodic, 2.0, 1024.0, 0.0078125, 0.999999998851026828222743L,
     1.148973171777257016967899e-9L},
    {Op::periodic, 1.0, 3.0, 300000.5, 0.7788007830714048682451703L, 0.2211992169285951317548297L},
};

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

TEST_CASE("rational quadratic and periodic kernels against fifty digits") {
    for (const Golden& golden : kGolden) {
        const Node node{golden.op, golden.a, golden.b, 0, 0};
        const double base =
            golden.op == Op::periodic ? golden.distance : golden.distance * golden.distance;
        CHECK(relative_error(value(node, base), golden.kernel) < 1e-13);
        CHECK(relative_error(value(node, base, true), golden.complement) < 1e-13);
        // What decides whether the kernel is wide is the same exponent, in plain arithmetic.
        const double exponent = operation(golden.op).exponent(node, base);
        CHECK(std::abs(std::exp(-exponent) - static_cast<double>(golden.kernel)) < 1e-13);
    }
}

TEST_CASE("leaves against extended precision, and their complements where they have one") {
    const std::vector<Node> leaves = {
        {Op::gaussian, 0.7, 0.0, 0, 0},           {Op::laplacian, 0.7, 0.0, 0, 0},
        {Op::matern12, 0.7, 0.0, 0, 0},           {Op::matern32, 0.7, 0.0, 0, 0},
        {Op::matern52, 0.7, 0.0, 0, 0},           {Op::rational_quadratic, 0.7, 2.5, 0, 0},
        {Op::periodic, 0.7, 1.9, 0, 0},           {Op::rational_quadratic, 0.7, 1e-4, 0, 0},
        {Op::rational_quadratic, 1e-7, 3e6, 0, 0}};
    Matrix x(1, 1), origin = Matrix::Zero(1, 1);
    for (const Node& node : leaves)
        for (const double distance : {0.0, 1e-160, 1e-9, 1e-3, 0.3, 0.95, 1.9, 4.0, 30.0}) {
            x(0, 0) = distance;
            const bool squared = operation(node.op).base == Base::squared_distance;
            const double base = squared ? distance * distance : distance;
            const Long wanted = entry({node}, x, 0, origin, 0);
            CHECK(relative_error(value(node, base), wanted) < 1e-13);
            if (operation(node.op).complement != nullptr)
                CHECK(relative_error(value(node, base, true), complement({node}, x, 0, origin, 0),
                                     1e-300L) < 1e-13);
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
    const std::set<Op> unit = {Op::gaussian, Op::laplacian, Op::matern12,          Op::matern32,
                               Op::matern52, Op::periodic,  Op::rational_quadratic};
    for (const Operation& entry : operations()) {
        CAPTURE(entry.name);
        CHECK(entry.has_unit_diagonal() == (unit.count(entry.op) == 1));
    }
    CHECK(operation(Op::linear).at_itself({}, 3.0) == 3.0);
    CHECK(operation(Op::precomputed).at_itself({}, -3.0) == -3.0);
    CHECK(operation(Op::constant).at_itself({Op::constant, 5.0, 0.0, 0, 0}, 3.0) == 5.0);
    CHECK(operation(Op::polynomial).at_itself({Op::polynomial, 2.0, 1.0, 3, 0}, 3.0) == 343.0);
}
