#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "kernelect/base/processor.hpp"

// 77 tells ctest that this machine cannot run the level these tests were compiled for. The check
// comes before anything else runs, in code that needs no wide instruction itself.
int main(int argc, char** argv) {
#if (defined(__GNUC__) || defined(__clang__)) && defined(__AVX2__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 77;
#endif
#ifdef KERNELECT_PACKS_OF_8
    if (!kernelect::runs_packs_of_8()) return 77;
#endif
    doctest::Context context(argc, argv);
    return context.run();
}
