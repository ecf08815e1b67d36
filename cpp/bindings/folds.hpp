#pragma once

#include <vector>

#include "arrays.hpp"
#include "checks.hpp"
#include "kernelect/ridge/folds.hpp"

namespace kernelect::python {

// The rows that each fold holds out.
using FoldArrays = std::vector<Numbers>;

inline Folds to_folds(const FoldArrays& arrays) {
    Folds folds;
    for (const auto& fold : arrays) {
        if (fold.ndim() != 1) refuse("a fold must be a vector of row numbers");
        folds.emplace_back(fold.data(), fold.data() + fold.size());
    }
    return folds;
}

}  // namespace kernelect::python
