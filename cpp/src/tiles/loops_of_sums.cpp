#include <array>
#include <tuple>
#include <type_traits>

#include "tiles/packed_loops.hpp"

namespace kernelect {
inline namespace KERNELECT_PACKS {
namespace {

// Adds what a group of kernels has on a tile to the lanes of the outputs.
template <class Outputs, class First>
void add_sums(const SumsOfTiles& pass, PanelWorker& worker, const Block& a, const Block& b,
              const Outputs& outputs, const Real* in, Real* out, const First& first) {
    constexpr std::size_t kCount = std::tuple_size_v<Outputs>;
    const Index width = padded(b.size);
    std::array<double, kCount> square_sums{};
    std::array<sweep::Sums, kCount> sums{};
    for (std::size_t k = 0; k < kCount; ++k)
        sums[k] = worker.sums(pass.lanes.of_class(outputs[k], b.group),
                              pass.lanes.of_class(outputs[k], a.group), &square_sums[k]);
    const std::array<sweep::Unit, kCount> unit{};
    if constexpr (First::complement) {
        if (pass.squares) {
            sweep::run<true>(in, out, a.size, width, first, unit, sums);
            for (std::size_t k = 0; k < kCount; ++k)
                if (pass.set.is_candidate(outputs[k]))
                    *worker.rows(pass.lanes.of_squares(outputs[k])) +=
                        worker.diagonal ? square_sums[k] : 2.0 * square_sums[k];
            return;
        }
    }
    sweep::run<false>(in, out, a.size, width, first, unit, sums);
}

// What is wanted of a single kernel beyond its plain sums.
void add_further(const SumsOfTiles& pass, PanelWorker& worker, const Block& a, const Block& b,
                 int o, const Real* made) {
    if (!pass.set.is_candidate(o)) return;
    const Index width = padded(b.size);
    for (Index v = 0; v < pass.vectors; ++v) {
        const Real* w = pass.weights.row(v).data();
        const Index lane = pass.lanes.of_vector(o, v);
        sweep::run<false>(made, nullptr, a.size, width, sweep::Keep{},
                          std::array<sweep::Weights, 1>{{{w + a.begin, w + b.begin}}},
                          std::array<sweep::Sums, 1>{worker.sums(lane, lane)});
    }
    if (pass.squares && pass.set.is_general(o)) {
        const Index lane = pass.lanes.of_squares(o);
        sweep::run<false>(made, nullptr, a.size, width, sweep::Squared{},
                          std::array<sweep::Unit, 1>{},
                          std::array<sweep::Sums, 1>{worker.sums(lane, lane)});
    }
}

template <std::size_t kLongest>
void add_tile(const SumsOfTiles& pass, PanelWorker& worker, const Block& a, const Block& b) {
    pass.set.walk<kLongest>(
        worker.values, worker.tile.data(), a, b,
        [&](const auto& outputs, const Real* in, Real* out, const auto& first) {
            add_sums(pass, worker, a, b, outputs, in, out, first);
            if constexpr (std::tuple_size_v<std::decay_t<decltype(outputs)>> == 1)
                add_further(pass, worker, a, b, outputs[0],
                            std::decay_t<decltype(first)>::writes ? out : in);
        });
}

}  // namespace

void add_sums_of_tile(const SumsOfTiles& pass, PanelWorker& worker, const Block& a,
                      const Block& b) {
    if (pass.vectors > 0)  // their products need every kernel in memory
        add_tile<1>(pass, worker, a, b);
    else
        add_tile<4>(pass, worker, a, b);
}

void add_row_sums(const Real* rows, Index count, double* to) {
    const Index whole = count - count % simd::kWidth;
    for (Index i = 0; i < whole; i += simd::kWidth) {
        Real sums[simd::kWidth];
        simd::store(sums, sweep::sums_of_rows(rows, i));
        for (Index r = 0; r < simd::kWidth; ++r) to[i + r] += sums[r];
    }
    for (Index i = whole; i < count; ++i) to[i] += sweep::sum_of_row(rows, i);
}

}  // namespace KERNELECT_PACKS
}  // namespace kernelect
