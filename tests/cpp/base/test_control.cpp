#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "kernelect/base/control.hpp"

using namespace kernelect;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kBetween{50};  // ticks come no faster than this

// Long enough for the caller to be heard again.
void wait_for_a_tick() { std::this_thread::sleep_for(kBetween + std::chrono::milliseconds(5)); }

// Notes what it is told.
struct Listener {
    std::vector<double> fractions = {};
    Control::Tick tick() {
        return [this](double fraction) {
            fractions.push_back(fraction);
            return true;
        };
    }
};

}  // namespace

TEST_CASE("a control begins with its threads, and runs") {
    CHECK(Control().threads() == 1);
    CHECK(Control(3).threads() == 3);
    CHECK_FALSE(Control(3).stopped());
}

TEST_CASE("a control that nobody listens to counts and does not stop by itself") {
    Control control(2);
    control.begin(1.0);
    wait_for_a_tick();
    control.advance(5.0, true);
    control.poll();
    CHECK_FALSE(control.stopped());
}

TEST_CASE("the fraction is what was done of what was announced") {
    Listener listener;
    Control control(1, listener.tick());
    wait_for_a_tick();
    control.advance(3.0, true);  // nothing is announced yet
    control.begin(8.0);          // what was done before does not count
    wait_for_a_tick();
    control.poll();
    wait_for_a_tick();
    control.advance(2.0, true);
    control.advance(4.0, false);
    wait_for_a_tick();
    control.advance(0.0, true);
    control.begin(4.0);
    control.advance(1.0, false);
    wait_for_a_tick();
    control.poll();
    CHECK(listener.fractions == std::vector<double>{0.0, 0.0, 0.25, 0.75, 0.25});
}

TEST_CASE("units of all workers are added up") {
    for (const int threads : {1, 2, 3}) {
        Listener listener;
        Control control(threads, listener.tick());
        control.begin(4000.0 * threads);
        std::vector<std::thread> workers;
        for (int w = 0; w < threads; ++w)
            workers.emplace_back([&] {
                for (int k = 0; k < 1000; ++k) control.advance(1.0, false);
            });
        for (std::thread& worker : workers) worker.join();
        CHECK(listener.fractions.empty());  // workers do not call the caller
        wait_for_a_tick();
        control.poll();
        CHECK(listener.fractions == std::vector<double>{0.25});
    }
}

TEST_CASE("ticks keep their distance") {
    const auto begin = Clock::now();
    Listener listener;
    Control control(1, listener.tick());
    while (Clock::now() - begin < 4 * kBetween) control.poll();
    const auto past = Clock::now() - begin;
    CHECK(!listener.fractions.empty());
    CHECK(static_cast<int>(listener.fractions.size()) * kBetween <= past);
}

TEST_CASE("after a stop every worker leaves, and the caller is told nothing more") {
    Listener listener;
    Control control(2, listener.tick());
    control.stop();
    CHECK(control.stopped());
    wait_for_a_tick();
    control.poll();
    CHECK_THROWS_AS(control.advance(1.0, true), Cancelled);
    CHECK_THROWS_AS(control.advance(1.0, false), Cancelled);
    CHECK(listener.fractions.empty());
    control.begin(3.0);
    CHECK(control.stopped());  // a new step does not undo it
}

TEST_CASE("a caller who refuses stops the work at once") {
    int ticks = 0;
    Control control(2, [&](double) { return ++ticks < 2; });
    wait_for_a_tick();
    control.advance(1.0, true);
    CHECK_FALSE(control.stopped());
    wait_for_a_tick();
    CHECK_THROWS_AS(control.advance(1.0, true), Cancelled);
    CHECK(control.stopped());
    wait_for_a_tick();
    control.poll();
    CHECK(ticks == 2);
}

TEST_CASE("what the caller throws comes through as it is") {
    Control control(1, [](double) -> bool { throw std::out_of_range("enough"); });
    wait_for_a_tick();
    CHECK_THROWS_AS(control.poll(), std::out_of_range);
    wait_for_a_tick();
    CHECK_THROWS_AS(control.advance(1.0, true), std::out_of_range);
    control.advance(1.0, false);
}

TEST_CASE("a cancelled computation says so") {
    CHECK(std::string(Cancelled().what()) == "cancelled");
}
