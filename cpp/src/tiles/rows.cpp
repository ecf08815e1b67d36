#include "kernelect/tiles/rows.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace kernelect {
namespace {

// How each kind of rows makes each base tile.
struct TileMaker {
    Base base;
    const Block &a, &b;
    Real* tile;
    std::vector<Real>& scratch;

    Range operator()(const DenseRows& left, const DenseRows& right) const {
        check(left, right);
        switch (base) {
            case Base::dot_product:
                left.dots(a, right, b, tile);
                return {};
            case Base::l1_distance:
                left.l1_distances(a, right, b, tile);
                return {};
            case Base::squared_distance:
                return left.squared_distances(a, right, b, tile);
            case Base::distance:
                return rooted(left, right, left.squared_distances(a, right, b, tile));
            case Base::value:
                break;
        }
        throw std::invalid_argument("feature rows hold no kernel values");
    }
    Range operator()(const SparseRows& left, const SparseRows& right) const {
        check(left, right);
        switch (base) {
            case Base::dot_product:
                left.dots(a, right, b, tile, scratch);
                return {};
            case Base::l1_distance:
                left.l1_distances(a, right, b, tile);
                return {};
            case Base::squared_distance:
                left.squared_distances(a, right, b, tile, scratch);
                return {};
            case Base::distance:
                left.squared_distances(a, right, b, tile, scratch);
                return rooted(left, right, {});
            case Base::value:
                break;
        }
        throw std::invalid_argument("feature rows hold no kernel values");
    }
    // A stored matrix knows its columns itself.
    template <class Other>
    Range operator()(const StoredRows& left, const Other&) const {
        left.values(a, b, tile);
        return {};
    }
    template <class Left, class Right>
    Range operator()(const Left&, const Right&) const {
        refuse();
    }

  private:
    [[noreturn]] static void refuse() {
        throw std::invalid_argument("two tables of rows differ in their features");
    }
    template <class FeatureRows>
    static void check(const FeatureRows& left, const FeatureRows& right) {
        if (left.features() != right.features()) refuse();
    }
    // Distances whose squares leave the range of doubles, or lose digits at its lower end, are
    // taken again.
    template <class FeatureRows>
    Range rooted(const FeatureRows& left, const FeatureRows& right, const Range& range) const {
        constexpr double kLeastSquare = 1e-280, kGreatestSquare = 1e300;
        const bool safe =
            range.known() && range.least > kLeastSquare && range.greatest < kGreatestSquare;
        for (Index i = 0; i < a.size; ++i) {
            Eigen::Map<Eigen::Array<Real, Eigen::Dynamic, 1>> row(tile + i * kTile, padded(b.size));
            if (safe) {  // nearly always: without a choice, so that roots are taken in packs
                row = row.max(0.0).sqrt();
                continue;
            }
            for (Index strip = 0; strip < b.size; strip += kStrip) {
                const auto squares = row.segment<kStrip>(strip);
                if (squares.minCoeff<Eigen::PropagateNaN>() > kLeastSquare &&
                    squares.maxCoeff<Eigen::PropagateNaN>() < kGreatestSquare)
                    continue;  // most of them, also where rows meet themselves
                for (Index j = strip; j < std::min(strip + kStrip, b.size); ++j)
                    if (!(row[j] > kLeastSquare && row[j] < kGreatestSquare))
                        row[j] = -left.distance(a, i, right, b, j);
            }
            row = (row > 0.0).select(row.sqrt(), -row);
        }
        if (!safe) return {};
        return {std::sqrt(range.least), std::sqrt(range.greatest)};
    }
};

struct OwnProducts {
    const Vector& operator()(const DenseRows& rows) const { return rows.squared_norms(); }
    const Vector& operator()(const SparseRows& rows) const { return rows.squared_norms(); }
    const Vector& operator()(const StoredRows& rows) const { return rows.diagonal(); }
};

}  // namespace

Range Rows::base_tile(Base base, const Block& a, const Rows& other, const Block& b, Real* tile,
                      std::vector<Real>& scratch) const {
    return std::visit(TileMaker{base, a, b, tile, scratch}, rows_, other.rows_);
}

const Vector& Rows::own_products() const {
    return std::visit([](const auto& rows) -> const Vector& { return OwnProducts{}(rows); }, rows_);
}

Vector Rows::centre() const {
    const DenseRows* dense = std::get_if<DenseRows>(&rows_);
    return dense == nullptr ? Vector() : dense->centre();
}

void Rows::add_to(Digest& digest) const {
    digest.add(rows_.index());
    std::visit([&](const auto& rows) { rows.add_to(digest); }, rows_);
}

}  // namespace kernelect
