#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "explicit_kernels.hpp"
#include "kernelect/tiles/kernel_set.hpp"

using namespace kernelect;
using namespace explicit_kernels;

TEST_CASE("a kernel set adds the squares that are not candidates, and shares equal candidates") {
    const Setting setting({90}, 4);
    std::vector<Program> programs;
    for (const double rate : {0.25, 0.5, 1.0, 0.5}) programs.push_back(gaussian(rate));
    programs.push_back(leaf(Op::polynomial, 1.0, 1.0, 2));
    const KernelSet plain(setting.sample, programs, false), squares(setting.sample, programs, true);
    CHECK(plain.candidates() == 5);
    CHECK(plain.outputs() == 4);    // two candidates are equal
    CHECK(squares.outputs() == 5);  // and exp(-2 d) for the narrowest
    CHECK(squares.output_of(1) == squares.output_of(3));
    for (Index k = 0; k < 2; ++k)
        CHECK(squares.square_of(squares.output_of(k)) == squares.output_of(k + 1));
    CHECK(!squares.is_candidate(squares.square_of(squares.output_of(2))));
    CHECK(squares.is_general(squares.output_of(4)));
    CHECK(squares.square_of(squares.output_of(4)) == -1);
}

TEST_CASE("wide kernels are delivered as 1 - K, nearly constant ones less their mean") {
    const Setting setting({90}, 4);
    const double inside = 1e-3, beyond = 50.0;  // of the rate times a typical distance
    for (const Op op : {Op::gaussian, Op::laplacian, Op::matern12, Op::matern32, Op::matern52,
                        Op::rational_quadratic, Op::periodic}) {
        const KernelSet set(setting.sample, {leaf(op, inside, 1.0), leaf(op, beyond, 1.0)}, false);
        const Index wide = set.output_of(0), narrow = set.output_of(1);
        CHECK(set.complement(wide));
        CHECK(set.shift(wide) == 1.0);
        CHECK(set.sign(wide) == -1.0);
        CHECK(!set.complement(narrow));
        CHECK(set.shift(narrow) == 0.0);
        CHECK(set.sign(narrow) == 1.0);
        CHECK(set.is_general(wide) == !operation(op).exponential);
    }
    // The sine is small near every multiple of the period, not only for small distances.
    Matrix whole = (10.0 * noise(90, 1)).array().round().matrix() + 1e-6 * noise(90, 1, 2);
    Sample steps(std::vector<int>(90, 0), 1);
    steps.add_dense(whole);
    const KernelSet periodic(steps, {leaf(Op::periodic, 200.0, 1.0)}, false);
    CHECK(periodic.complement(0));

    const KernelSet constant(setting.sample,
                             {leaf(Op::polynomial, 1e-3, 2.0, 2), leaf(Op::polynomial, 1.0, 1.0, 2),
                              leaf(Op::constant, 7.0)},
                             false);
    CHECK(constant.shift(0) == doctest::Approx(4.0).epsilon(0.01));
    CHECK(constant.sign(0) == 1.0);
    CHECK(constant.shift(1) == 0.0);
    CHECK(constant.shift(2) == doctest::Approx(7.0));
}

TEST_CASE("a walk hands over every output once, the kernels of a chain in groups") {
    const Setting setting({90}, 4);
    std::vector<Program> programs;
    for (int k = -4; k <= 4; ++k) programs.push_back(gaussian(std::ldexp(1.0, k)));
    programs.push_back(leaf(Op::linear));
    const KernelSet set(setting.sample, programs, true);
    TileValues values(setting.sample.sources(), setting.sample.sources());
    Buffer tile(kTileArea);
    const Block &a = setting.sample.blocks()[0], &b = setting.sample.blocks()[1];
    const auto walked = [&](auto longest) {
        std::vector<int> seen(place(set.outputs()), 0);
        set.walk<decltype(longest)::value>(
            values, tile.data(), a, b,
            [&](const auto& outputs, const Real* in, Real* out, const auto& first) {
                CHECK(outputs.size() <= decltype(longest)::value);
                for (const int o : outputs) ++seen[place(o)];
                using First = std::decay_t<decltype(first)>;
                if constexpr (First::writes) {
                    map_tile(in, out, a.size, padded(b.size), first);
                    for (std::size_t k = 1; k < outputs.size(); ++k)
                        map_tile(out, out, a.size, padded(b.size), typename First::Next{});
                }
            });
        for (const int times : seen) CHECK(times == 1);
    };
    walked(std::integral_constant<std::size_t, 1>{});
    walked(std::integral_constant<std::size_t, 4>{});
}

TEST_CASE("programs that make no sense are refused") {
    const Setting setting({90}, 4);
    CHECK_THROWS_AS(KernelSet(setting.sample, {{{Op::gaussian, 1.0, 0.0, 0, 1}}}, false),
                    std::invalid_argument);
    CHECK_THROWS_AS(KernelSet(setting.sample, {{}}, false), std::invalid_argument);
}
