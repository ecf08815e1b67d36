#include "tiles/sum_lanes.hpp"

namespace kernelect {

SumLanes::SumLanes(const KernelSet& set, const SumsRequest& request)
    : set_(set),
      classes_(set.sample().classes()),
      vectors_(request.vectors.rows()),
      squares_(request.squares),
      plan_(counts()) {}

std::vector<Index> SumLanes::counts() const {
    std::vector<Index> lanes_of;
    for (Index o = 0; o < set_.outputs(); ++o)
        lanes_of.push_back(set_.is_candidate(o) ? classes_ + vectors_ + (has_squares(o) ? 1 : 0)
                                                : 1);
    return lanes_of;
}

Vector SumLanes::row_sums(const LeafSums& whole, Index o) const {
    const auto lane = [&](Index k) {
        return Eigen::Map<const Vector>(whole.lane(plan_.first(o) + k), whole.rows);
    };
    Vector sums = lane(0);
    for (Index k = 1; k < (set_.is_candidate(o) ? classes_ : 1); ++k) sums += lane(k);
    return set_.sign(o) * sums.array() + static_cast<double>(whole.rows) * set_.shift(o);
}

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

}  // namespace kernelect
