#pragma once

#include <functional>

#include "kernelect/base/control.hpp"
#include "kernelect/base/types.hpp"

namespace kernelect {

using TaskBody = std::function<void(Index task, int worker)>;

// Calls body(task, worker) for every task in [0, tasks), in ascending order of start, from up to
// this many threads; worker 0 is the calling thread. Which worker gets which task varies,
// so results must not depend on it. The first exception stops the others and is rethrown here. No
// thread outlives the call: nothing is left for a forked child to wait on.
void parallel_tasks(Index tasks, Control& control, int threads, const TaskBody& body);

inline void parallel_tasks(Index tasks, Control& control, const TaskBody& body) {
    parallel_tasks(tasks, control, control.threads(), body);
}

}  // namespace kernelect
