#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernelect/base/aligned.hpp"

using namespace kernelect;

TEST_CASE("buffers begin with a cache line and hold zeros, whoever had their memory before") {
    for (const std::size_t count : {1u, 100u, 8192u, 9000u, 100000u, 524288u, 524289u, 1000000u}) {
        CAPTURE(count);
        for (int turn = 0; turn < 3; ++turn) {
            SumBuffer buffer(count, 0.0);
            CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64 == 0);
            CHECK(std::all_of(buffer.begin(), buffer.end(), [](double x) { return x == 0.0; }));
            std::fill(buffer.begin(), buffer.end(), 7.0);
        }
    }
}

TEST_CASE("nobody is given memory that somebody has") {
    std::vector<SumBuffer> all;
    for (std::size_t k = 0; k < 12; ++k) {
        {
            const SumBuffer brief(40000 + k, -1.0);
        }
        all.emplace_back(40000 + 100 * k, static_cast<double>(k));
    }
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([t] {
            for (int turn = 0; turn < 200; ++turn) {
                SumBuffer mine(30000, static_cast<double>(t));
                std::fill(mine.begin() + 5, mine.end(), static_cast<double>(t));
                if (std::count(mine.begin(), mine.end(), static_cast<double>(t)) != 30000)
                    throw std::runtime_error("somebody else wrote here");
            }
        });
    for (auto& thread : threads) thread.join();
    for (std::size_t k = 0; k < all.size(); ++k)
        CHECK(std::count(all[k].begin(), all[k].end(), static_cast<double>(k)) ==
              static_cast<std::ptrdiff_t>(all[k].size()));
}

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("a large block that was given back serves the next call") {
    const double* first = nullptr;
    {
        const SumBuffer buffer(100000, 0.0);
        first = buffer.data();
    }
    {
        const SumBuffer again(99000, 0.0);
        CHECK(again.data() == first);
    }
    CHECK(drop_kept_lines());
    CHECK(!drop_kept_lines());
}
#endif
