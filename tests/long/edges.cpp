// Which ways calls have gone through what was compiled with -fsanitize-coverage=trace-pc: it calls
// the first function here at the beginning of every basic block. An edge is a pair of blocks that
// followed one another, as a number that few other pairs have. One thread is followed.

#include <cstdint>

namespace {

constexpr int bits = 18;
bool reached[1 << bits];
std::uint32_t fresh_count, before;

}  // namespace

#define KERNELECT_SEEN extern "C" __attribute__((visibility("default")))

KERNELECT_SEEN void __sanitizer_cov_trace_pc() {
    const auto place = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
    const auto block = static_cast<std::uint32_t>((place * 0x9e3779b97f4a7c15u) >> (64 - bits));
    const std::uint32_t edge = block ^ (before >> 1);
    before = block;
    fresh_count += reached[edge] ? 0 : 1;
    reached[edge] = true;
}

// Forget where the last call ended, so that the next one begins as if it were the first.
KERNELECT_SEEN void kernelect_edges_begin() { before = fresh_count = 0; }

// How many edges were reached since then that were never reached before.
KERNELECT_SEEN std::uint32_t kernelect_edges_fresh() { return fresh_count; }
