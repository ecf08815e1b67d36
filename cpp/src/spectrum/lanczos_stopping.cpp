// When block Lanczos may stop: the error of the Ritz values, what they may have missed, and when to
// look again.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernelect/spectrum/block_lanczos.hpp"

namespace kernelect {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoise = 1e-10;   // relative size below which a negative value is rounding
constexpr double kCautious = 0.8;  // share of the predicted way that is taken before a look
// What missing copies may lift the wanted values by, in units of the tolerance.
constexpr double kHarmless = 10.0;
// Looks at the latest when the basis has grown by this part.
constexpr Index kLargestPart = 3;

}  // namespace

// What is known of the largest eigenvalue beyond the first p Ritz values: no less than the next
// one, and no less than the mean of what the trace leaves to the others.
double BlockLanczos::next_value(Index p, double sum) const {
    const double next = ritz_values_(p);
    if (!std::isfinite(trace_)) return next;
    return std::max(next, (trace_ - sum) / static_cast<double>(n_ - p));
}

double BlockLanczos::estimate_error() const {
    const Index m = processed_;
    if (m < count_) return kInfinity;
    if (ritz_residuals_.maxCoeff() == 0.0) return 0.0;
    double error = kInfinity, squares = 0.0, sum = 0.0;
    for (Index p = 1; p < m; ++p) {
        squares += ritz_residuals_(p - 1) * ritz_residuals_(p - 1);
        sum += ritz_values_(p - 1);
        if (p < count_) continue;
        const double alpha = std::max(next_value(p, sum), ritz_values_(p) + ritz_residuals_(p));
        if (ritz_values_(p - 1) > alpha)
            error = std::min(error, squares / (ritz_values_(p - 1) - alpha));
    }
    // Without negative eigenvalues the others share what the Ritz values leave of the trace.
    const double size = std::max(std::abs(ritz_values_(0)), std::abs(smallest_));
    const double rest = trace_ - ritz_values_.sum();
    if (smallest_ >= -kNoise * size && rest >= -kNoise * size)
        error = std::min(error, std::max(rest, 0.0));
    return error;
}

bool BlockLanczos::accurate() const {
    const double size = std::abs(ritz_values_(0));
    if (!(sum_error_ <= tolerance_ * size)) return false;
    return vector_tolerance_ <= 0.0 ||
           ritz_residuals_.head(count_).maxCoeff() <= vector_tolerance_ * size;
}

// From b random vectors a Krylov space sees at most b copies of an eigenvalue, or b members of a
// group so narrow that its width^2 / gap is below the tolerance. A group of b or more Ritz values
// may therefore have further members, which matters if they would lift the wanted values
// noticeably.
bool BlockLanczos::copies_may_be_missing() const {
    const double hidden = tolerance_ * std::abs(ritz_values_(0));
    const double harmless = kHarmless * tolerance_ * std::abs(ritz_values_.head(count_).sum());
    const double last = ritz_values_(count_ - 1);
    double sum = 0.0;
    for (Index j = 0; j + 1 < processed_; ++j) {  // the last member of the group
        sum += ritz_values_(j);
        const double gap = ritz_values_(j) - next_value(j + 1, sum);
        for (Index i = 0; i < count_ && i + random_seen_ <= j + 1; ++i) {  // the first
            const double width = ritz_values_(i) - ritz_values_(j);
            const double lift = static_cast<double>(count_ - i) * (ritz_values_(i) - last);
            if (width * width <= hidden * gap && lift > harmless) return true;
        }
    }
    return false;
}

// The error falls about geometrically: look again where it should have arrived.
void BlockLanczos::schedule_check() {
    const double goal = tolerance_ * std::abs(ritz_values_(0));
    Index ahead = block_size_;
    if (sum_error_ < last_error_ && std::isfinite(last_error_) && goal > 0.0 && sum_error_ > goal) {
        const double rate =
            std::log(last_error_ / sum_error_) / static_cast<double>(products_ - last_check_);
        const double needed = kCautious * std::log(sum_error_ / goal) / rate;
        const double most = static_cast<double>(std::max(block_size_, processed_ / kLargestPart));
        ahead = std::max(block_size_, static_cast<Index>(std::min(needed, most)));
    }
    last_error_ = sum_error_;
    last_check_ = products_;
    next_check_ = products_ + ahead;
}

// Decides whether the Ritz values are accepted, and how many new random vectors are needed if not.
Index BlockLanczos::fresh_columns(bool closed, bool exhausted, Index next) {
    const bool enough = processed_ >= count_ && (closed || steps_ >= steps_needed_);
    const bool missing = enough && accurate() && copies_may_be_missing();
    converged_ = exhausted || (enough && accurate() && !missing);
    if (converged_ || !(missing || closed)) return 0;
    if (missing) {  // the new vectors get as many steps as the first ones took
        if (first_steps_ == 0) first_steps_ = steps_;
        steps_needed_ = steps_ + first_steps_;
    }
    return std::min(missing ? random_seen_ : block_size_, n_ - processed_ - next);
}

}  // namespace kernelect
