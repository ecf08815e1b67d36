#pragma once

#include <cstdint>
#include <vector>

#include "kernelect/base/aligned.hpp"
#include "kernelect/tiles/sample.hpp"
#include "kernelect/tiles/schedule.hpp"

namespace kernelect {

// The panels of a sample in groups ("leaves") of about kLeafRows rows: the smallest part that a
// streaming pass can be asked for. A function of the sample alone.
class Leaves {
  public:
    static constexpr Index kLeafRows = 4096;

    explicit Leaves(const Sample& sample);

    Index count() const { return static_cast<Index>(first_block_.size()) - 1; }
    Index of_block(Index block) const { return leaf_of_[place(block)]; }
    Index blocks_in(Index leaf) const {
        return first_block_[place(leaf + 1)] - first_block_[place(leaf)];
    }
    // The first row that the tiles of a leaf reach; the last is that of the sample.
    Index first_row(Index leaf) const { return first_row_[place(leaf)]; }
    // Throws std::invalid_argument for a range that is empty or not there.
    Panels panels(Index first, Index last) const;

    // How many copies of all lanes a pass over everything holds at most.
    double most_copies() const;

  private:
    std::vector<Index> first_block_, first_row_, leaf_of_;
};

// Sums of vectors ("lanes") over the tiles of the leaves from `first` to before `last`: of each
// lane the rows from `begin` on, where those tiles lie.
struct LeafSums {
    LeafSums(Index from, Index to, Index first_row, Index all_rows, Index lanes)
        : first(from),
          last(to),
          begin(first_row),
          rows(all_rows - first_row),
          sums(place(lanes * rows), 0.0) {}

    double* lane(Index k) { return sums.data() + k * rows; }
    const double* lane(Index k) const { return sums.data() + k * rows; }

    Index first, last;
    Index begin, rows;
    SumBuffer sums;
};

// What a pass over some of the leaves has summed, to be put together with the rest. Leaves are
// added up along a binary tree over all of them, so the result is the same to the last bit however
// they were divided and in whatever order they arrive; what can be added is added at once.
class PartialSums {
  public:
    // `identity` says of which pass the sums are; those of another are refused.
    PartialSums(const Sample& sample, Index lanes, std::uint64_t identity);
    // From plain numbers, as parts() has them. Throws std::invalid_argument if they do not fit.
    PartialSums(std::uint64_t identity, Index rows, Index lanes, Index leaves,
                std::vector<LeafSums> parts);

    std::uint64_t identity() const { return identity_; }
    Index rows() const { return rows_; }
    Index lanes() const { return lanes_; }
    Index leaves() const { return leaves_; }
    const std::vector<LeafSums>& parts() const { return parts_; }

    // Throws std::invalid_argument if some of the leaves are here already.
    void add(LeafSums part);
    void merge(PartialSums other);

    bool complete() const {
        return parts_.size() == 1 && parts_[0].first == 0 && parts_[0].last == leaves_;
    }
    // The sums over all tiles; throws std::invalid_argument unless complete.
    const LeafSums& whole() const;

  private:
    bool are_siblings(const LeafSums& left, const LeafSums& right) const;
    bool is_node(Index first, Index last) const;
    void fold();

    std::uint64_t identity_;
    Index rows_, lanes_, leaves_;
    std::vector<LeafSums> parts_;  // in ascending order of leaves
};

}  // namespace kernelect
