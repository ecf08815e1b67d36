#pragma once

#include <vector>

#include "kernelect/base/control.hpp"
#include "kernelect/base/types.hpp"
#include "kernelect/tiles/kernels.hpp"
#include "kernelect/tiles/sample.hpp"

namespace kernelect {

struct KernelSpectraOptions {
    Index count = 1;           // as in SpectrumOptions
    double tolerance = 1e-10;  // as in SpectrumOptions
    bool store = true;         // form each kernel matrix; else every product streams over the tiles
};

// Row k belongs to candidate k. NaN where a kernel matrix has entries that are not finite.
struct KernelSpectra {
    Matrix values;  // the count + 1 largest eigenvalues, descending
    Vector trace;
    Vector smallest;  // an upper bound of the smallest eigenvalue
    std::vector<bool> converged;
};

// The leading eigenvalues of every candidate in turn. Each starts from the eigenvectors of the one
// before, which on a grid of kernels are near its own.
KernelSpectra kernel_spectra(const Sample& sample, const std::vector<Program>& programs,
                             const KernelSpectraOptions& options, Control& control);

}  // namespace kernelect
