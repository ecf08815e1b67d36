#include "roofline.hpp"

#include <algorithm>

#include "kernelect/base/pack_functions.hpp"

namespace kernelect {

LeastWork::LeastWork(const Matrix& x, const std::vector<double>& rates) {
    const double n = static_cast<double>(x.rows()), d = static_cast<double>(x.cols());
    // How many kernels matter is a mean over pairs; a hundred thousand of them tell it well.
    const Index apart = std::max<Index>(1, x.rows() / 450);
    double seen = 0.0, live = 0.0, wide = 0.0, furthest = 0.0;
    for (Index i = 0; i < x.rows(); i += apart)
        for (Index j = i + 1; j < x.rows(); j += apart) {
            const double distance = (x.row(i) - x.row(j)).squaredNorm();
            seen += 1.0;
            furthest = std::max(furthest, distance);
            for (const double rate : rates)
                (rate * distance <= 1.0 ? wide : live) +=
                    rate * distance < simd::kNegligible ? 1.0 : 0.0;
        }
    pairs = 0.5 * n * (n + 1.0);
    products = pairs * (d + 2.0);
    squarings = pairs * live / std::max(seen, 1.0);
    doublings = pairs * wide / std::max(seen, 1.0);
    exponents = pairs;
    by_series = furthest * *std::min_element(rates.begin(), rates.end()) < simd::kSmallArgument;
    bytes = 8.0 * n * (d + 2.0 * static_cast<double>(rates.size()));
}

double LeastWork::seconds(const MachineSpeeds& machine) const {
    // Arithmetic takes turns on the same units; memory is read meanwhile.
    const double arithmetic = products / machine.products + squarings / machine.squarings +
                              doublings / machine.doublings +
                              exponents / (by_series ? machine.series : machine.exponents);
    return std::max(arithmetic, bytes / machine.bytes);
}

}  // namespace kernelect
