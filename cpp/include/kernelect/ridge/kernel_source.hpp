#pragma once

#include "kernelect/base/team.hpp"
#include "kernelect/base/types.hpp"
#include "kernelect/linalg/linalg.hpp"

namespace kernelect {

// Where the kernels of a scan come from; asked from several threads at once. A path through the
// mathematics that needs less of a kernel than its matrix asks for that here, and then none is
// made.
class KernelSource {
  public:
    virtual ~KernelSource() = default;
    virtual Index candidates() const = 0;
    // Writes the kernel matrix of a candidate, both triangles; returns whether all of it is finite.
    virtual bool matrix(Index candidate, linalg::ColMatrixRef out, const Team& team) const = 0;
};

}  // namespace kernelect
