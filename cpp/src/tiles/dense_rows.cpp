#include "kernelect/tiles/dense_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernelect/base/simd.hpp"
#include "tiles/expansion.hpp"

namespace kernelect {
namespace {

using simd::kWidth;
using simd::Pack;

// Up to this many features, distances are summed from differences: as fast as a product, and exact
// for near pairs. Beyond it, one operation per feature is saved by |x|^2 + |x'|^2 - 2 x.x'.
constexpr Index kDifferenceFeatures = 10;
// Rows are centred where the square of their mean exceeds their spread by this factor.
constexpr double kFarFromOrigin = 4.0;
// Rows of a tile that are worked on together. By two packs that is eight running sums, enough to
// hide the latency of an addition; blocks are padded to whole groups of them.
constexpr Index kRowsAtOnce = 4;
static_assert(kStrip % kRowsAtOnce == 0);

struct SquaredDifference {
    static KERNELECT_INLINE Pack add(Pack sum, Pack x, Pack y) {
        const Pack d = x - y;
        return d * d + sum;
    }
};
struct AbsoluteDifference {
    static KERNELECT_INLINE Pack add(Pack sum, Pack x, Pack y) {
        const Pack d = x - y;
        return sum + simd::max(d, -d);
    }
};
struct Product {
    static KERNELECT_INLINE Pack add(Pack sum, Pack x, Pack y) { return x * y + sum; }
};

struct AsItIs {
    KERNELECT_INLINE Pack operator()(Pack sum, Index, Index) const { return sum; }
};

// finish(sum, i, j) makes the entries of row i from column j on.
template <class Accumulate, class Finish = AsItIs>
void dense_tile(const Real* a, Index a_width, const Real* b, Index b_width, Index features,
                Real* tile, Finish finish = {}) {
    for (Index i = 0; i < a_width; i += kRowsAtOnce) {
        for (Index j = 0; j < b_width; j += kStrip) {
            Pack s[kRowsAtOnce][2];
            for (auto& row : s) row[0] = row[1] = simd::set(0.0);
            const Real* x = a + i;
            const Real* y = b + j;
            for (Index f = 0; f < features; ++f, x += a_width, y += b_width) {
                const Pack y0 = simd::load(y), y1 = simd::load(y + kWidth);
                for (Index r = 0; r < kRowsAtOnce; ++r) {
                    const Pack xr = simd::set(x[r]);
                    s[r][0] = Accumulate::add(s[r][0], xr, y0);
                    s[r][1] = Accumulate::add(s[r][1], xr, y1);
                }
            }
            for (Index r = 0; r < kRowsAtOnce; ++r) {
                Real* const to = tile + (i + r) * kTile + j;
                simd::store(to, finish(s[r][0], i + r, j));
                simd::store(to + kWidth, finish(s[r][1], i + r, j + kWidth));
            }
        }
    }
}

}  // namespace

Vector DenseRows::useful_centre(const ConstMatrixRef& x) {
    if (x.cols() <= kDifferenceFeatures) return {};
    // Plain loops, row by row: the bits must not depend on how the caller's memory is aligned.
    Vector mean = Vector::Zero(x.cols());
    for (Index i = 0; i < x.rows(); ++i)
        for (Index f = 0; f < x.cols(); ++f) mean(f) += x(i, f);
    mean /= static_cast<double>(x.rows());
    double spread = 0.0;
    for (Index i = 0; i < x.rows(); ++i)
        for (Index f = 0; f < x.cols(); ++f) spread += (x(i, f) - mean(f)) * (x(i, f) - mean(f));
    spread /= static_cast<double>(x.rows());
    const double offset = mean.squaredNorm();
    return std::isfinite(offset) && offset > kFarFromOrigin * spread ? mean : Vector();
}

DenseRows::DenseRows(const ConstMatrixRef& x, const std::vector<Index>& order,
                     const std::vector<Block>& blocks, const Vector& centre)
    : features_(x.cols()), offsets_(place(x.rows())), centre_(centre) {
    plain_ = pack(order, blocks, [&](Index i, Index f) { return x(i, f); });
    if (centre.size() > 0)
        centred_ = pack(order, blocks, [&](Index i, Index f) { return x(i, f) - centre(f); });
}

template <class ValueAt>
DenseRows::Packed DenseRows::pack(const std::vector<Index>& order, const std::vector<Block>& blocks,
                                  const ValueAt& value_at) {
    std::size_t size = 0;
    for (const Block& block : blocks) {
        offsets_[place(block.begin)] = size;
        size += place(padded(block.size) * (features_ + 1));
    }
    Packed packed{Buffer(size, 0.0), Vector(static_cast<Index>(order.size()))};
    for (const Block& block : blocks) {
        Real* to = packed.entries.data() + offsets_[place(block.begin)];
        const Index width = padded(block.size);
        for (Index i = 0; i < block.size; ++i) {
            const Index row = order[place(block.begin + i)];
            double norm = 0.0;
            for (Index f = 0; f < features_; ++f) {
                const double value = value_at(row, f);
                to[f * width + i] = value;
                norm += value * value;
            }
            packed.norms(block.begin + i) = norm;
            to[features_ * width + i] = norm;
        }
        // Padding has zeros for features, so with the greatest norm it is as far away as any row,
        // and does not make its tile look as if it held near pairs.
        std::fill(to + features_ * width + block.size, to + (features_ + 1) * width,
                  packed.norms.segment(block.begin, block.size).maxCoeff());
    }
    return packed;
}

void DenseRows::add_to(Digest& digest) const {
    digest.add(features_);
    digest.add(plain_.entries.data(), plain_.entries.size());
    digest.add(centre_.data(), place(centre_.size()));
}

void DenseRows::dots(const Block& a, const DenseRows& other, const Block& b, Real* tile) const {
    dense_tile<Product>(at(plain_, a), padded(a.size), other.at(other.plain_, b), padded(b.size),
                        features_, tile);
}

void DenseRows::l1_distances(const Block& a, const DenseRows& other, const Block& b,
                             Real* tile) const {
    dense_tile<AbsoluteDifference>(at(plain_, a), padded(a.size), other.at(other.plain_, b),
                                   padded(b.size), features_, tile);
}

Range DenseRows::squared_distances(const Block& a, const DenseRows& other, const Block& b,
                                   Real* tile) const {
    if (features_ > kDifferenceFeatures) return distances_from_dots(a, other, b, tile);
    dense_tile<SquaredDifference>(at(plain_, a), padded(a.size), other.at(other.plain_, b),
                                  padded(b.size), features_, tile);
    return {};
}

Range DenseRows::distances_from_dots(const Block& a, const DenseRows& other, const Block& b,
                                     Real* tile) const {
    const bool centred = shares_centre(other);
    const Packed& left = centred ? centred_ : plain_;
    const Packed& right = centred ? other.centred_ : other.plain_;
    const Index a_width = padded(a.size), b_width = padded(b.size);
    const Real *x = at(left, a), *y = other.at(right, b);
    const Real *x_norms = x + features_ * a_width, *y_norms = y + features_ * b_width;
    Pack least = simd::set(std::numeric_limits<Real>::infinity()), greatest = -least;
    dense_tile<Product>(x, a_width, y, b_width, features_, tile, [&](Pack dot, Index i, Index j) {
        const Pack both = simd::set(x_norms[i]) + simd::load(y_norms + j);
        const Pack distance = both - simd::set(2.0) * dot;
        least = simd::min(least, distance);
        greatest = simd::max(greatest, distance);
        return distance;
    });
    // All are sound if the least is beside the greatest norms; those overflow before a distance
    // can fail to be a number. Padding is no nearer than that either.
    const Range range{simd::least(least), simd::greatest(greatest)};
    if (expansion_holds(range.least, left.norms.segment(a.begin, a.size).maxCoeff() +
                                         right.norms.segment(b.begin, b.size).maxCoeff()))
        return range;
    for (Index i = 0; i < a.size; ++i)
        for (Index j = 0; j < b.size; ++j)
            if (!expansion_holds(tile[i * kTile + j],
                                 left.norms(a.begin + i) + right.norms(b.begin + j)))
                tile[i * kTile + j] = exact_distance(a, i, other, b, j);
    return {};
}

double DenseRows::exact_distance(const Block& a, Index i, const DenseRows& other, const Block& b,
                                 Index j) const {
    const Index a_width = padded(a.size), b_width = padded(b.size);
    const Real* x = at(plain_, a) + i;
    const Real* y = other.at(other.plain_, b) + j;
    double sum = 0.0;
    for (Index f = 0; f < features_; ++f) {
        const double difference = x[f * a_width] - y[f * b_width];
        sum += difference * difference;
    }
    return sum;
}

double DenseRows::distance(const Block& a, Index i, const DenseRows& other, const Block& b,
                           Index j) const {
    const Index a_width = padded(a.size), b_width = padded(b.size);
    const Real* x = at(plain_, a) + i;
    const Real* y = other.at(other.plain_, b) + j;
    return scaled_norm([&](const auto& add) {
        for (Index f = 0; f < features_; ++f) add(x[f * a_width] - y[f * b_width]);
    });
}

}  // namespace kernelect
