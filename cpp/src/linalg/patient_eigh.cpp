#include "kernelect/linalg/patient_eigh.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace kernelect::linalg {
namespace {

constexpr std::chrono::milliseconds kLook{20};
constexpr Index kLong = 700;  // from this order on a decomposition takes a quarter of a second

// Threads that nobody waits for any more. They must end before BLAS is unloaded.
class Abandoned {
  public:
    ~Abandoned() {
        for (std::thread& thread : threads_) thread.join();
    }
    void take(std::thread thread) {
        const std::scoped_lock lock(mutex_);
        threads_.push_back(std::move(thread));
    }

  private:
    std::mutex mutex_;
    std::vector<std::thread> threads_;
};

Abandoned& abandoned() {
    static Abandoned all;
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
    std::future<Eigen::VectorXd> values = task.get_future();
    std::thread thread(std::move(task));
    try {
        while (values.wait_for(kLook) != std::future_status::ready) team.pause();
    } catch (...) {
        abandoned().take(std::move(thread));
        throw;
    }
    thread.join();
    a.swap(*matrix);
    return values.get();
}

}  // namespace kernelect::linalg
