#include "kernelect/base/build.hpp"

#include <Eigen/Core>
#include <cstdlib>
#include <cstring>

#include "kernelect/base/processor.hpp"

namespace kernelect::build {
bool packs_of_8() {
    static const bool chosen = [] {
        const char* level = std::getenv("KERNELECT_LEVEL");
        const bool allowed = level == nullptr || *level == '\0' || std::strcmp(level, "v4") == 0;
        return allowed && runs_packs_of_8();
    }();
    return chosen;
}

const char* version() { return KERNELECT_VERSION; }
const char* level() {
#ifdef __AVX2__
    return packs_of_8() ? "v4" : "v3";
#else
    return "baseline";
#endif
}
const char* simd() { return Eigen::SimdInstructionSetsInUse(); }
const char* compiler() {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "another";
#endif
}

}  // namespace kernelect::build
