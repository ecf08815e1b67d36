#pragma once

#include <cstdint>

#include "kernelect/tiles/streams.hpp"

namespace kernelect {

// A number that says of which pass sums are: of the rows and their order, the kernels, the vectors,
// and the instructions, which decide the last bits. Equal for equal passes in any process; the sums
// of passes that differ are as good as never taken for one another.
std::uint64_t fingerprint(const KernelSet& set, const SumsRequest& request);

}  // namespace kernelect
