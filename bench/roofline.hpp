#pragma once

#include <vector>

#include "kernelect/base/types.hpp"
#include "machine_speeds.hpp"

namespace kernelect {

// What a pass over all pairs of rows needs at least, for kernels exp(-rate |x - x'|^2) with rates
// that are powers of two apart and the sums of their rows over two classes.
struct LeastWork {
    double pairs;      // of rows, each once
    double products;   // |x - x'|^2 out of a product for each feature, and two for the norms
    double squarings;  // kernels that are not negligible: made, added to a row and to a column
    double doublings;  // those of them that are wide: 1 - K is what has ten digits
    double exponents;  // for each pair the widest kernel: by its series where that is enough
    bool by_series;
    double bytes;  // the rows read, the sums written

    LeastWork(const Matrix& x, const std::vector<double>& rates);
    double seconds(const MachineSpeeds& machine) const;
};

}  // namespace kernelect
