#include "kernelect/linalg/patient_eigh.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__GLIBC__)
#include <unistd.h>
#endif

namespace kernelect::linalg {
namespace {

constexpr std::chrono::milliseconds kLook{20};
constexpr Index kLong = 700;  // from this order on a decomposition takes a quarter of a second

using Values = std::future<Eigen::VectorXd>;

// Threads that nobody waits for any more. They must end before BLAS is unloaded.
class Abandoned {
  public:
    ~Abandoned() {
        for (Decomposition& each : all_) each.thread.join();
    }
    void take(std::thread thread, Values values) {
        const std::scoped_lock lock(mutex_);
        all_.push_back({std::move(thread), std::move(values)});
    }

    bool any_runs() const {
        return std::any_of(all_.begin(), all_.end(), [](const Decomposition& each) {
            return each.values.wait_for(std::chrono::seconds{0}) != std::future_status::ready;
        });
    }

  private:
    struct Decomposition {
        std::thread thread;
        Values values;
    };

    std::mutex mutex_;
    std::vector<Decomposition> all_;
};

#if defined(__GLIBC__)
// Nor does a process that ends wait for them: it leaves without unloading anything.
void leave(int status, void* abandoned) {
    if (!static_cast<const Abandoned*>(abandoned)->any_runs()) return;
    std::fflush(nullptr);
    ::_exit(status);
}
#endif

Abandoned& abandoned() {
    static Abandoned all;
#if defined(__GLIBC__)
    static const int asked = ::on_exit(leave, &all);  // runs before all is destroyed
    static_cast<void>(asked);
#endif
    return all;
}

}  // namespace

Eigen::VectorXd patient_eigh(ColMatrix& a, bool vectors, const Team& team) {
    if (a.rows() < kLong || !team.listens()) return eigh(a, vectors);
    abandoned();  // made before anything that would have to be waited for
    const auto matrix = std::make_shared<ColMatrix>();
    matrix->swap(a);
    std::packaged_task<Eigen::VectorXd()> task(
        [matrix, vectors] { return eigh(*matrix, vectors); });
    Values values = task.get_future();
    std::thread thread(std::move(task));
    try {
        while (values.wait_for(kLook) != std::future_status::ready) team.pause();
    } catch (...) {
        abandoned().take(std::move(thread), std::move(values));
        throw;
    }
    thread.join();
    a.swap(*matrix);
    return values.get();
}

}  // namespace kernelect::linalg
