#pragma once

#include <limits>
#include <vector>

#include "kernelect/chains.hpp"
#include "kernelect/sweep.hpp"
#include "kernelect/tile_values.hpp"

namespace kernelect {

// Candidates laid out for streaming: those of the form exp(-rate * base) in chains, the others as
// general expressions. Outputs 0 .. candidates-1 are the candidates; with `squares`, further
// outputs stand for the entrywise squares of chain candidates that are not candidates themselves,
// so that the row sums of one kernel give the row square norms of the kernel twice as wide.
class KernelSet {
  public:
    KernelSet(const Sample& sample, const std::vector<Program>& programs, bool squares);

    const Sample& sample() const { return sample_; }
    Index candidates() const { return static_cast<Index>(programs_.size()); }
    Index outputs() const { return outputs_; }
    const Program& program(Index k) const { return programs_[static_cast<std::size_t>(k)]; }
    // The output that carries sums of this candidate; equal candidates share one.
    int output_of(Index k) const { return output_of_[static_cast<std::size_t>(k)]; }
    // The output whose kernel is the entrywise square of output o; -1 for a general kernel.
    int square_of(Index o) const { return square_of_[static_cast<std::size_t>(o)]; }
    // Whether output o delivers M = 1 - K.
    bool complement(Index o) const { return complement_[static_cast<std::size_t>(o)]; }
    bool is_general(Index o) const { return general_at_[static_cast<std::size_t>(o)]; }
    bool is_candidate(Index o) const { return o < candidate_outputs_; }
    // Output o delivers sign * (K - shift).
    double shift(Index o) const { return shift_[static_cast<std::size_t>(o)]; }
    double sign(Index o) const { return complement(o) ? -1.0 : 1.0; }

    // Computes every kernel on the tile (a, b) and hands it over, one after the other, as
    // reduce(output, in, out, entry): the kernel is entry(in), to be written to out if it writes.
    // Kernels that are zero on the whole tile are left out.
    template <class Reduce>
    void walk(TileValues& values, double* tile, const Block& a, const Block& b,
              Reduce&& reduce) const;

  private:
    // A nearly constant kernel is summed as K - c, as a wide Gaussian is as 1 - K: what matters of
    // it survives centring, and the constant would bury it in rounding.
    double nearly_constant(const PreparedProgram& kernel) const;
    bool is_wide_matern(const Program& program) const;
    static void subtract(double* tile, const Block& a, const Block& b, double shift);

    template <class Reduce>
    void walk_chain(const Chain& chain, double* base, double* tile, const Block& a, const Block& b,
                    Reduce&& reduce) const;

    const Sample& sample_;
    std::vector<Program> programs_;
    std::vector<Chain> chains_;
    std::vector<PreparedProgram> general_;
    std::vector<int> general_outputs_;
    std::vector<int> output_of_, square_of_;
    std::vector<bool> complement_, general_at_;
    std::vector<double> shift_;
    Index outputs_ = 0, candidate_outputs_ = 0;
};

template <class Reduce>
void KernelSet::walk(TileValues& values, double* tile, const Block& a, const Block& b,
                     Reduce&& reduce) const {
    values.start(a, b);
    // General kernels first: a chain changes the padding of the base tile that it uses.
    for (std::size_t k = 0; k < general_.size(); ++k) {
        const int o = general_outputs_[k];
        if (complement(o)) {
            values.evaluate_complement(general_[k].program.front(), tile);
        } else {
            values.evaluate(general_[k], tile);
            subtract(tile, a, b, shift(o));
        }
        reduce(o, tile, tile, sweep::Keep{});
    }
    for (const Chain& chain : chains_)
        walk_chain(chain, values.base(chain.base, chain.source), tile, a, b, reduce);
}

template <class Reduce>
void KernelSet::walk_chain(const Chain& chain, double* base, double* tile, const Block& a,
                           const Block& b, Reduce&& reduce) const {
    const Index rows = a.size, width = padded(b.size);
    const auto pad = [&](double value) {
        for (Index i = 0; i < rows; ++i)
            for (Index j = b.size; j < width; ++j) base[i * kTile + j] = value;
    };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    pad(infinity);
    const double nearest = sweep::minimum(base, rows, width);

    for (const Link& link : chain.links) {
        // From here on every kernel of the chain underflows on this tile.
        if (!link.complement() && link.rate * nearest >= simd::kExpLimit) return;
        switch (link.step) {
            case Step::anchor_complement:
                pad(0.0);
                reduce(link.output, base, tile,
                       sweep::ExponentiateComplement{simd::set(link.rate)});
                break;
            case Step::anchor:
                pad(infinity);
                reduce(link.output, base, tile, sweep::Exponentiate{simd::set(link.rate)});
                break;
            case Step::double_complement:
                for (int k = 1; k < link.times; ++k)
                    sweep::step(tile, rows, width, sweep::DoubleComplement{});
                reduce(link.output, tile, tile, sweep::DoubleComplement{});
                break;
            case Step::square:
                for (int k = 1; k < link.times; ++k)
                    sweep::step(tile, rows, width, sweep::Square{});
                reduce(link.output, tile, tile, sweep::Square{});
                break;
        }
    }
}

}  // namespace kernelect
