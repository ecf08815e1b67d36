#include "kernelect/base/team.hpp"

#include "kernelect/base/parallel.hpp"

namespace kernelect {

void Team::run(Index tasks, const std::function<void(Index task)>& body) const {
    if (control_ == nullptr || threads_ <= 1) {
        for (Index task = 0; task < tasks; ++task) {
            body(task);
            pause();
        }
        return;
    }
    parallel_tasks(tasks, *control_, threads_, [&](Index task, int worker) {
        body(task);
        control_->advance(0.0, caller_ && worker == 0);
    });
}

}  // namespace kernelect
