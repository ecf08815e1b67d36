#include <algorithm>

#include "kernelect/tiles/streams.hpp"
#include "tiles/tile_loops.hpp"

namespace kernelect {
namespace {

// One pass in which every kernel meets vectors of its own, `vectors[k]` those of candidate k, one
// per row. use(worker, lanes, weights, in, out, a, b, first) sums what it makes of them.
struct WeightedSums {
    LanePlan plan;
    LeafSums sums;

    Matrix rows(Index output) const {
        return lane_rows(sums, plan.first(output), plan.count(output));
    }
};
WeightedSums weighted_pass(const KernelSet& set, const std::vector<Matrix>& vectors,
                           Control& control, decltype(TileLoops::products) visit) {
    const Sample& sample = set.sample();
    // Equal candidates share an output; their vectors are equal too, and the last ones are taken.
    // Outputs that belong to no candidate are multiplied by zeros.
    std::vector<Index> lanes_of(place(set.outputs()), 1);
    std::vector<RealMatrix> weights(place(set.outputs()),
                                    RealMatrix::Zero(1, sample.size() + kStrip));
    for (Index k = 0; k < set.candidates(); ++k) {
        const std::size_t o = place(set.output_of(k));
        lanes_of[o] = vectors[place(k)].rows();
        weights[o] = with_room(vectors[place(k)]);
    }
    const LanePlan plan(lanes_of);
    // One leaf: what is summed here stays here.
    WeightedSums result{plan, LeafSums(0, 1, 0, sample.size(), plan.total())};
    const WeightedTiles pass{set, plan, weights,
                             *std::max_element(lanes_of.begin(), lanes_of.end()) > 1};
    run_tiles(
        sample, static_cast<Index>(sample.blocks().size()), plan.total(), control,
        [&](Index) -> LeafSums& { return result.sums; },
        [&](PanelWorker& worker, const Block& a, const Block& b) { visit(pass, worker, a, b); },
        [](Index) {});
    return result;
}

}  // namespace

std::vector<Matrix> stream_products(const KernelSet& set, const std::vector<Matrix>& vectors,
                                    Control& control) {
    const WeightedSums lanes = weighted_pass(set, vectors, control, tile_loops().products);
    std::vector<Matrix> result;
    for (Index k = 0; k < set.candidates(); ++k) {
        const Matrix& v = vectors[place(k)];
        const Index o = set.output_of(k);
        // K v = shift 1 (1'v) + sign E v
        Matrix product = set.sign(o) * lanes.rows(o);
        if (set.shift(o) != 0.0) product.colwise() += set.shift(o) * v.rowwise().sum();
        result.push_back(std::move(product));
    }
    return result;
}

std::vector<Vector> stream_quadratic_forms(const KernelSet& set, const std::vector<Matrix>& vectors,
                                           Control& control) {
    const WeightedSums lanes = weighted_pass(set, vectors, control, tile_loops().quadratic_forms);
    std::vector<Vector> result;
    for (Index k = 0; k < set.candidates(); ++k) {
        const Matrix& v = vectors[place(k)];
        const Index o = set.output_of(k);
        // v'Kv = shift (1'v)^2 + sign v'Ev; the entries of the lane add up to v'Ev
        const Vector forms = lanes.rows(o).rowwise().sum();
        const Vector totals = v.rowwise().sum();
        result.push_back(set.sign(o) * forms + set.shift(o) * totals.cwiseAbs2());
    }
    return result;
}

}  // namespace kernelect
