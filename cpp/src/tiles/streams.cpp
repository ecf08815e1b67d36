#include "kernelect/tiles/streams.hpp"

#include <array>
#include <tuple>
#include <type_traits>

#include "tiles/lanes.hpp"

namespace kernelect {

std::vector<KernelSums> stream_sums(const KernelSet& set, const SumsRequest& request,
                                    Control& control) {
    const Sample& sample = set.sample();
    const Index n = sample.size(), classes = sample.classes(), vectors = request.vectors.rows();
    // Lanes of a candidate: one per class, one per vector, one for the row squares of a general
    // kernel, one whose entries add up to the sum of squares of a complement. The square of a
    // candidate that is no candidate itself needs its total sums only.
    std::vector<Index> lanes_of;
    for (Index o = 0; o < set.outputs(); ++o) {
        const bool candidate = set.is_candidate(o);
        const bool extra = request.squares && candidate && (set.is_general(o) || set.complement(o));
        lanes_of.push_back(candidate ? classes + vectors + (extra ? 1 : 0) : 1);
    }
    Lanes lanes(n, lanes_of);
    const Matrix weights = with_room(request.vectors);

    // The lane that gets the sums of output o over the rows or columns of one class.
    const auto lane_of = [&](int o, int group) {
        return lanes.first(o) + (set.is_candidate(o) ? group : 0);
    };
    const auto reduce = [&](Worker& worker, const Block& a, const Block& b, const auto& outputs,
                            const double* in, double* out, const auto& first) {
        constexpr std::size_t kCount = std::tuple_size_v<std::decay_t<decltype(outputs)>>;
        const Index width = padded(b.size);
        const bool squares =
            request.squares && set.complement(outputs[0]) && !set.is_general(outputs[0]);
        std::array<double, kCount> square_sums{};
        std::array<sweep::Sums, kCount> sums{};
        for (std::size_t k = 0; k < kCount; ++k)
            sums[k] = worker.sums(lane_of(outputs[k], b.group), lane_of(outputs[k], a.group),
                                  &square_sums[k]);
        const std::array<sweep::Unit, kCount> unit{};
        if (squares)
            sweep::run<true>(in, out, a.size, width, first, unit, sums);
        else
            sweep::run<false>(in, out, a.size, width, first, unit, sums);
        for (std::size_t k = 0; squares && k < kCount; ++k)
            if (set.is_candidate(outputs[k]))
                *worker.rows(lanes.first(outputs[k]) + classes + vectors) +=
                    worker.diagonal ? square_sums[k] : 2.0 * square_sums[k];
    };
    // What is wanted of a single kernel beyond its plain sums.
    const auto reduce_further = [&](Worker& worker, const Block& a, const Block& b, int o,
                                    const double* made) {
        if (!set.is_candidate(o)) return;
        const Index further = lanes.first(o) + classes, width = padded(b.size);
        for (Index v = 0; v < vectors; ++v) {
            const double* w = weights.row(v).data();
            sweep::run<false>(made, nullptr, a.size, width, sweep::Keep{},
                              std::array<sweep::Weights, 1>{{{w + a.begin, w + b.begin}}},
                              std::array<sweep::Sums, 1>{worker.sums(further + v, further + v)});
        }
        if (request.squares && set.is_general(o))
            sweep::run<false>(
                made, nullptr, a.size, width, sweep::Squared{}, std::array<sweep::Unit, 1>{},
                std::array<sweep::Sums, 1>{worker.sums(further + vectors, further + vectors)});
    };
    const auto run = [&](auto longest) {
        run_tiles(sample, lanes, control, [&](Worker& worker, const Block& a, const Block& b) {
            set.walk<decltype(longest)::value>(
                worker.values, worker.tile.data(), a, b,
                [&](const auto& outputs, const double* in, double* out, const auto& first) {
                    reduce(worker, a, b, outputs, in, out, first);
                    if constexpr (std::tuple_size_v<std::decay_t<decltype(outputs)>> == 1)
                        reduce_further(worker, a, b, outputs[0],
                                       std::decay_t<decltype(first)>::writes ? out : in);
                });
        });
    };
    if (vectors > 0)  // their products need every kernel in memory
        run(std::integral_constant<std::size_t, 1>{});
    else
        run(std::integral_constant<std::size_t, 4>{});

    std::vector<KernelSums> result(static_cast<std::size_t>(set.candidates()));
    for (Index k = 0; k < set.candidates(); ++k) {
        KernelSums& sums = result[static_cast<std::size_t>(k)];
        const Index o = set.output_of(k);
        sums.shift = set.shift(o);
        sums.sign = set.sign(o);
        sums.by_class = lanes.rows(lanes.first(o), classes);
        sums.products = lanes.rows(lanes.first(o) + classes, vectors);
        if (!request.squares) continue;
        const auto row_sums = [&](Index output) {  // of K
            const Matrix lane =
                lanes.rows(lanes.first(output), set.is_candidate(output) ? classes : 1);
            return Vector((set.sign(output) * lane.colwise().sum().array() +
                           static_cast<double>(n) * set.shift(output))
                              .transpose());
        };
        const auto extra = [&] { return lanes.rows(lanes.first(o) + classes + vectors, 1); };
        if (set.is_general(o)) {  // E = +-(K - shift), so K^2 = E^2 + 2 shift K - shift^2
            const Vector squares = extra().transpose();
            sums.square_sum = squares.sum();
            sums.row_squares = squares.array() + 2.0 * sums.shift * row_sums(o).array() -
                               static_cast<double>(n) * sums.shift * sums.shift;
        } else {
            sums.row_squares = row_sums(set.square_of(o));
            sums.square_sum = set.complement(o) ? extra().sum() : sums.row_squares.sum();
        }
    }
    return result;
}

}  // namespace kernelect
