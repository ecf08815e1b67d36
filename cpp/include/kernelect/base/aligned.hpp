#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "kernelect/base/types.hpp"

namespace kernelect {

// Memory at the start of a cache line. Large blocks are kept for the next call when they are given
// back: pages that are fresh from the system cost a short pass a seventh of its time.
void* take_lines(std::size_t bytes);
void give_back_lines(void* lines, std::size_t bytes) noexcept;
// Lets the system have what is kept; whether there was any.
bool drop_kept_lines() noexcept;

// Allocates at the start of a cache line: a pack that straddles two lines costs twice.
template <class T>
struct LineAllocator {
    using value_type = T;

    LineAllocator() = default;
    template <class U>
    LineAllocator(const LineAllocator<U>&) {}

    T* allocate(std::size_t count) { return static_cast<T*>(take_lines(count * sizeof(T))); }
    void deallocate(T* p, std::size_t count) { give_back_lines(p, count * sizeof(T)); }

    friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
    friend bool operator!=(const LineAllocator&, const LineAllocator&) { return false; }
};

// Numbers that the inner loops read or write.
using Buffer = std::vector<Real, LineAllocator<Real>>;
// What they are summed up to.
using SumBuffer = std::vector<double, LineAllocator<double>>;

}  // namespace kernelect
