#include "kernelect/tiles/chains.hpp"

#include <algorithm>
#include <cmath>

namespace kernelect {
namespace {

// 12 squarings lose 1.5 * 2^12 units in the last place, 7e-13: far below the promised 1e-10.
constexpr int kMaxSquarings = 12;
// 1 - M has the rounding of a dozen doublings of M behind it, about as much as two squarings of K.
constexpr int kLeaving = 2;
// Up to three squarings in a row are cheaper than an exponential.
constexpr int kMaxTimes = 3;
// Numbers are equal that are so to the last place or two.
constexpr double kRounding = 4e-16;
// Values are typical of this many tiles, one row of four in each, and this percentile of them.
constexpr std::size_t kPairs = 8, kPercentile = 95;
constexpr Index kEvery = 4;

bool is_power_apart(double a, double b, int times) {
    return std::abs(std::ldexp(a, times) - b) <= kRounding * b;
}

}  // namespace

bool is_double(double a, double b) { return is_power_apart(a, b, 1); }

std::vector<std::pair<Block, Block>> sample_tiles(const Sample& sample) {
    const std::vector<Block>& blocks = sample.blocks();
    const std::size_t count = blocks.size(), pairs = std::min(kPairs, count * count);
    std::vector<std::pair<Block, Block>> tiles;
    for (std::size_t k = 0; k < pairs; ++k) {
        const std::size_t i = k * count / pairs, j = (i + (k * 5 + 1) * count / 11) % count;
        tiles.emplace_back(blocks[i], blocks[j]);
    }
    return tiles;
}

double typical_base(const Sample& sample, Base base, int source) {
    return typical_value(sample, base, source, [](double entry) { return entry; });
}

double typical_value(const Sample& sample, Base base, int source,
                     const std::function<double(double base)>& value) {
    const Rows& rows = sample.sources()[place(source)];
    Buffer tile(kTileArea);
    std::vector<Real> scratch;
    std::vector<double> seen;
    for (const auto& [a, b] : sample_tiles(sample)) {
        rows.base_tile(base, a, rows, b, tile.data(), scratch);
        for (Index r = 0; r < a.size; r += kEvery)
            for (Index c = 0; c < b.size; ++c)
                if (a.begin + r != b.begin + c) seen.push_back(value(tile[place(r * kTile + c)]));
    }
    if (seen.empty()) return 0.0;
    const auto place = seen.begin() + static_cast<std::ptrdiff_t>(seen.size() * kPercentile / 100);
    std::nth_element(seen.begin(), place, seen.end());
    return *place;
}

std::vector<Chain> make_chains(std::vector<ChainRequest> requests, const Sample& sample,
                               Tails tails) {
    std::stable_sort(requests.begin(), requests.end(),
                     [](const ChainRequest& a, const ChainRequest& b) {
                         const Exponential &x = a.kernel, &y = b.kernel;
                         if (x.source != y.source) return x.source < y.source;
                         if (x.base != y.base) return x.base < y.base;
                         return x.rate < y.rate;
                     });
    std::vector<Chain> chains;
    std::vector<bool> used(requests.size(), false);
    double typical = 0.0;
    for (std::size_t first = 0; first < requests.size(); ++first) {
        const Exponential& head = requests[first].kernel;
        const bool same_base = first > 0 && head.base == requests[first - 1].kernel.base &&
                               head.source == requests[first - 1].kernel.source;
        if (!same_base) typical = typical_base(sample, head.base, head.source);
        if (used[first]) continue;
        Chain chain{head.base, head.source, {}};
        int squarings = 0;
        std::size_t at = first;
        bool found = true;
        int times = 0;
        while (found) {
            used[at] = true;
            const double rate = requests[at].kernel.rate;
            const bool wide = rate * typical <= 1.0;
            const bool was_wide = !chain.links.empty() && chain.links.back().complement();
            Step step = wide ? Step::double_complement : Step::square;
            if (wide) {
                if (chain.links.empty()) step = Step::anchor_complement;
            } else if (chain.links.empty() || squarings + times > kMaxSquarings ||
                       (was_wide && tails == Tails::exact)) {
                step = Step::anchor;
                squarings = 0;
            } else if (was_wide) {
                step = Step::leave_complement;
                squarings = kLeaving + times;
            } else {
                squarings += times;
            }
            chain.links.push_back({rate, step, times, requests[at].output});
            // The next kernel: the nearest that is a few doublings narrower.
            found = false;
            for (std::size_t next = at + 1; next < requests.size() && !found; ++next) {
                const Exponential& kernel = requests[next].kernel;
                if (kernel.base != head.base || kernel.source != head.source) break;
                if (used[next]) continue;
                for (times = 1; times <= kMaxTimes; ++times)
                    if (is_power_apart(rate, kernel.rate, times)) {
                        found = true;
                        at = next;
                        break;
                    }
            }
        }
        chains.push_back(std::move(chain));
    }
    return chains;
}

}  // namespace kernelect
