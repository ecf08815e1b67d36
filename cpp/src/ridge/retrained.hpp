#pragma once

#include <optional>
#include <vector>

#include "kernelect/ridge/gram_buffer.hpp"
#include "kernelect/ridge/jobs.hpp"

namespace kernelect {

// Whether folds alone are asked for, and so few that a Cholesky factor for each training set costs
// less than the closed form's factor and inverse of all points.
bool retraining_is_cheaper(const std::vector<Job>& jobs, Index n);

// y_F - f^(-F)(x_F) of every fold, |F| x columns, each from a model of the other points. Nothing
// where one of them has no Cholesky factor, or one with small pivots: the closed form may then find
// a jitter.
std::optional<std::vector<linalg::ColMatrix>> retrained(GramBuffer& gram, const Ridge& ridge,
                                                        const linalg::ColMatrix& targets,
                                                        const Folds& folds);

}  // namespace kernelect
