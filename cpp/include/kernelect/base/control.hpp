#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>

namespace kernelect {

// Thrown out of a long computation after its owner asked it to stop.
struct Cancelled : std::runtime_error {
    Cancelled() : std::runtime_error("cancelled") {}
};

// How a long computation talks to its caller. `tick` is called from the calling thread only, about
// twenty times a second, with the fraction done; returning false, or throwing, stops all workers.
class Control {
  public:
    using Tick = std::function<bool(double fraction)>;

    explicit Control(int threads = 1, Tick tick = {}) : threads_(threads), tick_(std::move(tick)) {}

    int threads() const { return threads_; }

    // Announces how many units of work the next steps have in total.
    void begin(double total) {
        total_ = total;
        done_ = 0.0;
    }

    // Called by any worker after `units` of work; `caller` marks the calling thread.
    void advance(double units, bool caller) {
        double seen = done_.load(std::memory_order_relaxed);
        while (!done_.compare_exchange_weak(seen, seen + units, std::memory_order_relaxed)) {
        }
        if (caller) poll();
        if (stopped()) throw Cancelled();
    }

    // Lets the caller be heard; only from the calling thread.
    void poll() {
        if (!tick_ || stopped()) return;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < kBetween) return;
        last_ = now;
        if (!tick_(total_ > 0.0 ? done_.load(std::memory_order_relaxed) / total_ : 0.0)) stop();
    }

    void stop() { stop_.store(true, std::memory_order_relaxed); }
    bool stopped() const { return stop_.load(std::memory_order_relaxed); }

  private:
    // Ticks come no faster than this.
    static constexpr std::chrono::milliseconds kBetween{50};

    int threads_;
    Tick tick_;
    double total_ = 0.0;
    std::atomic<double> done_{0.0};
    std::atomic<bool> stop_{false};
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace kernelect
