#include "kernelect/tiles/streams.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tiles/fingerprint.hpp"
#include "tiles/lanes.hpp"

namespace kernelect {
namespace {

// Which lanes the outputs of a set have. A candidate: one per class, one per vector, and with
// squares one more, for the row squares of a general kernel, or with entries that add up to the sum
// of squares of a complement. The square of a candidate that is no candidate itself needs its total
// sums only.
class SumLanes {
  public:
    SumLanes(const KernelSet& set, const SumsRequest& request)
        : set_(set),
          classes_(set.sample().classes()),
          vectors_(request.vectors.rows()),
          squares_(request.squares),
          plan_(counts()) {}

    Index total() const { return plan_.total(); }
    // The lane for the sums of output o over the rows or columns of one class.
    Index of_class(Index o, int group) const {
        return plan_.first(o) + (set_.is_candidate(o) ? group : 0);
    }
    Index of_vector(Index o, Index v) const { return plan_.first(o) + classes_ + v; }
    bool has_squares(Index o) const {
        return squares_ && set_.is_candidate(o) && (set_.is_general(o) || set_.complement(o));
    }
    Index of_squares(Index o) const { return plan_.first(o) + classes_ + vectors_; }

    // What comes of the lanes of a whole pass.
    KernelSums sums_of(const LeafSums& whole, Index candidate) const;

  private:
    std::vector<Index> counts() const {
        std::vector<Index> lanes_of;
        for (Index o = 0; o < set_.outputs(); ++o)
            lanes_of.push_back(set_.is_candidate(o) ? classes_ + vectors_ + (has_squares(o) ? 1 : 0)
                                                    : 1);
        return lanes_of;
    }
    Vector row_sums(const LeafSums& whole, Index o) const {  // of K
        const auto lane = [&](Index k) {
            return Eigen::Map<const Vector>(whole.lane(plan_.first(o) + k), whole.rows);
        };
        Vector sums = lane(0);
        for (Index k = 1; k < (set_.is_candidate(o) ? classes_ : 1); ++k) sums += lane(k);
        return set_.sign(o) * sums.array() + static_cast<double>(whole.rows) * set_.shift(o);
    }

    const KernelSet& set_;
    Index classes_, vectors_;
    bool squares_;
    LanePlan plan_;
};

KernelSums SumLanes::sums_of(const LeafSums& whole, Index candidate) const {
    const Index o = set_.output_of(candidate);
    KernelSums sums;
    sums.shift = set_.shift(o);
    sums.sign = set_.sign(o);
    sums.by_class = lane_rows(whole, plan_.first(o), classes_);
    sums.products = lane_rows(whole, plan_.first(o) + classes_, vectors_);
    if (!squares_) return sums;
    if (set_.is_general(o)) {  // E = +-(K - shift), so K^2 = E^2 + 2 shift K - shift^2
        const Vector squares = lane_rows(whole, of_squares(o), 1).transpose();
        sums.square_sum = squares.sum();
        sums.row_squares = squares.array() + 2.0 * sums.shift * row_sums(whole, o).array() -
                           static_cast<double>(whole.rows) * sums.shift * sums.shift;
    } else {
        sums.row_squares = row_sums(whole, set_.square_of(o));
        sums.square_sum =
            set_.complement(o) ? lane_rows(whole, of_squares(o), 1).sum() : sums.row_squares.sum();
    }
    return sums;
}

// What a tile adds to the lanes.
class SumsOfTiles {
  public:
    SumsOfTiles(const KernelSet& set, const SumsRequest& request, const SumLanes& lanes)
        : set_(set),
          lanes_(lanes),
          vectors_(request.vectors.rows()),
          squares_(request.squares),
          weights_(with_room(request.vectors)) {}

    template <std::size_t kLongest>
    void visit(PanelWorker& worker, const Block& a, const Block& b) const {
        set_.walk<kLongest>(
            worker.values, worker.tile.data(), a, b,
            [&](const auto& outputs, const Real* in, Real* out, const auto& first) {
                reduce(worker, a, b, outputs, in, out, first);
                if constexpr (std::tuple_size_v<std::decay_t<decltype(outputs)>> == 1)
                    reduce_further(worker, a, b, outputs[0],
                                   std::decay_t<decltype(first)>::writes ? out : in);
            });
    }

  private:
    template <class Outputs, class First>
    void reduce(PanelWorker& worker, const Block& a, const Block& b, const Outputs& outputs,
                const Real* in, Real* out, const First& first) const {
        constexpr std::size_t kCount = std::tuple_size_v<Outputs>;
        const Index width = padded(b.size);
        std::array<double, kCount> square_sums{};
        std::array<sweep::Sums, kCount> sums{};
        for (std::size_t k = 0; k < kCount; ++k)
            sums[k] = worker.sums(lanes_.of_class(outputs[k], b.group),
                                  lanes_.of_class(outputs[k], a.group), &square_sums[k]);
        const std::array<sweep::Unit, kCount> unit{};
        if constexpr (First::complement) {
            if (squares_) {
                sweep::run<true>(in, out, a.size, width, first, unit, sums);
                for (std::size_t k = 0; k < kCount; ++k)
                    if (set_.is_candidate(outputs[k]))
                        *worker.rows(lanes_.of_squares(outputs[k])) +=
                            worker.diagonal ? square_sums[k] : 2.0 * square_sums[k];
                return;
            }
        }
        sweep::run<false>(in, out, a.size, width, first, unit, sums);
    }

    // What is wanted of a single kernel beyond its plain sums.
    void reduce_further(PanelWorker& worker, const Block& a, const Block& b, int o,
                        const Real* made) const {
        if (!set_.is_candidate(o)) return;
        const Index width = padded(b.size);
        for (Index v = 0; v < vectors_; ++v) {
            const Real* w = weights_.row(v).data();
            const Index lane = lanes_.of_vector(o, v);
            sweep::run<false>(made, nullptr, a.size, width, sweep::Keep{},
                              std::array<sweep::Weights, 1>{{{w + a.begin, w + b.begin}}},
                              std::array<sweep::Sums, 1>{worker.sums(lane, lane)});
        }
        if (squares_ && set_.is_general(o)) {
            const Index lane = lanes_.of_squares(o);
            sweep::run<false>(made, nullptr, a.size, width, sweep::Squared{},
                              std::array<sweep::Unit, 1>{},
                              std::array<sweep::Sums, 1>{worker.sums(lane, lane)});
        }
    }

    const KernelSet& set_;
    const SumLanes& lanes_;
    Index vectors_;
    bool squares_;
    RealMatrix weights_;
};

// The pass over some leaves. A leaf's sums are made when its first panel begins and added to the
// others when its last one ends, while the panels of the next are under way.
void pass(const KernelSet& set, const SumsRequest& request, const Leaves& leaves, Index first,
          Index last, PartialSums& into, Control& control) {
    const Sample& sample = set.sample();
    const SumLanes lanes(set, request);
    const SumsOfTiles tiles(set, request, lanes);
    const auto left = std::make_unique<std::atomic<Index>[]>(place(leaves.count()));
    for (Index leaf = 0; leaf < leaves.count(); ++leaf) left[place(leaf)] = leaves.blocks_in(leaf);
    std::vector<std::unique_ptr<LeafSums>> open(place(leaves.count()));
    std::mutex mutex;
    const auto run = [&](auto longest) {
        run_tiles(
            sample, leaves.panels(first, last), lanes.total(), control,
            [&](Index panel) -> LeafSums& {
                const Index leaf = leaves.of_block(panel);
                const std::scoped_lock lock(mutex);
                std::unique_ptr<LeafSums>& sums = open[place(leaf)];
                if (!sums)
                    sums = std::make_unique<LeafSums>(leaf, leaf + 1, leaves.first_row(leaf),
                                                      sample.size(), lanes.total());
                return *sums;
            },
            [&](PanelWorker& worker, const Block& a, const Block& b) {
                tiles.visit<decltype(longest)::value>(worker, a, b);
            },
            [&](Index panel) {
                const Index leaf = leaves.of_block(panel);
                if (left[place(leaf)].fetch_sub(1, std::memory_order_acq_rel) > 1) return;
                const std::scoped_lock lock(mutex);
                into.add(std::move(*open[place(leaf)]));
                open[place(leaf)].reset();
            });
    };
    if (request.vectors.rows() > 0)  // their products need every kernel in memory
        run(std::integral_constant<std::size_t, 1>{});
    else
        run(std::integral_constant<std::size_t, 4>{});
}

std::vector<KernelSums> finished(const KernelSet& set, const SumsRequest& request,
                                 const PartialSums& sums) {
    const SumLanes lanes(set, request);
    std::vector<KernelSums> result;
    for (Index k = 0; k < set.candidates(); ++k) result.push_back(lanes.sums_of(sums.whole(), k));
    return result;
}

}  // namespace

PartialSums stream_partial_sums(const KernelSet& set, const SumsRequest& request, Index first_leaf,
                                Index last_leaf, Control& control) {
    PartialSums sums(set.sample(), SumLanes(set, request).total(), fingerprint(set, request));
    pass(set, request, Leaves(set.sample()), first_leaf, last_leaf, sums, control);
    return sums;
}

std::vector<KernelSums> finish_sums(const KernelSet& set, const SumsRequest& request,
                                    const PartialSums& sums) {
    const Sample& sample = set.sample();
    if (sums.identity() != fingerprint(set, request) || sums.rows() != sample.size() ||
        sums.lanes() != SumLanes(set, request).total() || sums.leaves() != Leaves(sample).count())
        throw std::invalid_argument("these are sums of another sample, target or set of kernels");
    return finished(set, request, sums);
}

std::vector<KernelSums> stream_sums(const KernelSet& set, const SumsRequest& request,
                                    Control& control) {
    const Leaves leaves(set.sample());
    PartialSums sums(set.sample(), SumLanes(set, request).total(), 0);
    pass(set, request, leaves, 0, leaves.count(), sums, control);
    return finished(set, request, sums);
}

}  // namespace kernelect
