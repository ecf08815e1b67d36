#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernelect/base/team.hpp"

using namespace kernelect;

namespace {

// Longer than the time between two ticks of a control.
void work_for_a_while() { std::this_thread::sleep_for(std::chrono::milliseconds(55)); }

// Between this many tasks of a moment each even a thread that is kept waiting is heard.
constexpr Index kMany = 20000;
void work_for_a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

// Sums of which the order of adding up changes the last digits.
double sum_of(Index task) {
    double sum = 0.0;
    for (int k = 1; k < 50; ++k) sum += std::sin(static_cast<double>(task * k) + 0.1) / k;
    return sum;
}

}  // namespace

TEST_CASE("a team by itself is the calling thread, takes tasks in order and hears nobody") {
    const Team team;
    CHECK_FALSE(team.listens());
    team.pause();
    const auto caller = std::this_thread::get_id();
    for (const Index tasks : {0, 1, 2, 65}) {
        std::vector<Index> order, wanted;
        bool elsewhere = false;
        team.run(tasks, [&](Index task) {
            elsewhere |= std::this_thread::get_id() != caller;
            order.push_back(task);
        });
        for (Index task = 0; task < tasks; ++task) wanted.push_back(task);
        CHECK(order == wanted);
        CHECK_FALSE(elsewhere);
    }
}

TEST_CASE("every task runs once, with the bits of a plain loop") {
    for (const int threads : {-1, 0, 1, 2, 3})
        for (const bool caller : {true, false})
            for (const Index tasks : {0, 1, 2, 3, 4, 200}) {
                CAPTURE(threads);
                CAPTURE(tasks);
                Control control(3);
                const Team team(control, threads, caller);
                CHECK(team.listens());
                std::vector<std::atomic<int>> runs(place(tasks));
                std::vector<double> sums(place(tasks));
                team.run(tasks, [&](Index task) {
                    ++runs[place(task)];
                    sums[place(task)] = sum_of(task);
                });
                bool alike = true;
                for (Index task = 0; task < tasks; ++task)
                    alike &= runs[place(task)] == 1 && sums[place(task)] == sum_of(task);
                CHECK(alike);
            }
}

TEST_CASE("a team of one with a control keeps to the calling thread and the order") {
    Control control(4);
    std::vector<Index> order;
    const auto caller = std::this_thread::get_id();
    bool elsewhere = false;
    Team(control, 1, true).run(5, [&](Index task) {
        elsewhere |= std::this_thread::get_id() != caller;
        order.push_back(task);
    });
    CHECK(order == std::vector<Index>{0, 1, 2, 3, 4});
    CHECK_FALSE(elsewhere);
}

TEST_CASE("what a task throws stops the others and comes back") {
    for (const int threads : {1, 2, 3}) {
        Control control(threads);
        std::atomic<int> runs{0};
        CHECK_THROWS_AS(Team(control, threads, true)
                            .run(kMany,
                                 [&](Index task) {
                                     ++runs;
                                     if (task == 5) throw std::domain_error("five");
                                     work_for_a_moment();
                                 }),
                        std::domain_error);
        CHECK(runs >= 6);
        CHECK(runs < kMany);
    }
    int runs = 0;
    CHECK_THROWS_AS(Team().run(9,
                               [&](Index task) {
                                   ++runs;
                                   if (task == 5) throw std::domain_error("five");
                               }),
                    std::domain_error);
    CHECK(runs == 6);
}

TEST_CASE("a stopped control ends the work, at a pause as well") {
    for (const int threads : {1, 2, 3})
        for (const bool caller : {true, false}) {
            Control control(threads);
            const Team team(control, threads, caller);
            std::atomic<int> runs{0};
            CHECK_THROWS_AS(team.run(kMany,
                                     [&](Index) {
                                         if (++runs == 4) control.stop();
                                         work_for_a_moment();
                                     }),
                            Cancelled);
            CHECK(runs >= 4);
            CHECK(runs < kMany);
            if (threads == 1) CHECK(runs == 4);
            CHECK_THROWS_AS(team.pause(), Cancelled);
        }
}

TEST_CASE("the caller is heard between tasks, on its own thread") {
    const auto caller = std::this_thread::get_id();
    for (const int threads : {1, 2}) {
        int ticks = 0;
        bool elsewhere = false;
        Control control(threads, [&](double) {
            elsewhere |= std::this_thread::get_id() != caller;
            return ++ticks < 2;
        });
        const Team team(control, threads, true);
        work_for_a_while();
        team.pause();
        CHECK(ticks == 1);
        CHECK_THROWS_AS(team.run(1000, [](Index) { work_for_a_while(); }), Cancelled);
        CHECK(ticks == 2);
        CHECK_FALSE(elsewhere);

        Control throwing(threads, [](double) -> bool { throw std::out_of_range("enough"); });
        CHECK_THROWS_AS(Team(throwing, threads, true).run(1000, [](Index) { work_for_a_while(); }),
                        std::out_of_range);
    }
}

TEST_CASE("work that is not on the caller's thread leaves the caller alone") {
    for (const int threads : {1, 2}) {
        std::atomic<int> ticks{0};
        Control control(threads, [&](double) {
            ++ticks;
            return false;
        });
        const Team team(control, threads, false);
        team.run(3, [](Index) { work_for_a_while(); });
        team.pause();
        CHECK(ticks == 0);
    }
}
