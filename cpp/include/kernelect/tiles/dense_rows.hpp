#pragma once

#include <vector>

#include "kernelect/base/aligned.hpp"
#include "kernelect/base/digest.hpp"
#include "kernelect/tiles/tile.hpp"

namespace kernelect {

// Feature vectors, packed block by block for the inner loops.
class DenseRows {
  public:
    // Distances are taken from rows minus `centre`, where one is given.
    DenseRows(const ConstMatrixRef& x, const std::vector<Index>& order,
              const std::vector<Block>& blocks, const Vector& centre = {});
    // A centre for tables whose distances come out of products, |x|^2 + |x'|^2 - 2 x.x', and would
    // lose their digits far from the origin; empty where there is nothing to gain.
    static Vector useful_centre(const ConstMatrixRef& x);

    Index features() const { return features_; }
    const Vector& squared_norms() const { return plain_.norms; }
    const Vector& centre() const { return centre_; }
    void add_to(Digest& digest) const;

    // tile(i, j) of row i of block a and row j of block b of `other`; rows and columns beyond the
    // blocks hold anything.
    void dots(const Block& a, const DenseRows& other, const Block& b, Real* tile) const;
    void l1_distances(const Block& a, const DenseRows& other, const Block& b, Real* tile) const;
    // Returns bounds of the entries where they come for nothing.
    Range squared_distances(const Block& a, const DenseRows& other, const Block& b,
                            Real* tile) const;
    // |x - x'| of two rows, though its square may leave the range of doubles.
    double distance(const Block& a, Index i, const DenseRows& other, const Block& b, Index j) const;

  private:
    struct Packed {
        // Each block feature by feature, its rows beside one another and padded with zeros; last
        // the squared norms.
        Buffer entries;
        Vector norms;
    };

    template <class ValueAt>
    Packed pack(const std::vector<Index>& order, const std::vector<Block>& blocks,
                const ValueAt& value_at);
    // Whether distances to `other` may be taken from centred rows.
    bool shares_centre(const DenseRows& other) const {
        return centre_.size() > 0 && centre_.size() == other.centre_.size() &&
               centre_ == other.centre_;
    }
    const Real* at(const Packed& packed, const Block& block) const {
        return packed.entries.data() + offsets_[place(block.begin)];
    }
    Range distances_from_dots(const Block& a, const DenseRows& other, const Block& b,
                              Real* tile) const;
    double exact_distance(const Block& a, Index i, const DenseRows& other, const Block& b,
                          Index j) const;

    Index features_;
    std::vector<std::size_t> offsets_;  // of the block that starts at a row
    Vector centre_;
    Packed plain_, centred_;  // the second of the rows minus the centre; empty without one
};

}  // namespace kernelect
