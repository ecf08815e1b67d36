#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernelect/base/parallel.hpp"

using namespace kernelect;

TEST_CASE("every task runs once, on workers within range") {
    for (const int threads : {1, 2, 3, 8}) {
        for (const Index tasks : {0, 1, 2, 7, 1000}) {
            Control control(threads);
            std::vector<std::atomic<int>> runs(static_cast<std::size_t>(tasks));
            std::atomic<int> outside{0};
            parallel_tasks(tasks, control, [&](Index task, int worker) {
                ++runs[static_cast<std::size_t>(task)];
                if (worker < 0 || worker >= threads) ++outside;
            });
            for (const auto& count : runs) CHECK(count == 1);
            CHECK(outside == 0);
        }
    }
}

TEST_CASE("one thread takes the tasks in order, and is the caller") {
    Control control(1);
    std::vector<Index> order;
    const auto caller = std::this_thread::get_id();
    parallel_tasks(5, control, [&](Index task, int worker) {
        CHECK(worker == 0);
        CHECK(std::this_thread::get_id() == caller);
        order.push_back(task);
    });
    CHECK(order == std::vector<Index>{0, 1, 2, 3, 4});
}

TEST_CASE("the first exception stops the others and is rethrown") {
    for (const int threads : {1, 2, 4}) {
        Control control(threads);
        std::atomic<int> runs{0};
        bool caught = false;
        try {
            parallel_tasks(100000, control, [&](Index task, int) {
                ++runs;
                if (task == 17) throw std::domain_error("seventeen");
                if (control.stopped()) throw Cancelled();
            });
        } catch (const std::domain_error& error) {
            caught = std::string(error.what()) == "seventeen";
        }
        CHECK(caught);
        CHECK(runs < 100000);
    }
}

TEST_CASE("a stopped control cancels before any task") {
    for (const int threads : {1, 2}) {
        Control control(threads);
        control.stop();
        std::atomic<int> runs{0};
        CHECK_THROWS_AS(parallel_tasks(10, control, [&](Index, int) { ++runs; }), Cancelled);
        CHECK(runs == 0);
    }
}

namespace {

// Work that lasts until it is stopped.
void work_for_long(Control& control) {
    control.begin(1e9);
    parallel_tasks(1000000, control, [&](Index, int worker) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        control.advance(1.0, worker == 0);
    });
}

}  // namespace

TEST_CASE("the caller is heard: by a false return, or by an exception") {
    for (const int threads : {1, 2}) {
        int ticks = 0;
        Control refusing(threads, [&](double) { return ++ticks < 3; });
        CHECK_THROWS_AS(work_for_long(refusing), Cancelled);
        CHECK(ticks == 3);
        Control throwing(threads, [](double) -> bool { throw std::out_of_range("enough"); });
        CHECK_THROWS_AS(work_for_long(throwing), std::out_of_range);
    }
}

TEST_CASE("ticks come from the calling thread with fractions that rise") {
    const auto caller = std::this_thread::get_id();
    std::vector<double> fractions;
    bool elsewhere = false;
    Control control(2, [&](double fraction) {
        elsewhere |= std::this_thread::get_id() != caller;
        fractions.push_back(fraction);
        return true;
    });
    control.begin(300.0);
    parallel_tasks(300, control, [&](Index, int worker) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        control.advance(1.0, worker == 0);
    });
    CHECK(!elsewhere);
    REQUIRE(!fractions.empty());
    for (std::size_t k = 0; k < fractions.size(); ++k) {
        CHECK(fractions[k] > 0.0);
        CHECK(fractions[k] <= 1.0);
        if (k > 0) CHECK(fractions[k] >= fractions[k - 1]);
    }
}
