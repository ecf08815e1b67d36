#include "kernelect/base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace kernelect {

void parallel_tasks(Index tasks, Control& control, int threads, const TaskBody& body) {
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

}  // namespace kernelect
