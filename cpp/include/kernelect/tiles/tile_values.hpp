#pragma once

#include <deque>
#include <vector>

#include "kernelect/tiles/operations.hpp"
#include "kernelect/tiles/rows.hpp"

namespace kernelect {

// k(x, x) for every row of the given tables.
Vector diagonal(const Program& program, const std::vector<Rows>& tables, Index rows);

// A kernel ready to be evaluated tile by tile: the scales that `normalize` needs are at hand.
struct PreparedProgram {
    Program program;
    std::vector<Vector> left_scales, right_scales;  // 1/sqrt(k(x,x)), one pair per `normalize`
};
PreparedProgram prepare(const Program& program, const std::vector<Rows>& left, Index left_rows,
                        const std::vector<Rows>& right, Index right_rows);

// Works on one tile at a time and keeps its base tiles, so that kernels of the same base share
// them. One per thread.
class TileValues {
  public:
    // The tables must outlive this.
    TileValues(const std::vector<Rows>& left, const std::vector<Rows>& right)
        : left_(left), right_(right) {}
    TileValues(std::vector<Rows>&& left, const std::vector<Rows>& right) = delete;
    TileValues(const std::vector<Rows>& left, std::vector<Rows>&& right) = delete;

    void start(const Block& a, const Block& b);
    // A base tile, computed at the first request; columns past b.size are unspecified. Writable, so
    // that a caller may set those. The range may be unknown.
    struct BaseTile {
        Real* entries;
        Range range;
    };
    BaseTile base(Base base, int source);
    // The kernel on the tile. Padding columns come out as zero.
    void evaluate(const PreparedProgram& kernel, Real* out);
    // 1 - K on the tile, accurate relative to itself, for a leaf whose operation has a complement.
    void evaluate_complement(const Node& leaf, Real* out);

  private:
    struct Cached {
        Base base;
        int source;
        bool fresh;
        Range range;
        Buffer tile;
    };

    LeafTile leaf_tile(const Node& node, Real* out);
    void clear_padding(Real* out) const;

    const std::vector<Rows>& left_;
    const std::vector<Rows>& right_;
    Block a_, b_;
    std::deque<Cached> cache_;
    std::vector<Buffer> stack_;
    std::vector<Real> scratch_;
};

}  // namespace kernelect
