#pragma once

#include <array>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

#include "kernelect/tiles/chains.hpp"
#include "kernelect/tiles/sweep.hpp"
#include "kernelect/tiles/tile_values.hpp"

namespace kernelect {

// Candidates laid out for streaming: those of the form exp(-rate * base) in chains, the others as
// general expressions. Outputs 0 .. candidates-1 are the candidates; with `squares`, further
// outputs stand for the entrywise squares of chain candidates that are not candidates themselves,
// so that the row sums of one kernel give the row square norms of the kernel twice as wide.
class KernelSet {
  public:
    // The sample must outlive the set.
    KernelSet(const Sample& sample, const std::vector<Program>& programs, bool squares,
              Tails tails = Tails::exact);
    KernelSet(Sample&& sample, const std::vector<Program>& programs, bool squares,
              Tails tails = Tails::exact) = delete;
    // Candidates between the rows of a sample and others; both must outlive the set. Which kernels
    // count as wide is told by the sample alone, so that what one of the others gets does not
    // depend on its neighbours. Tails are exact where there is one kernel; of several, which are
    // meant to be summed, they are rounded.
    KernelSet(const Sample& sample, const Sample& others, const std::vector<Program>& programs);
    KernelSet(Sample&& sample, const Sample& others, const std::vector<Program>& programs) = delete;
    KernelSet(const Sample& sample, Sample&& others, const std::vector<Program>& programs) = delete;

    const Sample& sample() const { return sample_; }
    // The rows on the other side of the tiles: the sample itself, or others.
    const Sample& others() const { return others_; }
    Index candidates() const { return static_cast<Index>(programs_.size()); }
    Index outputs() const { return static_cast<Index>(outputs_.size()); }
    const Program& program(Index k) const { return programs_[place(k)]; }
    // The output that carries sums of this candidate; equal candidates share one.
    int output_of(Index k) const { return output_of_[place(k)]; }
    // The output whose kernel is the entrywise square of output o; -1 for a general kernel.
    int square_of(Index o) const { return outputs_[place(o)].square; }
    // Whether output o delivers M = 1 - K.
    bool complement(Index o) const { return outputs_[place(o)].complement; }
    bool is_general(Index o) const { return outputs_[place(o)].general; }
    bool is_candidate(Index o) const { return o < candidate_outputs_; }
    // Output o delivers sign * (K - shift).
    double shift(Index o) const { return outputs_[place(o)].shift; }
    double sign(Index o) const { return complement(o) ? -1.0 : 1.0; }

    // Computes every kernel on the tile (a, b) and hands them over as reduce(outputs, in, out,
    // first), `outputs` an array of up to kLongest (at most 4) that follow one another in a
    // chain: the first kernel is first(in), each other comes from the one before by First::Next,
    // and the last is to be written to out if `first` writes. Kernels that vanish on the whole tile
    // are left out.
    template <std::size_t kLongest, class Reduce>
    void walk(TileValues& values, Real* tile, const Block& a, const Block& b,
              Reduce&& reduce) const;
    // As walk, for those who want every kernel in memory: use(output, entries) after it is made.
    void each(TileValues& values, Real* tile, const Block& a, const Block& b,
              const std::function<void(int, const Real*)>& use) const;

  private:
    struct Output {
        int square = -1;
        bool general = false, complement = false;
        double shift = 0.0;
    };
    struct General {
        PreparedProgram prepared;
        int output;
    };

    KernelSet(const Sample& sample, const Sample& others, const std::vector<Program>& programs,
              bool squares, Tails tails);
    // Gives every candidate an output and returns what is asked of chains.
    std::vector<ChainRequest> add_candidates();
    // Gives the square of every chain candidate an output, unless it is a candidate itself.
    void add_squares(std::vector<ChainRequest>& requests);
    int new_output(bool general);
    void carry_complement(int o);
    // A nearly constant kernel is summed as K - c, as a wide Gaussian is as 1 - K: what matters of
    // it survives centring, and the constant would bury it in rounding. 0 for other kernels.
    double nearly_constant(const PreparedProgram& kernel) const;
    // Whether a kernel that is no exponential is to be summed as 1 - K.
    bool is_wide(const Program& program) const;
    static void subtract(Real* tile, const Block& a, const Block& b, double shift);

    template <std::size_t kLongest, class Reduce>
    void walk_chain(const Chain& chain, const TileValues::BaseTile& base_tile, Real* tile,
                    const Block& a, const Block& b, Reduce&& reduce) const;

    const Sample& sample_;
    const Sample& others_;
    double zero_from_;  // exp(-x) counts as zero where x reaches this
    std::vector<Program> programs_;
    std::vector<Chain> chains_;
    std::vector<General> general_;
    std::vector<int> output_of_;
    std::vector<Output> outputs_;
    Index candidate_outputs_ = 0;
};

template <std::size_t kLongest, class Reduce>
void KernelSet::walk(TileValues& values, Real* tile, const Block& a, const Block& b,
                     Reduce&& reduce) const {
    values.start(a, b);
    // General kernels first: a chain changes the padding of the base tile that it uses.
    for (const General& kernel : general_) {
        const int o = kernel.output;
        if (complement(o)) {
            values.evaluate_complement(kernel.prepared.program.front(), tile);
        } else {
            values.evaluate(kernel.prepared, tile);
            subtract(tile, a, b, shift(o));
        }
        reduce(std::array<int, 1>{o}, tile, tile, sweep::Keep{});
    }
    for (const Chain& chain : chains_)
        walk_chain<kLongest>(chain, values.base(chain.base, chain.source), tile, a, b, reduce);
}

template <std::size_t kLongest, class Reduce>
void KernelSet::walk_chain(const Chain& chain, const TileValues::BaseTile& base_tile, Real* tile,
                           const Block& a, const Block& b, Reduce&& reduce) const {
    static_assert(kLongest >= 1 && kLongest <= 4);
    const Index rows = a.size, width = padded(b.size);
    const auto pad = [&](Real* to, auto value_in) {
        for (Index i = 0; i < rows; ++i)
            for (Index j = b.size; j < width; ++j) to[i * kTile + j] = value_in(to + i * kTile);
    };
    const auto pad_with = [&](Real* to, double value) {
        pad(to, [=](const Real*) { return value; });
    };
    Real* const base = base_tile.entries;
    Range range = base_tile.range;
    if (!range.known()) {
        pad(base, [&](const Real* row) { return row[b.size - 1]; });
        range = sweep::range(base, rows, width);
    }

    const std::vector<Link>& links = chain.links;
    std::size_t end = links.size();  // the kernels from here on vanish on the whole tile
    while (end > 0 && !links[end - 1].complement() &&
           links[end - 1].rate * range.least >= zero_from_)
        --end;

    std::size_t at = 0;
    // Hands over as many kernels as follow by the same step, the one at `at` by first(in).
    const auto hand_over = [&](const Real* in, const auto& first) {
        const Step follow = links[at].complement() ? Step::double_complement : Step::square;
        std::size_t count = 1;
        while (count < kLongest && at + count < end && links[at + count].step == follow &&
               links[at + count].times == 1)
            ++count;
        const auto group = [&](auto size) {
            std::array<int, decltype(size)::value> outputs{};
            for (std::size_t k = 0; k < outputs.size(); ++k) outputs[k] = links[at + k].output;
            reduce(outputs, in, tile, first);
            at += outputs.size();
        };
        if constexpr (kLongest >= 4)
            if (count == 4) return group(std::integral_constant<std::size_t, 4>{});
        if constexpr (kLongest >= 3)
            if (count == 3) return group(std::integral_constant<std::size_t, 3>{});
        if constexpr (kLongest >= 2)
            if (count == 2) return group(std::integral_constant<std::size_t, 2>{});
        group(std::integral_constant<std::size_t, 1>{});
    };
    // All squarings but the last are made in place.
    const auto advance = [&](int times, const auto& first) {
        if (times == 1) return hand_over(tile, first);
        typename std::decay_t<decltype(first)>::Next next{};
        map_tile(tile, tile, rows, width, first);
        for (int k = 2; k < times; ++k) map_tile(tile, tile, rows, width, next);
        hand_over(tile, next);
    };
    while (at < end) {
        const Link& link = links[at];
        const simd::Pack rate = simd::set(link.rate);
        switch (link.step) {
            case Step::anchor_complement:
                pad_with(base, 0.0);
                if (link.rate * range.greatest <= simd::kSmallArgument)
                    hand_over(base, sweep::SmallComplement{rate});
                else
                    hand_over(base, sweep::ExponentiateComplement{rate});
                break;
            case Step::anchor:
                pad_with(base, std::numeric_limits<double>::infinity());
                hand_over(base, sweep::Exponentiate{rate});
                break;
            case Step::double_complement:
                advance(link.times, sweep::DoubleComplement{});
                break;
            case Step::square:
                advance(link.times, sweep::Square{});
                break;
            case Step::leave_complement:
                pad_with(tile, 1.0);
                advance(link.times, sweep::SquareOfComplement{});
                break;
        }
    }
}

}  // namespace kernelect
