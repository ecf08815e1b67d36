#pragma once

#include "bindings.hpp"
#include "kernelect/ridge/scan.hpp"

namespace kernelect::python {

// What ridge_scan returned, as a dictionary of arrays that begin with (candidates, lambdas); keys
// for what was not asked are absent, entries of candidates without an answer are NaN.
py::dict ridge_results(const std::vector<RidgeResult>& results, Index candidates,
                       const RidgeRequest& request);

}  // namespace kernelect::python
