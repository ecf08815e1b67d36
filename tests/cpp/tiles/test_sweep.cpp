#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "kernelect/base/aligned.hpp"
#include "kernelect/tiles/sweep.hpp"

using namespace kernelect;

namespace {

constexpr std::size_t kCount = 3;

// What sweep::run makes of a tile: the kernels' sums over rows and columns, and the last kernel.
struct Swept {
    std::vector<double> rows[kCount], columns[kCount], last;
};

template <class First>
Swept swept(const std::vector<double>& entries, Index rows, Index width, const First& first) {
    Swept found;
    found.last.assign(place(kTileArea), 0.0);
    std::array<sweep::Sums, kCount> sums{};
    for (std::size_t k = 0; k < kCount; ++k) {
        found.rows[k].assign(place(kTile * kLanes), 0.0);
        found.columns[k].assign(place(kTile), 0.0);
        sums[k] = {found.rows[k].data(), found.columns[k].data(), nullptr};
    }
    sweep::run<false>(entries.data(), found.last.data(), rows, width, first,
                      std::array<sweep::Unit, kCount>{}, sums);
    return found;
}

// The same entry by entry, in the order in which every level adds up.
template <class First>
Swept one_by_one(std::vector<double> entries, Index rows, Index width, const First& first) {
    Swept found;
    const typename First::Next next{};
    for (std::size_t k = 0; k < kCount; ++k) {
        found.rows[k].assign(place(kTile * kLanes), 0.0);
        found.columns[k].assign(place(kTile), 0.0);
        for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < width; j += kStrip) {
                double* const at = &entries[place(i * kTile + j)];
                for (Index lane = 0; lane < kStrip; ++lane) {
                    const simd::Pack v = simd::set(at[lane]);
                    at[lane] = simd::least(k == 0 ? first(v) : next(v));
                    found.columns[k][place(j + lane)] += at[lane];
                }
                for (Index lane = 0; lane < kLanes; ++lane) {
                    const Index in_pack = lane % simd::kWidth, first_of_pack = lane - in_pack;
                    found.rows[k][place(first_of_pack * kTile + i * simd::kWidth + in_pack)] +=
                        at[lane] + at[lane + kLanes];
                }
            }
    }
    found.last.assign(place(kTileArea), 0.0);
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < width; ++j)
            found.last[place(i * kTile + j)] = entries[place(i * kTile + j)];
    return found;
}

template <class First>
void check(const First& first) {
    std::vector<double> entries(place(kTileArea));
    for (Index i = 0; i < kTileArea; ++i)
        entries[place(i)] = 0.5 / static_cast<double>(1 + i * 37 % 101);
    for (Index rows : {1, 2, 3, 4, 5, 7, 8, 63, 64})
        for (Index width : {Index{kStrip}, Index{3 * kStrip}, Index{kTile}}) {
            CAPTURE(rows);
            CAPTURE(width);
            const Swept fast = swept(entries, rows, width, first);
            const Swept slow = one_by_one(entries, rows, width, first);
            for (std::size_t k = 0; k < kCount; ++k) {
                CHECK(fast.rows[k] == slow.rows[k]);
                CHECK(fast.columns[k] == slow.columns[k]);
            }
            CHECK(fast.last == slow.last);
        }
}

}  // namespace

TEST_CASE("the running sums of a row are added in the same order on every level") {
    const double lanes[kLanes] = {1e16, 1.0, -1e16, 1.0, 3.0, 1e16, 1.0, -1e16};
    std::vector<double> rows(place(kTile * kLanes));
    for (Index lane = 0; lane < kLanes; ++lane)
        rows[place(lane / simd::kWidth * simd::kWidth * kTile + 5 * simd::kWidth +
                   lane % simd::kWidth)] = lanes[lane];
    CHECK(sweep::sum_of_row(rows.data(), 5) == ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
                                                   ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7])));
    double together[simd::kWidth];
    simd::store(together, sweep::sums_of_rows(rows.data(), 5 - 5 % simd::kWidth));
    for (Index r = 0; r < simd::kWidth; ++r)
        CHECK(together[r] == sweep::sum_of_row(rows.data(), 5 - 5 % simd::kWidth + r));
}

TEST_CASE("sums over a tile have the same bits, however many rows are taken at a time") {
    check(sweep::DoubleComplement{});
    check(sweep::Square{});
    check(sweep::SquareOfComplement{});
}
