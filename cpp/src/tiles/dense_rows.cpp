#include "kernelect/tiles/dense_rows.hpp"

#include <algorithm>
#include <cmath>

#include "tiles/expansion.hpp"
#include "tiles/tile_loops.hpp"

namespace kernelect {
namespace {

// Up to this many features, distances are summed from differences: as fast as a product, and exact
// for near pairs. Beyond it, one operation per feature is saved by |x|^2 + |x'|^2 - 2 x.x'.
constexpr Index kDifferenceFeatures = 10;
// Rows are centred where the square of their mean exceeds their spread by this factor.
constexpr double kFarFromOrigin = 4.0;

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
    tile_loops().dots(
        {at(plain_, a), a.size, other.at(other.plain_, b), padded(b.size), features_, tile});
}

void DenseRows::l1_distances(const Block& a, const DenseRows& other, const Block& b,
                             Real* tile) const {
    tile_loops().l1_distances(
        {at(plain_, a), a.size, other.at(other.plain_, b), padded(b.size), features_, tile});
}

Range DenseRows::squared_distances(const Block& a, const DenseRows& other, const Block& b,
                                   Real* tile) const {
    if (features_ > kDifferenceFeatures) return distances_from_dots(a, other, b, tile);
    tile_loops().differences(
        {at(plain_, a), a.size, other.at(other.plain_, b), padded(b.size), features_, tile});
    return {};
}

Range DenseRows::distances_from_dots(const Block& a, const DenseRows& other, const Block& b,
                                     Real* tile) const {
    const bool centred = shares_centre(other);
    const Packed& left = centred ? centred_ : plain_;
    const Packed& right = centred ? other.centred_ : other.plain_;
    const Index a_width = padded(a.size), b_width = padded(b.size);
    const Real *x = at(left, a), *y = other.at(right, b);
    const Range range = tile_loops().expansion({x, a.size, y, b_width, features_, tile},
                                               x + features_ * a_width, y + features_ * b_width);
    // All are sound if the least is beside the greatest norms; those overflow before a distance
    // can fail to be a number. Padding is no nearer than that either.
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
