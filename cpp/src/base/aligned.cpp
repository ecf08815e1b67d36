#include "kernelect/base/aligned.hpp"

#include <array>
#include <mutex>

namespace kernelect {
namespace {

constexpr std::align_val_t kLine{64};

#ifdef __SANITIZE_ADDRESS__
constexpr bool kKeeps = false;  // a block that is used after it was given back must be found out
#else
constexpr bool kKeeps = true;
#endif
// Smaller blocks are kept by the allocator itself; larger ones pay for their pages by their work.
constexpr std::size_t kLeastKept = std::size_t{64} << 10, kMostKept = std::size_t{4} << 20;

// Sizes of blocks that may be kept: a power of two, or one and a half, so that one block serves
// calls of nearly one size.
std::size_t kept_size(std::size_t bytes) {
    std::size_t size = kLeastKept;
    while (size < bytes) size *= 2;
    const std::size_t between = size / 4 * 3;
    return between >= bytes && between >= kLeastKept ? between : size;
}

struct KeptLines {
    void* lines = nullptr;
    std::size_t bytes = 0;
};

// At most 16 MB. Never destroyed: buffers may outlive it at the end of a process.
struct KeptMemory {
    std::mutex mutex;
    std::array<KeptLines, 4> blocks{};
};

KeptMemory& kept() {
    static KeptMemory* const all = new KeptMemory;
    return *all;
}

bool may_be_kept(std::size_t bytes) { return kKeeps && bytes >= kLeastKept && bytes <= kMostKept; }

}  // namespace

void* take_lines(std::size_t bytes) {
    if (!may_be_kept(bytes)) return ::operator new(bytes, kLine);
    const std::size_t size = kept_size(bytes);
    // Nobody waits: in a process that was forked while another thread was here, the mutex stays
    // locked for ever.
    if (const std::unique_lock lock(kept().mutex, std::try_to_lock); lock)
        for (KeptLines& block : kept().blocks)
            if (block.bytes == size) {
                void* const lines = block.lines;
                block = {};
                return lines;
            }
    try {
        return ::operator new(size, kLine);
    } catch (const std::bad_alloc&) {
        if (!drop_kept_lines()) throw;
        return ::operator new(size, kLine);
    }
}

void give_back_lines(void* lines, std::size_t bytes) noexcept {
    if (may_be_kept(bytes))
        if (const std::unique_lock lock(kept().mutex, std::try_to_lock); lock)
            for (KeptLines& block : kept().blocks)
                if (!block.lines) {
                    block = {lines, kept_size(bytes)};
                    return;
                }
    ::operator delete(lines, kLine);
}

bool drop_kept_lines() noexcept {
    bool some = false;
    if (const std::unique_lock lock(kept().mutex, std::try_to_lock); lock)
        for (KeptLines& block : kept().blocks)
            if (block.lines) {
                ::operator delete(block.lines, kLine);
                block = {};
                some = true;
            }
    return some;
}

}  // namespace kernelect
