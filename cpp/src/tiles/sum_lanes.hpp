#pragma once

#include <vector>

#include "kernelect/tiles/streams.hpp"
#include "tiles/lanes.hpp"

namespace kernelect {

// Which lanes the outputs of a set have. A candidate: one per class, one per vector, and with
// squares one more, for the row squares of a general kernel, or with entries that add up to the sum
// of squares of a complement. The square of a candidate that is no candidate itself needs its total
// sums only.
class SumLanes {
  public:
    SumLanes(const KernelSet& set, const SumsRequest& request);

    Index total() const { return plan_.total(); }
    // The lane for the sums of output o over the rows or columns of one class.
    Index of_class(Index o, int group) const {
        return plan_.first(o) + (set_.is_candidate(o) ? group : 0);
    }
    Index of_vector(Index o, Index v) const { return plan_.first(o) + classes_ + v; }
    bool has_squares(Index o) const {
        return squares_ && set_.is_candidate(o) && (set_.is_general(o) || set_.complement(o));
    }
    Index of_squares(Index o) const { return plan_.first(o) + classes_ + vectors_; }

    // What comes of the lanes of a whole pass.
    KernelSums sums_of(const LeafSums& whole, Index candidate) const;

  private:
    std::vector<Index> counts() const;
    Vector row_sums(const LeafSums& whole, Index o) const;  // of K

    const KernelSet& set_;
    Index classes_, vectors_;
    bool squares_;
    LanePlan plan_;
};

}  // namespace kernelect
