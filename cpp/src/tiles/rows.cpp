#include "kernelect/tiles/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernelect/base/simd.hpp"

namespace kernelect {
namespace {

using simd::Pack;

// Up to this many features, distances are summed from differences: as fast as a product, and exact
// for near pairs. Beyond it, one operation per feature is saved by |x|^2 + |x'|^2 - 2 x.x'.
constexpr Index kDifferenceFeatures = 10;
// Below this share of |x|^2 + |x'|^2 that expansion has lost too many digits for a narrow kernel
// and the distance is recomputed from differences.
constexpr double kCancellation = 1e-3;
// Rows are centred where the square of their mean exceeds their spread by this factor.
constexpr double kFarFromOrigin = 4.0;

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

// Four rows by two packs at a time: eight running sums, enough to hide the latency of an addition.
// finish(sum, i, j) makes the entries of row i from column j on.
template <class Accumulate, class Finish = AsItIs>
void dense_tile(const double* a, Index a_width, const double* b, Index b_width, Index features,
                double* tile, Finish finish = {}) {
    for (Index i = 0; i < a_width; i += 4) {
        for (Index j = 0; j < b_width; j += kStrip) {
            Pack s[4][2];
            for (auto& row : s) row[0] = row[1] = simd::set(0.0);
            const double* x = a + i;
            const double* y = b + j;
            for (Index f = 0; f < features; ++f, x += a_width, y += b_width) {
                const Pack y0 = simd::load(y), y1 = simd::load(y + 4);
                for (int r = 0; r < 4; ++r) {
                    const Pack xr = simd::set(x[r]);
                    s[r][0] = Accumulate::add(s[r][0], xr, y0);
                    s[r][1] = Accumulate::add(s[r][1], xr, y1);
                }
            }
            for (int r = 0; r < 4; ++r) {
                simd::store(tile + (i + r) * kTile + j, finish(s[r][0], i + r, j));
                simd::store(tile + (i + r) * kTile + j + 4, finish(s[r][1], i + r, j + 4));
            }
        }
    }
}

}  // namespace

Vector Rows::useful_centre(const ConstMatrixRef& x) {
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

Rows Rows::dense(const ConstMatrixRef& x, const std::vector<Index>& order,
                 const std::vector<Block>& blocks, const Vector& centre) {
    Rows rows;
    rows.kind_ = Kind::dense;
    rows.features_ = x.cols();
    rows.centre_ = centre;
    rows.offsets_.resize(static_cast<std::size_t>(x.rows()));
    std::size_t size = 0;
    for (const Block& block : blocks) {
        rows.offsets_[static_cast<std::size_t>(block.begin)] = size;
        size += static_cast<std::size_t>(padded(block.size) * (x.cols() + 1));
    }
    const auto pack = [&](Buffer& packed, Vector& norms, const auto& value_at) {
        packed.assign(size, 0.0);
        norms.resize(x.rows());
        for (const Block& block : blocks) {
            double* to = packed.data() + rows.offsets_[static_cast<std::size_t>(block.begin)];
            const Index width = padded(block.size);
            for (Index i = 0; i < block.size; ++i) {
                const Index row = order[static_cast<std::size_t>(block.begin + i)];
                double norm = 0.0;
                for (Index f = 0; f < x.cols(); ++f) {
                    const double value = value_at(row, f);
                    to[f * width + i] = value;
                    norm += value * value;
                }
                norms(block.begin + i) = norm;
                to[x.cols() * width + i] = norm;
            }
            // Padding is given the greatest norm, so that its distances raise no doubt.
            std::fill(to + x.cols() * width + block.size, to + (x.cols() + 1) * width,
                      norms.segment(block.begin, block.size).maxCoeff());
        }
    };
    pack(rows.packed_, rows.squared_norms_, [&](Index i, Index f) { return x(i, f); });
    if (centre.size() > 0)
        pack(rows.centred_, rows.centred_norms_,
             [&](Index i, Index f) { return x(i, f) - centre(f); });
    return rows;
}

Rows Rows::sparse(const SparseView& x, const std::vector<Index>& order) {
    Rows rows;
    rows.kind_ = Kind::sparse;
    rows.features_ = x.features;
    rows.squared_norms_.resize(x.rows);
    rows.starts_.push_back(0);
    rows.values_.reserve(static_cast<std::size_t>(x.starts[x.rows]));
    rows.columns_.reserve(static_cast<std::size_t>(x.starts[x.rows]));
    for (std::size_t k = 0; k < order.size(); ++k) {
        double norm = 0.0;
        for (std::int64_t p = x.starts[order[k]]; p < x.starts[order[k] + 1]; ++p) {
            rows.values_.push_back(x.values[p]);
            rows.columns_.push_back(x.columns[p]);
            if (x.columns[p] < 0 || x.columns[p] >= x.features)
                throw std::invalid_argument("a sparse row names a column that is not there");
            if (p > x.starts[order[k]] && x.columns[p] <= x.columns[p - 1])
                throw std::invalid_argument("the columns of a sparse row must ascend");
            norm += x.values[p] * x.values[p];
        }
        rows.starts_.push_back(static_cast<std::int64_t>(rows.values_.size()));
        rows.squared_norms_(static_cast<Index>(k)) = norm;
    }
    return rows;
}

Rows Rows::matrix(const ConstMatrixRef& k, const std::vector<Index>& order,
                  const std::vector<Index>& column_order) {
    Rows rows;
    rows.kind_ = Kind::matrix;
    rows.matrix_ = k.data();
    rows.stride_ = k.outerStride();
    rows.order_ = order;
    rows.column_order_ = column_order;
    if (k.rows() == k.cols()) {
        rows.squared_norms_.resize(k.rows());
        for (Index i = 0; i < k.rows(); ++i) {
            const Index row = order[static_cast<std::size_t>(i)];
            rows.squared_norms_(i) = k(row, row);
        }
    }
    return rows;
}

void Rows::add_to(Digest& digest) const {
    digest.add(features_);
    digest.add(packed_.data(), packed_.size());
    digest.add(values_.data(), values_.size());
    digest.add(columns_.data(), columns_.size());
    digest.add(starts_.data(), starts_.size());
    for (const Index row : order_)
        for (const Index column : column_order_) digest.add(matrix_[row * stride_ + column]);
}

const double* Rows::packed(const Block& b, bool centred) const {
    return (centred ? centred_ : packed_).data() + offsets_[static_cast<std::size_t>(b.begin)];
}

Range Rows::base_tile(Base base, const Block& a, const Rows& other, const Block& b, double* tile,
                      std::vector<double>& scratch) const {
    if (kind_ == Kind::matrix) {
        for (Index i = 0; i < a.size; ++i) {
            const double* from = matrix_ + order_[static_cast<std::size_t>(a.begin + i)] * stride_;
            for (Index j = 0; j < b.size; ++j)
                tile[i * kTile + j] = from[column_order_[static_cast<std::size_t>(b.begin + j)]];
        }
        return {};
    }
    if (kind_ != other.kind_ || features_ != other.features_)
        throw std::invalid_argument("two tables of rows differ in their features");
    switch (base) {
        case Base::dot_product:
            dots(a, other, b, tile, scratch);
            return {};
        case Base::l1_distance:
            if (kind_ == Kind::dense) {
                dense_tile<AbsoluteDifference>(packed(a), padded(a.size), other.packed(b),
                                               padded(b.size), features_, tile);
            } else {
                for (Index i = 0; i < a.size; ++i)
                    for (Index j = 0; j < b.size; ++j)
                        tile[i * kTile + j] = exact_distance(base, a, i, other, b, j);
            }
            return {};
        case Base::squared_distance:
        case Base::distance: {
            Range range;
            if (kind_ == Kind::dense && features_ <= kDifferenceFeatures) {
                dense_tile<SquaredDifference>(packed(a), padded(a.size), other.packed(b),
                                              padded(b.size), features_, tile);
            } else {
                range = distances_from_dots(a, other, b, tile, scratch);
            }
            if (base == Base::distance) {
                const Index width = padded(b.size);
                for (Index i = 0; i < a.size; ++i) {
                    Eigen::Map<Eigen::ArrayXd> row(tile + i * kTile, width);
                    row = row.sqrt();
                }
                if (range.known()) range = {std::sqrt(range.least), std::sqrt(range.greatest)};
            }
            return range;
        }
        case Base::value:
            break;
    }
    throw std::invalid_argument("feature rows hold no kernel values");
}

void Rows::dots(const Block& a, const Rows& other, const Block& b, double* tile,
                std::vector<double>& scratch) const {
    if (kind_ == Kind::dense) {
        dense_tile<Product>(packed(a), padded(a.size), other.packed(b), padded(b.size), features_,
                            tile);
        return;
    }
    // One row is spread out so that every other needs only its own entries.
    if (scratch.size() < static_cast<std::size_t>(features_))
        scratch.assign(static_cast<std::size_t>(features_), 0.0);
    for (Index i = 0; i < a.size; ++i) {
        const std::size_t row = static_cast<std::size_t>(a.begin + i);
        for (std::int64_t p = starts_[row]; p < starts_[row + 1]; ++p)
            scratch[static_cast<std::size_t>(columns_[p])] = values_[p];
        for (Index j = 0; j < b.size; ++j) {
            const std::size_t column = static_cast<std::size_t>(b.begin + j);
            double sum = 0.0;
            for (std::int64_t p = other.starts_[column]; p < other.starts_[column + 1]; ++p)
                sum += other.values_[p] * scratch[static_cast<std::size_t>(other.columns_[p])];
            tile[i * kTile + j] = sum;
        }
        for (std::int64_t p = starts_[row]; p < starts_[row + 1]; ++p)
            scratch[static_cast<std::size_t>(columns_[p])] = 0.0;
    }
}

Range Rows::distances_from_dots(const Block& a, const Rows& other, const Block& b, double* tile,
                                std::vector<double>& scratch) const {
    const bool centred = shares_centre(other);
    // Not so, too, where the squares overflowed and the difference is not a number.
    const auto trusted = [](double distance, double both) {
        return distance > kCancellation * both;
    };
    const Vector& left = centred ? centred_norms_ : squared_norms_;
    const Vector& right = centred ? other.centred_norms_ : other.squared_norms_;
    if (kind_ == Kind::dense) {
        const Index a_width = padded(a.size), b_width = padded(b.size);
        const double *x = packed(a, centred), *y = other.packed(b, centred);
        const double *x_norms = x + features_ * a_width, *y_norms = y + features_ * b_width;
        Pack least = simd::set(std::numeric_limits<double>::infinity()), greatest = -least;
        dense_tile<Product>(x, a_width, y, b_width, features_, tile,
                            [&](Pack dot, Index i, Index j) {
                                const Pack both = simd::set(x_norms[i]) + simd::load(y_norms + j);
                                const Pack distance = both - simd::set(2.0) * dot;
                                least = simd::min(least, distance);
                                greatest = simd::max(greatest, distance);
                                return distance;
                            });
        // All are sound if the least is beside the greatest norms; those overflow before a distance
        // can fail to be a number. Padding is no nearer than that either.
        const Range range{simd::least(least), simd::greatest(greatest)};
        if (trusted(range.least, left.segment(a.begin, a.size).maxCoeff() +
                                     right.segment(b.begin, b.size).maxCoeff()))
            return range;
    } else {
        dots(a, other, b, tile, scratch);
        for (Index i = 0; i < a.size; ++i)
            for (Index j = 0; j < b.size; ++j) {
                double& entry = tile[i * kTile + j];
                const double both = squared_norms_(a.begin + i) + other.squared_norms_(b.begin + j);
                entry = both - 2.0 * entry;
            }
    }
    for (Index i = 0; i < a.size; ++i)
        for (Index j = 0; j < b.size; ++j)
            if (!trusted(tile[i * kTile + j], left(a.begin + i) + right(b.begin + j)))
                tile[i * kTile + j] = exact_distance(Base::squared_distance, a, i, other, b, j);
    return {};
}

double Rows::exact_distance(Base base, const Block& a, Index i, const Rows& other, const Block& b,
                            Index j) const {
    const bool l1 = base == Base::l1_distance;
    double sum = 0.0;
    const auto add = [&](double difference) {
        sum += l1 ? std::abs(difference) : difference * difference;
    };
    if (kind_ == Kind::dense) {
        const Index a_width = padded(a.size), b_width = padded(b.size);
        const double* x = packed(a) + i;
        const double* y = other.packed(b) + j;
        for (Index f = 0; f < features_; ++f) add(x[f * a_width] - y[f * b_width]);
        return sum;
    }
    const std::size_t row = static_cast<std::size_t>(a.begin + i);
    const std::size_t column = static_cast<std::size_t>(b.begin + j);
    std::int64_t p = starts_[row], q = other.starts_[column];
    const std::int64_t p_end = starts_[row + 1], q_end = other.starts_[column + 1];
    while (p < p_end || q < q_end) {
        if (q == q_end || (p < p_end && columns_[p] < other.columns_[q]))
            add(values_[p++]);
        else if (p == p_end || other.columns_[q] < columns_[p])
            add(other.values_[q++]);
        else
            add(values_[p++] - other.values_[q++]);
    }
    return sum;
}

}  // namespace kernelect
