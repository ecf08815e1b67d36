#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "explicit_kernels.hpp"
#include "kernelect/tiles/tile_values.hpp"

using namespace kernelect;
using namespace explicit_kernels;

namespace {

struct Preparation : Setting {
    Preparation() : Setting({70}, 3) {}
    const std::vector<Rows>& tables() const { return sample.sources(); }
    PreparedProgram prepared(const Program& program) const {
        return prepare(program, tables(), 70, tables(), 70);
    }
};

// An expression of every role: the normalised sum of a scaled polynomial and a product.
Program expression() {
    const Program scaled = then(leaf(Op::polynomial, 0.5, 1.0, 3), Op::scale, 2.5);
    const Program product = joined(gaussian(0.3), leaf(Op::linear), Op::product);
    return then(joined(scaled, product, Op::sum), Op::normalize);
}

}  // namespace

TEST_CASE("a tile has the kernel on its rows and columns, and zeros beside them") {
    const Preparation setting;
    const std::vector<Block>& blocks = setting.sample.blocks();
    REQUIRE(blocks.size() == 2);
    TileValues values(setting.tables(), setting.tables());
    for (const Program& program : {gaussian(0.7), expression(), leaf(Op::constant, 3.0)}) {
        const PreparedProgram kernel = setting.prepared(program);
        for (const Block& a : blocks)
            for (const Block& b : blocks) {
                Buffer tile(kTileArea, -1.0);
                values.start(a, b);
                values.evaluate(kernel, tile.data());
                double worst = 0.0;
                for (Index i = 0; i < a.size; ++i) {
                    for (Index j = 0; j < b.size; ++j)
                        worst =
                            std::max(worst, relative_error(tile[place(i * kTile + j)],
                                                           entry(program, setting.x, a.begin + i,
                                                                 setting.x, b.begin + j),
                                                           1e-3L));
                    for (Index j = b.size; j < padded(b.size); ++j)
                        CHECK(tile[place(i * kTile + j)] == 0.0);
                }
                CHECK(worst < 1e-12);
            }
    }
}

TEST_CASE("kernels of one base share its tile, until another tile is started") {
    const Preparation setting;
    const Block &a = setting.sample.blocks()[0], &b = setting.sample.blocks()[1];
    TileValues values(setting.tables(), setting.tables());
    values.start(a, b);
    const TileValues::BaseTile first = values.base(Base::squared_distance, 0);
    CHECK(values.base(Base::squared_distance, 0).entries == first.entries);
    CHECK(values.base(Base::l1_distance, 0).entries != first.entries);
    const double across = first.entries[0];
    first.entries[0] = 1e9;  // still there: nothing is computed twice
    CHECK(values.base(Base::squared_distance, 0).entries[0] == 1e9);
    values.start(a, a);
    CHECK(values.base(Base::squared_distance, 0).entries[0] == 0.0);
    values.start(a, b);
    CHECK(values.base(Base::squared_distance, 0).entries[0] == across);
}

TEST_CASE("complements have no padding either, and are right relative to themselves") {
    const Preparation setting;
    const Block& b = setting.sample.blocks()[1];
    TileValues values(setting.tables(), setting.tables());
    for (const Op op : {Op::matern32, Op::matern52, Op::rational_quadratic, Op::periodic}) {
        const Node node{op, 1e-6, 5.0, 0, 0};
        Buffer tile(kTileArea, -1.0);
        values.start(b, b);
        values.evaluate_complement(node, tile.data());
        double worst = 0.0;
        for (Index i = 0; i < b.size; ++i) {
            for (Index j = 0; j < b.size; ++j)
                worst = std::max(worst, relative_error(tile[place(i * kTile + j)],
                                                       complement({node}, setting.x, b.begin + i,
                                                                  setting.x, b.begin + j),
                                                       1e-300L));
            for (Index j = b.size; j < padded(b.size); ++j)
                CHECK(tile[place(i * kTile + j)] == 0.0);
        }
        CHECK(worst < 1e-11);  // of distances from differences
    }
}

TEST_CASE("diagonals of every role") {
    const Preparation setting;
    for (const Program& program :
         {gaussian(0.7), leaf(Op::linear), leaf(Op::constant, 3.0),
          leaf(Op::polynomial, 0.5, 1.0, 3), expression(),
          joined(leaf(Op::linear), leaf(Op::constant, 2.0), Op::product)}) {
        const Vector d = diagonal(program, setting.tables(), 70);
        for (Index i = 0; i < 70; ++i)
            CHECK(relative_error(d(i), entry(program, setting.x, i, setting.x, i)) < 1e-12);
    }
    // A row on which the kernel vanishes has no direction; it stays zero.
    Matrix x = setting.x;
    x.row(3).setZero();
    Sample sample(std::vector<int>(70, 0), 1);
    sample.add_dense(x);
    const Program normalized = then(leaf(Op::linear), Op::normalize);
    const Vector d = diagonal(normalized, sample.sources(), 70);
    CHECK(d(3) == 0.0);
    CHECK(d(4) == 1.0);
    const PreparedProgram kernel = prepare(normalized, sample.sources(), 70, sample.sources(), 70);
    CHECK(kernel.left_scales[0](3) == 0.0);
    CHECK(kernel.right_scales[0] == kernel.left_scales[0]);
}
