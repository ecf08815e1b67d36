#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "kernelect/base/types.hpp"

namespace kernelect {

// Allocates at the start of a cache line: a pack that straddles two lines costs twice.
template <class T>
struct LineAllocator {
    using value_type = T;
    static constexpr std::align_val_t kLine{64};

    LineAllocator() = default;
    template <class U>
    LineAllocator(const LineAllocator<U>&) {}

    T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), kLine));
    }
    void deallocate(T* p, std::size_t) { ::operator delete(p, kLine); }

    friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
    friend bool operator!=(const LineAllocator&, const LineAllocator&) { return false; }
};

// Numbers that the inner loops read or write.
using Buffer = std::vector<Real, LineAllocator<Real>>;
// What they are summed up to.
using SumBuffer = std::vector<double, LineAllocator<double>>;

}  // namespace kernelect
