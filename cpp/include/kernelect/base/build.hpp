#pragma once

// What this core was compiled for. The level is a property of the core alone: whoever calls it
// (bindings, benchmark) is compiled once and linked to the core of each level.
namespace kernelect::build {

const char* version();
const char* level();  // of instructions: "baseline" or "v3"
const char* simd();   // the sets that Eigen found
const char* compiler();

}  // namespace kernelect::build
