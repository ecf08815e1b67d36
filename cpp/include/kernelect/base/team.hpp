#pragma once

#include <functional>

#include "kernelect/base/control.hpp"
#include "kernelect/base/types.hpp"

namespace kernelect {

// The threads that one piece of work may use, and whom it listens to while it lasts: between tasks
// the caller is heard, who may be shown progress and may stop everything by an exception.
class Team {
  public:
    Team() = default;  // one thread, and nobody to listen to
    // `caller` says whether the work runs on the thread that may call the owner of `control`.
    Team(Control& control, int threads, bool caller)
        : control_(&control), threads_(threads), caller_(caller) {}

    bool listens() const { return control_ != nullptr; }

    // Between steps of the work.
    void pause() const {
        if (control_ != nullptr) control_->advance(0.0, caller_);
    }

    // Calls body(task) for every task in [0, tasks). What a task does must not depend on the
    // others, so that results are the same for any number of threads.
    void run(Index tasks, const std::function<void(Index task)>& body) const;

  private:
    Control* control_ = nullptr;
    int threads_ = 1;
    bool caller_ = false;
};

}  // namespace kernelect
