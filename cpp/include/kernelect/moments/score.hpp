#pragma once

#include <limits>
#include <string>
#include <utility>

namespace kernelect::criteria {

struct Score {
    double value = 0.0;
    std::string reason;  // empty unless the value stands for "undefined here"
};

// What a formula returns where it has no value. The worst value of its direction is put in its
// place by score_of, the one function that knows the direction.
inline Score undefined(std::string reason) {
    return {std::numeric_limits<double>::quiet_NaN(), std::move(reason)};
}

}  // namespace kernelect::criteria
