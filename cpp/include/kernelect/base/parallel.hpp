#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "kernelect/base/control.hpp"
#include "kernelect/base/types.hpp"

namespace kernelect {

// Calls body(task, worker) for every task in [0, tasks), in ascending order of start, from up to
// this many threads; worker 0 is the calling thread. Which worker gets which task varies,
// so results must not depend on it. The first exception stops the others and is rethrown here. No
// thread outlives the call: nothing is left for a forked child to wait on.
template <class Body>
void parallel_tasks(Index tasks, Control& control, int threads, Body&& body) {
    const int workers =
        static_cast<int>(std::min<Index>(std::max(threads, 1), std::max<Index>(tasks, 1)));
    std::atomic<Index> next{0};
    std::exception_ptr error;
    std::mutex error_mutex;

    const auto work = [&](int worker) {
        for (Index task; (task = next.fetch_add(1)) < tasks;) {
            try {
                if (control.stopped()) throw Cancelled();
                body(task, worker);
            } catch (...) {
                const std::scoped_lock lock(error_mutex);
                // The cause comes before the Cancelled that it brings about in the other workers.
                if (!error) error = std::current_exception();
                next = tasks;
                control.stop();
            }
        }
    };

    std::vector<std::thread> pool;
    pool.reserve(place(workers));
    try {
        for (int w = 1; w < workers; ++w) pool.emplace_back(work, w);
    } catch (const std::exception&) {
        // The system grants no more threads, or no memory for them; those that run, and this one,
        // do the work.
    }
    work(0);
    for (auto& thread : pool) thread.join();
    if (error) std::rethrow_exception(error);
}

template <class Body>
void parallel_tasks(Index tasks, Control& control, Body&& body) {
    parallel_tasks(tasks, control, control.threads(), std::forward<Body>(body));
}

}  // namespace kernelect
