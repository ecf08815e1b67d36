#include "kernelect/tiles/partial_sums.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace kernelect {

Leaves::Leaves(const Sample& sample) {
    const std::vector<Block>& blocks = sample.blocks();
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        // Aligned to rows of the sample; a block belongs to the leaf in which it begins.
        const Index leaf = blocks[b].begin / kLeafRows;
        if (leaf_of_.empty() || leaf != blocks[b - 1].begin / kLeafRows) {
            first_block_.push_back(static_cast<Index>(b));
            first_row_.push_back(blocks[b].begin);
        }
        leaf_of_.push_back(static_cast<Index>(first_block_.size()) - 1);
    }
    first_block_.push_back(static_cast<Index>(blocks.size()));
    first_row_.push_back(sample.size());
}

Panels Leaves::panels(Index first, Index last) const {
    if (first < 0 || first >= last || last > count())
        throw std::invalid_argument("a range of leaves from " + std::to_string(first) +
                                    " to before " + std::to_string(last) + ", there are " +
                                    std::to_string(count()));
    return {first_block_[place(first)], first_block_[place(last)], first_block_.back()};
}

double Leaves::most_copies() const {
    double most = 0.0;
    for (Index leaf = 0; leaf < count(); ++leaf) {
        // What waits to be added up when this leaf is done: one node for every bit of its number.
        double rows = 0.0;
        Index first = 0;
        for (Index size = Index{1} << 40; size > 0; size /= 2)
            if (leaf & size) {
                rows += static_cast<double>(first_row_.back() - first_row(first));
                first += size;
            }
        rows += static_cast<double>(first_row_.back() - first_row(leaf));
        // With several threads the next leaf has begun.
        if (leaf + 1 < count())
            rows += static_cast<double>(first_row_.back() - first_row(leaf + 1));
        most = std::max(most, rows);
    }
    return most / static_cast<double>(std::max<Index>(1, first_row_.back()));
}

PartialSums::PartialSums(const Sample& sample, Index lanes, std::uint64_t identity)
    : identity_(identity), rows_(sample.size()), lanes_(lanes), leaves_(Leaves(sample).count()) {}

PartialSums::PartialSums(std::uint64_t identity, Index rows, Index lanes, Index leaves,
                         std::vector<LeafSums> parts)
    : identity_(identity), rows_(rows), lanes_(lanes), leaves_(leaves) {
    if (rows < 1 || lanes < 0 || leaves < 1 || leaves > rows)
        throw std::invalid_argument("sums of leaves that are of no pass");
    for (LeafSums& part : parts) add(std::move(part));
}

bool PartialSums::is_node(Index first, Index last) const {
    if (first < 0 || first >= last || last > leaves_) return false;
    Index size = 1;
    while (size < last - first) size *= 2;
    return first % size == 0 && last == std::min(first + size, leaves_);
}

bool PartialSums::are_siblings(const LeafSums& left, const LeafSums& right) const {
    Index size = 1;
    while (size < left.last - left.first) size *= 2;
    return left.last == right.first && left.first % (2 * size) == 0 &&
           right.last == std::min(left.first + 2 * size, leaves_);
}

void PartialSums::add(LeafSums part) {
    if (!is_node(part.first, part.last) || part.begin < 0 || part.begin + part.rows != rows_ ||
        part.sums.size() != place(lanes_ * part.rows) || (part.first == 0 && part.begin != 0))
        throw std::invalid_argument("sums of leaves that do not fit to those of this pass");
    const auto next = std::find_if(parts_.begin(), parts_.end(), [&](const LeafSums& known) {
        return known.first >= part.first;
    });
    if ((next != parts_.end() && next->first < part.last) ||
        (next != parts_.begin() && std::prev(next)->last > part.first))
        throw std::invalid_argument("leaf " + std::to_string(part.first) +
                                    " is in the sums already: every leaf counts once");
    // Later leaves begin at no earlier rows, and are added into what earlier ones have of those.
    if ((next != parts_.end() && next->begin < part.begin) ||
        (next != parts_.begin() && std::prev(next)->begin > part.begin))
        throw std::invalid_argument("sums of leaves that begin at the wrong row");
    parts_.insert(next, std::move(part));
    fold();
}

void PartialSums::fold() {
    for (std::size_t k = 0; k + 1 < parts_.size();) {
        LeafSums &left = parts_[k], &right = parts_[k + 1];
        if (!are_siblings(left, right)) {
            ++k;
            continue;
        }
        const Index before = right.begin - left.begin;
        for (Index lane = 0; lane < lanes_; ++lane) {
            double* to = left.lane(lane) + before;
            const double* from = right.lane(lane);
            for (Index r = 0; r < right.rows; ++r) to[r] += from[r];
        }
        left.last = right.last;
        parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(k) + 1);
        k = 0;  // the sum may be half of a larger one
    }
}

void PartialSums::merge(PartialSums other) {
    if (other.identity_ != identity_ || other.rows_ != rows_ || other.lanes_ != lanes_ ||
        other.leaves_ != leaves_)
        throw std::invalid_argument(
            "sums of another sample, target or set of kernels cannot be added to these");
    // All or nothing: these stay as they are if a leaf is there twice.
    for (const LeafSums& part : other.parts_)
        for (const LeafSums& known : parts_)
            if (part.first < known.last && known.first < part.last)
                throw std::invalid_argument("leaf " +
                                            std::to_string(std::max(part.first, known.first)) +
                                            " is in both sums: every leaf counts once");
    for (LeafSums& part : other.parts_) add(std::move(part));
}

const LeafSums& PartialSums::whole() const {
    if (!complete()) {
        Index missing = 0;
        for (const LeafSums& part : parts_)
            if (part.first == missing) missing = part.last;
        throw std::invalid_argument("the sums lack leaf " + std::to_string(missing) + " of " +
                                    std::to_string(leaves_));
    }
    return parts_[0];
}

}  // namespace kernelect
