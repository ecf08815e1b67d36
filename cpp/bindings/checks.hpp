#pragma once

#include <cmath>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "kernelect/tiles/sample.hpp"

// What every entry asks of its arguments before the core sees them. The Python layer hands over
// what is right; whoever calls the core by itself gets a sentence, and never a crash.
namespace kernelect::python {

inline constexpr int kMostThreads = 4096;
inline constexpr int kMostDegree = 100000;  // of sm, and terms of BIF's series: a pass each

[[noreturn]] inline void refuse(const std::string& sentence) {
    throw std::invalid_argument(sentence);
}

inline int checked_threads(int threads) {
    if (threads < 1 || threads > kMostThreads)
        refuse("threads is " + std::to_string(threads) + ", it must be from 1 to " +
               std::to_string(kMostThreads));
    return threads;
}

inline double checked_memory(double memory) {
    if (!(memory >= 0.0)) refuse("memory must be a number of bytes that is not negative");
    return memory;
}

inline double checked_finite(double value, const char* name) {
    if (!std::isfinite(value)) refuse(std::string(name) + " must be finite");
    return value;
}

inline Index checked_range(Index value, Index least, Index most, const char* name) {
    if (value < least || value > most)
        refuse(std::string(name) + " is " + std::to_string(value) + ", it must be from " +
               std::to_string(least) + " to " + std::to_string(most));
    return value;
}

inline void check_size(Index size, Index wanted, const char* name) {
    if (size != wanted)
        refuse(std::string(name) + " has " + std::to_string(size) + " entries where " +
               std::to_string(wanted) + " are needed");
}

// For computations whose results are in the order of the caller's rows.
inline const Sample& without_classes(const Sample& sample) {
    if (sample.classes() != 1) refuse("a sample without classes is needed: give it one class");
    return sample;
}

// Not enough memory, with what was asked for and what to do.
struct OutOfMemory : std::runtime_error {
    using std::runtime_error::runtime_error;
};
[[noreturn]] void out_of_memory(double bytes);

// Calls the core without the GIL. `bytes`: what the call roughly allocates, for the sentence that
// is said where that is too much.
template <class Call>
auto run(double bytes, Call&& call) {
    const py::gil_scoped_release release;
    try {
        return call();
    } catch (const std::bad_alloc&) {
        out_of_memory(bytes);
    }
}

// The bytes of this many n x n matrices.
inline double matrices(double count, Index n) {
    return count * 8.0 * static_cast<double>(n) * static_cast<double>(n);
}

}  // namespace kernelect::python
