#pragma once

// What this core was compiled for. The level is a property of the core alone: whoever calls it
// (bindings, benchmark) is compiled once and linked to the core of each level.
namespace kernelect::build {

const char* version();
const char* level();  // of instructions in use: "baseline", "v3" or "v4"
const char* simd();   // the sets that Eigen found
const char* compiler();

// Whether the loops that were compiled for packs of eight are in use: where this core has them, the
// machine runs them, and KERNELECT_LEVEL in the environment, read once, names no lower level.
bool packs_of_8();

}  // namespace kernelect::build
