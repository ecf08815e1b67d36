#include <array>
#include <tuple>
#include <type_traits>

#include "tiles/packed_loops.hpp"

namespace kernelect {
inline namespace KERNELECT_PACKS {
namespace {

// use(lanes, weights, in, out, first) sums what it makes of some outputs.
template <std::size_t kLongest, class Use>
void weigh_tile(const WeightedTiles& pass, PanelWorker& worker, const Block& a, const Block& b,
                const Use& use) {
    const auto weights_of = [&](int o, Index v) {
        const Real* w = pass.weights[place(o)].row(v).data();
        return sweep::Weights{w + a.begin, w + b.begin};
    };
    pass.set.walk<kLongest>(
        worker.values, worker.tile.data(), a, b,
        [&](const auto& outputs, const Real* in, Real* out, const auto& first) {
            constexpr std::size_t kCount = std::tuple_size_v<std::decay_t<decltype(outputs)>>;
            std::array<sweep::Weights, kCount> w{};
            std::array<Index, kCount> to{};
            for (std::size_t k = 0; k < kCount; ++k) {
                w[k] = weights_of(outputs[k], 0);
                to[k] = pass.plan.first(outputs[k]);
            }
            use(to, w, in, out, first);
            if constexpr (kCount == 1) {
                const Real* made = std::decay_t<decltype(first)>::writes ? out : in;
                for (Index v = 1; v < pass.plan.count(outputs[0]); ++v)
                    use(std::array<Index, 1>{to[0] + v},
                        std::array<sweep::Weights, 1>{weights_of(outputs[0], v)}, made, nullptr,
                        sweep::Keep{});
            }
        });
}

template <class Use>
void weigh(const WeightedTiles& pass, PanelWorker& worker, const Block& a, const Block& b,
           const Use& use) {
    if (pass.several)
        weigh_tile<1>(pass, worker, a, b, use);
    else
        weigh_tile<4>(pass, worker, a, b, use);
}

}  // namespace

void add_products_of_tile(const WeightedTiles& pass, PanelWorker& worker, const Block& a,
                          const Block& b) {
    weigh(pass, worker, a, b,
          [&](const auto& to, const auto& w, const Real* in, Real* out, const auto& first) {
              std::array<sweep::Sums, std::tuple_size_v<std::decay_t<decltype(to)>>> sums{};
              for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = worker.sums(to[k], to[k]);
              sweep::run<false>(in, out, a.size, padded(b.size), first, w, sums);
          });
}

void add_forms_of_tile(const WeightedTiles& pass, PanelWorker& worker, const Block& a,
                       const Block& b) {
    weigh(pass, worker, a, b,
          [&](const auto& to, const auto& w, const Real* in, Real* out, const auto& first) {
              std::array<Real*, std::tuple_size_v<std::decay_t<decltype(to)>>> sums{};
              for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = worker.rows(to[k]);
              sweep::quadratic_forms(in, out, a.size, padded(b.size), first, w,
                                     worker.diagonal ? 1.0 : 2.0, sums);
          });
}

}  // namespace KERNELECT_PACKS
}  // namespace kernelect
