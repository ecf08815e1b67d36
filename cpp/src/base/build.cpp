#include "kernelect/base/build.hpp"

#include <Eigen/Core>

namespace kernelect::build {

const char* version() { return KERNELECT_VERSION; }
const char* level() {
#ifdef __AVX2__
    return "v3";
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
