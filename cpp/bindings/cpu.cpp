#include <pybind11/pybind11.h>

#if defined(_MSC_VER) && defined(_M_X64)
#include <immintrin.h>
#include <intrin.h>
#endif

// Which cores this machine can run; compiled for the baseline only. Both ways also ask whether the
// operating system saves the wide registers.
namespace {

bool has_v3() {
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#elif defined(_MSC_VER) && defined(_M_X64)
    int r[4];
    __cpuid(r, 0);
    if (r[0] < 7) return false;
    __cpuid(r, 1);
    const bool osxsave = (r[2] & (1 << 27)) != 0, fma = (r[2] & (1 << 12)) != 0;
    if (!osxsave || !fma || (_xgetbv(0) & 0x6) != 0x6) return false;
    __cpuidex(r, 7, 0);
    return (r[1] & (1 << 5)) != 0 && (r[1] & (1 << 8)) != 0;
#else
    return false;
#endif
}

}  // namespace

PYBIND11_MODULE(_cpu, m, pybind11::mod_gil_not_used()) { m.attr("v3") = has_v3(); }
