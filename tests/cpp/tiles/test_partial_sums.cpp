#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "explicit_kernels.hpp"
#include "kernelect/tiles/streams.hpp"

using namespace kernelect;
using namespace explicit_kernels;

namespace {

using LeafRange = std::pair<Index, Index>;

const std::vector<Program> kPrograms = {gaussian(0.001), gaussian(2.0),
                                        leaf(Op::rational_quadratic, 0.5, 1.0)};

PartialSums part(const KernelSet& set, const SumsRequest& request, LeafRange range, int threads) {
    Control control(threads);
    return stream_partial_sums(set, request, range.first, range.second, control);
}

std::vector<KernelSums> finished(const KernelSet& set, const SumsRequest& request,
                                 const PartialSums& sums) {
    std::vector<KernelSums> all(place(set.candidates()));
    Control control(2);
    finish_sums(set, request, sums, control,
                [&](Index k, KernelSums its) { all[place(k)] = std::move(its); });
    return all;
}

void check_equal(const std::vector<KernelSums>& found, const std::vector<KernelSums>& wanted) {
    REQUIRE(found.size() == wanted.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        CHECK(found[k].by_class == wanted[k].by_class);
        CHECK(found[k].products == wanted[k].products);
        CHECK(found[k].row_squares == wanted[k].row_squares);
        CHECK(found[k].square_sum == wanted[k].square_sum);
    }
}

// Sums with nothing in them but their leaves: enough to see what is folded.
LeafSums hollow(Index first, Index last, Index rows) { return {first, last, 0, rows, 1}; }

}  // namespace

TEST_CASE("leaves cut a sample by its rows alone") {
    for (const std::vector<int>& sizes : {std::vector<int>{1, 1}, {4096}, {2000, 2096}}) {
        const Setting setting(sizes, 2);
        CHECK(Leaves(setting.sample).count() == 1);
        CHECK(Leaves(setting.sample).most_copies() == 1.0);
    }
    const Setting setting({5000, 4000}, 2);
    const Leaves leaves(setting.sample);
    const Index blocks = static_cast<Index>(setting.sample.blocks().size());
    CHECK(leaves.count() == 3);
    CHECK(leaves.panels(0, 3).first == 0);
    CHECK(leaves.panels(0, 3).last == blocks);
    Index covered = 0;
    for (Index leaf = 0; leaf < 3; ++leaf) {
        const Panels panels = leaves.panels(leaf, leaf + 1);
        CHECK(panels.first == covered);
        CHECK(panels.blocks == blocks);
        CHECK(leaves.blocks_in(leaf) == panels.last - panels.first);
        for (Index b = panels.first; b < panels.last; ++b) CHECK(leaves.of_block(b) == leaf);
        CHECK(leaves.first_row(leaf) == setting.sample.blocks()[place(panels.first)].begin);
        covered = panels.last;
    }
    CHECK(covered == blocks);
    for (const LeafRange& range : {LeafRange{0, 0}, {2, 1}, {-1, 2}, {0, 4}})
        CHECK_THROWS_AS(leaves.panels(range.first, range.second), std::invalid_argument);
    CHECK(leaves.most_copies() > 1.5);
    CHECK(leaves.most_copies() < 2.5);
}

TEST_CASE("any ranges, in any order, by any threads: the bits of one pass") {
    const Setting setting({5000, 4000}, 2);
    const Index n = setting.sample.size();
    // Without vectors chains are summed four at a time, with them one at a time.
    for (const Index vectors : {0, 1}) {
        const KernelSet set(setting.sample, kPrograms, true, Tails::rounded);
        const SumsRequest request{noise(vectors, n, 5), true};
        Control control(2);
        const auto wanted = stream_sums(set, request, control);
        std::vector<std::vector<LeafRange>> divisions = {{{0, 3}}, {{0, 1}, {1, 2}, {2, 3}}};
        if (vectors == 0) {
            divisions.push_back({{1, 3}, {0, 1}});
            divisions.push_back({{2, 3}, {0, 2}});
            divisions.push_back({{2, 3}, {1, 2}, {0, 1}});
        }
        for (const auto& ranges : divisions) {
            PartialSums sums = part(set, request, ranges[0], 1);
            for (std::size_t k = 1; k < ranges.size(); ++k) {
                CHECK(!sums.complete());
                CHECK_THROWS_AS(finished(set, request, sums), std::invalid_argument);
                sums.merge(part(set, request, ranges[k], 1 + static_cast<int>(k) % 2));
            }
            CHECK(sums.complete());
            check_equal(finished(set, request, sums), wanted);
        }
    }
}

TEST_CASE("sums that do not belong together are refused") {
    const Setting setting({60, 40}, 2);
    const SumsRequest request{Matrix(0, 100), true};
    const KernelSet set(setting.sample, kPrograms, true);
    PartialSums sums = part(set, request, {0, 1}, 1);
    CHECK_THROWS_AS(sums.merge(sums), std::invalid_argument);
    CHECK_THROWS_AS(part(set, request, {0, 2}, 1), std::invalid_argument);

    Sample other(mixed_groups({60, 40}), 2);
    other.add_dense(noise(100, 2, 8));
    const KernelSet other_rows(other, kPrograms, true);
    const KernelSet other_kernels(setting.sample, {gaussian(0.001), gaussian(2.0), gaussian(3.0)},
                                  true);
    PartialSums empty(setting.sample, sums.lanes(), sums.identity());
    for (const KernelSet* wrong : {&other_rows, &other_kernels}) {
        CHECK_THROWS_AS(empty.merge(part(*wrong, request, {0, 1}, 1)), std::invalid_argument);
        CHECK_THROWS_AS(finished(*wrong, request, sums), std::invalid_argument);
    }
    CHECK_THROWS_AS(finished(set, {noise(1, 100), true}, sums), std::invalid_argument);
    empty.merge(sums);
    CHECK(empty.complete());
}

TEST_CASE("leaves are folded along one tree, as early as can be") {
    const Index rows = 8;
    std::vector<Index> order = {0, 1, 2, 3, 4, 5, 6};
    do {
        PartialSums sums(1, rows, 1, 7, {});
        for (const Index leaf : order) {
            LeafSums own = hollow(leaf, leaf + 1, rows);
            // Powers that make every order of additions but one give other bits.
            std::fill(own.sums.begin(), own.sums.end(), 0.1 * static_cast<double>(leaf + 1));
            sums.add(std::move(own));
        }
        REQUIRE(sums.complete());
        const auto v = [](int leaf) { return 0.1 * (leaf + 1.0); };
        const double wanted = ((v(0) + v(1)) + (v(2) + v(3))) + ((v(4) + v(5)) + v(6));
        CHECK(sums.whole().sums[3] == wanted);
    } while (std::next_permutation(order.begin(), order.begin() + 4));

    PartialSums sums(1, rows, 1, 7, {});
    for (const Index leaf : {0, 1, 2, 3, 4, 5}) sums.add(hollow(leaf, leaf + 1, rows));
    CHECK(sums.parts().size() == 2);  // four and two
    sums.add(hollow(6, 7, rows));
    CHECK(sums.parts().size() == 1);

    PartialSums some(1, rows, 1, 7, {});
    some.add(hollow(1, 2, rows));
    some.add(hollow(2, 3, rows));
    CHECK(some.parts().size() == 2);  // neighbours, but no brothers
    for (const LeafRange& wrong : {LeafRange{1, 2}, {1, 3}, {3, 5}, {0, 3}, {0, 4}, {0, 8}, {5, 5}})
        CHECK_THROWS_AS(some.add(hollow(wrong.first, wrong.second, rows)), std::invalid_argument);
    CHECK_THROWS_AS(some.add(LeafSums(3, 4, 1, rows + 1, 2)), std::invalid_argument);
    CHECK_THROWS_AS(some.add(LeafSums(3, 4, 0, rows + 1, 1)), std::invalid_argument);
    CHECK(some.parts().size() == 2);
}
