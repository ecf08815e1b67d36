#pragma once

#include "kernelect/base/team.hpp"
#include "kernelect/linalg/linalg.hpp"

namespace kernelect::linalg {

// `eigh` of a matrix that may be large, while the team's caller is heard. LAPACK cannot be stopped:
// where the caller wants to stop, the matrix is left to the thread that decomposes it, which is
// waited for when the process ends, and `a` is empty.
Eigen::VectorXd patient_eigh(ColMatrix& a, bool vectors, const Team& team);

}  // namespace kernelect::linalg
