#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "kernelect/tiles/schedule.hpp"

using namespace kernelect;

namespace {

struct Event {
    char what;
    Index i, j;
};

// What happened, in the order in which it became visible.
std::vector<Event> record(Index blocks, int threads) {
    Control control(threads);
    std::vector<Event> events;
    std::mutex mutex;
    const auto note = [&](char what, Index i, Index j) {
        const std::scoped_lock lock(mutex);
        events.push_back({what, i, j});
    };
    symmetric_tiles(
        blocks, control, [&](int, Index i) { note('o', i, i); },
        [&](int, Index i, Index j) { note('t', i, j); },
        [&](int, Index i, Index j) { note('c', i, j); }, [&](int, Index i) { note('e', i, i); });
    return events;
}

}  // namespace

TEST_CASE("tiles on and above the diagonal, each once; commits in ascending order") {
    for (const int threads : {1, 2, 3, 7}) {
        for (const Index blocks : {0, 1, 2, 5, 23}) {
            std::map<std::pair<Index, Index>, int> computed, committed;
            std::vector<Index> commits(static_cast<std::size_t>(blocks), 0);
            std::vector<bool> opened(static_cast<std::size_t>(blocks)),
                closed(static_cast<std::size_t>(blocks));
            for (const Event& event : record(blocks, threads)) {
                const std::size_t i = static_cast<std::size_t>(event.i);
                const std::size_t j = static_cast<std::size_t>(event.j);
                if (event.what == 'o') {
                    CHECK(!opened[i]);
                    opened[i] = true;
                } else if (event.what == 't') {
                    CHECK(opened[i]);
                    CHECK(event.i <= event.j);
                    CHECK(++computed[{event.i, event.j}] == 1);
                } else if (event.what == 'c') {
                    CHECK(computed.count({event.i, event.j}) == 1);
                    CHECK(commits[j] == event.i);  // all earlier panels came before
                    ++commits[j];
                    CHECK(++committed[{event.i, event.j}] == 1);
                } else {
                    CHECK(commits[i] == event.i);  // nothing is added to this block any more
                    closed[i] = true;
                }
            }
            CHECK(static_cast<double>(computed.size()) == tile_count(blocks));
            CHECK(computed.size() - committed.size() == static_cast<std::size_t>(blocks));
            for (const bool done : closed) CHECK(done);
        }
    }
}

TEST_CASE("an exception anywhere ends all panels, and nobody waits for ever") {
    for (const int threads : {1, 2, 4}) {
        for (const char where : {'o', 't', 'c', 'e'}) {
            for (const Index place : {0, 3, 11}) {
                Control control(threads);
                const auto fail = [&](char what, Index i) {
                    if (what == where && i == place) throw std::domain_error("here");
                };
                bool caught = false;
                try {
                    symmetric_tiles(
                        Index{13}, control, [&](int, Index i) { fail('o', i); },
                        [&](int, Index i, Index) { fail('t', i); },
                        [&](int, Index i, Index) { fail('c', i); },
                        [&](int, Index i) { fail('e', i); });
                } catch (const std::domain_error&) {
                    caught = true;
                }
                CHECK(caught);
                CHECK(control.stopped());
            }
        }
    }
}

TEST_CASE("progress adds up to the number of tiles") {
    for (const int threads : {1, 3}) {
        std::atomic<int> tiles{0};
        Control control(threads);
        control.begin(tile_count(9));
        symmetric_tiles(
            Index{9}, control, [](int, Index) {}, [&](int, Index, Index) { ++tiles; },
            [](int, Index, Index) {}, [](int, Index) {});
        CHECK(tiles == 45);
        CHECK(tile_count(9) == 45.0);
    }
}
