#include "kernelect/tiles/sparse_rows.hpp"

#include <cmath>
#include <stdexcept>

#include "tiles/expansion.hpp"

namespace kernelect {

SparseRows::SparseRows(const SparseView& x, const std::vector<Index>& order)
    : features_(x.features), squared_norms_(x.rows) {
    starts_.push_back(0);
    values_.reserve(place(x.starts[x.rows] - x.starts[0]));
    columns_.reserve(values_.capacity());
    for (std::size_t k = 0; k < order.size(); ++k) {
        double norm = 0.0;
        for (std::int64_t p = x.starts[order[k]]; p < x.starts[order[k] + 1]; ++p) {
            values_.push_back(x.values[p]);
            columns_.push_back(x.columns[p]);
            if (x.columns[p] < 0 || x.columns[p] >= x.features)
                throw std::invalid_argument("a sparse row names a column that is not there");
            if (p > x.starts[order[k]] && x.columns[p] <= x.columns[p - 1])
                throw std::invalid_argument("the columns of a sparse row must ascend");
            norm += x.values[p] * x.values[p];
        }
        starts_.push_back(static_cast<std::int64_t>(values_.size()));
        squared_norms_(static_cast<Index>(k)) = norm;
    }
}

void SparseRows::add_to(Digest& digest) const {
    digest.add(features_);
    digest.add(values_.data(), values_.size());
    digest.add(columns_.data(), columns_.size());
    digest.add(starts_.data(), starts_.size());
}

void SparseRows::dots(const Block& a, const SparseRows& other, const Block& b, Real* tile,
                      std::vector<Real>& scratch) const {
    // One row is spread out so that every other needs only its own entries.
    if (scratch.size() < place(features_)) scratch.assign(place(features_), 0.0);
    for (Index i = 0; i < a.size; ++i) {
        const std::size_t row = place(a.begin + i);
        for (std::int64_t p = starts_[row]; p < starts_[row + 1]; ++p)
            scratch[place(columns_[p])] = values_[p];
        for (Index j = 0; j < b.size; ++j) {
            const std::size_t column = place(b.begin + j);
            double sum = 0.0;
            for (std::int64_t p = other.starts_[column]; p < other.starts_[column + 1]; ++p)
                sum += other.values_[p] * scratch[place(other.columns_[p])];
            tile[i * kTile + j] = sum;
        }
        for (std::int64_t p = starts_[row]; p < starts_[row + 1]; ++p)
            scratch[place(columns_[p])] = 0.0;
    }
}

template <class Add>
void SparseRows::differences(Index row, const SparseRows& other, Index column, Add&& add) const {
    std::int64_t p = starts_[place(row)], q = other.starts_[place(column)];
    const std::int64_t p_end = starts_[place(row + 1)], q_end = other.starts_[place(column + 1)];
    while (p < p_end || q < q_end) {
        if (q == q_end || (p < p_end && columns_[p] < other.columns_[q]))
            add(values_[p++]);
        else if (p == p_end || other.columns_[q] < columns_[p])
            add(other.values_[q++]);
        else
            add(values_[p++] - other.values_[q++]);
    }
}

void SparseRows::l1_distances(const Block& a, const SparseRows& other, const Block& b,
                              Real* tile) const {
    for (Index i = 0; i < a.size; ++i)
        for (Index j = 0; j < b.size; ++j) {
            double sum = 0.0;
            differences(a.begin + i, other, b.begin + j, [&](double d) { sum += std::abs(d); });
            tile[i * kTile + j] = sum;
        }
}

void SparseRows::squared_distances(const Block& a, const SparseRows& other, const Block& b,
                                   Real* tile, std::vector<Real>& scratch) const {
    dots(a, other, b, tile, scratch);
    for (Index i = 0; i < a.size; ++i)
        for (Index j = 0; j < b.size; ++j) {
            Real& entry = tile[i * kTile + j];
            const double both = squared_norms_(a.begin + i) + other.squared_norms_(b.begin + j);
            entry = both - 2.0 * entry;
            if (expansion_holds(entry, both)) continue;
            double sum = 0.0;
            differences(a.begin + i, other, b.begin + j, [&](double d) { sum += d * d; });
            entry = sum;
        }
}

double SparseRows::distance(const Block& a, Index i, const SparseRows& other, const Block& b,
                            Index j) const {
    return scaled_norm([&](const auto& add) { differences(a.begin + i, other, b.begin + j, add); });
}

}  // namespace kernelect
