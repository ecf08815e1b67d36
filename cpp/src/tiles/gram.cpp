#include "kernelect/tiles/gram.hpp"

#include <stdexcept>

#include "kernelect/tiles/schedule.hpp"

namespace kernelect {

void gram(const Program& program, const std::vector<Rows>& left,
          const std::vector<Block>& left_blocks, const std::vector<Rows>& right,
          const std::vector<Block>& right_blocks, MatrixRef out, Control& control) {
    check_program(program, left.size());
    const bool symmetric = &left == &right;
    const PreparedProgram kernel = prepare(program, left, out.rows(), right, out.cols());
    const Index panels = static_cast<Index>(left_blocks.size());
    const double columns = static_cast<double>(right_blocks.size());
    control.begin(symmetric ? tile_count(panels) : static_cast<double>(panels) * columns);
    parallel_tasks(panels, control, [&](Index panel, int worker) {
        TileValues values(left, right);
        std::vector<Real> tile(kTileArea);
        const Block& a = left_blocks[place(panel)];
        const std::size_t first = symmetric ? place(panel) : 0;
        for (std::size_t j = first; j < right_blocks.size(); ++j) {
            const Block& b = right_blocks[j];
            values.start(a, b);
            values.evaluate(kernel, tile.data());
            for (Index r = 0; r < a.size; ++r)
                for (Index c = 0; c < b.size; ++c)
                    out(a.begin + r, b.begin + c) = tile[place(r * kTile + c)];
            if (symmetric && j != first)
                for (Index c = 0; c < b.size; ++c)
                    for (Index r = 0; r < a.size; ++r)
                        out(b.begin + c, a.begin + r) = tile[place(r * kTile + c)];
            control.advance(1.0, worker == 0);
        }
    });
}

}  // namespace kernelect
