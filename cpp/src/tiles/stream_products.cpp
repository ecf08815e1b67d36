#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>

#include "kernelect/tiles/streams.hpp"
#include "tiles/lanes.hpp"

namespace kernelect {
namespace {

// One pass in which every kernel meets vectors of its own, `vectors[k]` those of candidate k, one
// per row. use(worker, lanes, weights, in, out, a, b, first) sums what it makes of them.
struct WeightedSums {
    LanePlan plan;
    LeafSums sums;

    Matrix rows(Index output) const {
        return lane_rows(sums, plan.first(output), plan.count(output));
    }
};
template <class Use>
WeightedSums weighted_pass(const KernelSet& set, const std::vector<Matrix>& vectors,
                           Control& control, Use&& use) {
    const Sample& sample = set.sample();
    // Equal candidates share an output; their vectors are equal too, and the last ones are taken.
    // Outputs that belong to no candidate are multiplied by zeros.
    std::vector<Index> lanes_of(place(set.outputs()), 1);
    std::vector<RealMatrix> weights(place(set.outputs()),
                                    RealMatrix::Zero(1, sample.size() + kStrip));
    for (Index k = 0; k < set.candidates(); ++k) {
        const std::size_t o = place(set.output_of(k));
        lanes_of[o] = vectors[place(k)].rows();
        weights[o] = with_room(vectors[place(k)]);
    }
    const LanePlan plan(lanes_of);
    // One leaf: what is summed here stays here.
    WeightedSums result{plan, LeafSums(0, 1, 0, sample.size(), plan.total())};
    const auto weights_of = [&](int o, Index v, const Block& a, const Block& b) {
        const Real* w = weights[place(o)].row(v).data();
        return sweep::Weights{w + a.begin, w + b.begin};
    };
    const auto run = [&](auto longest) {
        run_tiles(
            sample, static_cast<Index>(sample.blocks().size()), plan.total(), control,
            [&](Index) -> LeafSums& { return result.sums; },
            [&](PanelWorker& worker, const Block& a, const Block& b) {
                set.walk<decltype(longest)::value>(
                    worker.values, worker.tile.data(), a, b,
                    [&](const auto& outputs, const Real* in, Real* out, const auto& first) {
                        constexpr std::size_t kCount =
                            std::tuple_size_v<std::decay_t<decltype(outputs)>>;
                        std::array<sweep::Weights, kCount> w{};
                        std::array<Index, kCount> to{};
                        for (std::size_t k = 0; k < kCount; ++k) {
                            w[k] = weights_of(outputs[k], 0, a, b);
                            to[k] = plan.first(outputs[k]);
                        }
                        use(worker, to, w, in, out, a, b, first);
                        if constexpr (kCount == 1) {
                            const Real* made = std::decay_t<decltype(first)>::writes ? out : in;
                            const Index count = lanes_of[place(outputs[0])];
                            for (Index v = 1; v < count; ++v)
                                use(worker, std::array<Index, 1>{to[0] + v},
                                    std::array<sweep::Weights, 1>{weights_of(outputs[0], v, a, b)},
                                    made, nullptr, a, b, sweep::Keep{});
                        }
                    });
            },
            [](Index) {});
    };
    if (*std::max_element(lanes_of.begin(), lanes_of.end()) > 1)
        run(std::integral_constant<std::size_t, 1>{});
    else
        run(std::integral_constant<std::size_t, 4>{});
    return result;
}

}  // namespace

std::vector<Matrix> stream_products(const KernelSet& set, const std::vector<Matrix>& vectors,
                                    Control& control) {
    const WeightedSums lanes = weighted_pass(
        set, vectors, control,
        [](PanelWorker& worker, const auto& to, const auto& w, const Real* in, Real* out,
           const Block& a, const Block& b, const auto& first) {
            std::array<sweep::Sums, std::tuple_size_v<std::decay_t<decltype(to)>>> sums{};
            for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = worker.sums(to[k], to[k]);
            sweep::run<false>(in, out, a.size, padded(b.size), first, w, sums);
        });
    std::vector<Matrix> result;
    for (Index k = 0; k < set.candidates(); ++k) {
        const Matrix& v = vectors[place(k)];
        const Index o = set.output_of(k);
        // K v = shift 1 (1'v) + sign E v
        Matrix product = set.sign(o) * lanes.rows(o);
        if (set.shift(o) != 0.0) product.colwise() += set.shift(o) * v.rowwise().sum();
        result.push_back(std::move(product));
    }
    return result;
}

std::vector<Vector> stream_quadratic_forms(const KernelSet& set, const std::vector<Matrix>& vectors,
                                           Control& control) {
    const WeightedSums lanes =
        weighted_pass(set, vectors, control,
                      [](PanelWorker& worker, const auto& to, const auto& w, const Real* in,
                         Real* out, const Block& a, const Block& b, const auto& first) {
                          std::array<Real*, std::tuple_size_v<std::decay_t<decltype(to)>>> sums{};
                          for (std::size_t k = 0; k < sums.size(); ++k)
                              sums[k] = worker.rows(to[k]);
                          sweep::quadratic_forms(in, out, a.size, padded(b.size), first, w,
                                                 worker.diagonal ? 1.0 : 2.0, sums);
                      });
    std::vector<Vector> result;
    for (Index k = 0; k < set.candidates(); ++k) {
        const Matrix& v = vectors[place(k)];
        const Index o = set.output_of(k);
        // v'Kv = shift (1'v)^2 + sign v'Ev; the entries of the lane add up to v'Ev
        const Vector forms = lanes.rows(o).rowwise().sum();
        const Vector totals = v.rowwise().sum();
        result.push_back(set.sign(o) * forms + set.shift(o) * totals.cwiseAbs2());
    }
    return result;
}

}  // namespace kernelect
