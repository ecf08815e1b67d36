#pragma once

#include "kernelect/base/team.hpp"
#include "kernelect/tiles/tile_values.hpp"

namespace kernelect {

// out(i, j) = k(left row i, right row j) for tables in the caller's order, cut into `left_blocks`
// and `right_blocks`. Symmetric when both are the same tables.
void gram(const Program& program, const std::vector<Rows>& left,
          const std::vector<Block>& left_blocks, const std::vector<Rows>& right,
          const std::vector<Block>& right_blocks, MatrixRef out, Control& control);

// The same as a part of other work, which shows its own progress. Returns whether all entries are
// finite: that is seen at no cost while a tile is at hand.
bool gram(const Program& program, const std::vector<Rows>& left,
          const std::vector<Block>& left_blocks, const std::vector<Rows>& right,
          const std::vector<Block>& right_blocks, MatrixRef out, const Team& team);

}  // namespace kernelect
