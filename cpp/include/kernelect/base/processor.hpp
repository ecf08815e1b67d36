#pragma once

namespace kernelect {

// Whether there are loops for packs of eight, and the machine runs them; its operating system too.
inline bool runs_packs_of_8() {
#ifdef KERNELECT_V4
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

}  // namespace kernelect
