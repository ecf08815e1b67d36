#include "kernelect/landmarks/coordinates.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernelect/base/parallel.hpp"
#include "kernelect/base/simd.hpp"

namespace kernelect {
namespace {

constexpr Index kTogether = 512;  // rows, few enough for the caller to be heard between them

}  // namespace

Matrix landmark_coordinates(const LandmarkBasis& basis, const LandmarkColumns& columns,
                            Control& control) {
    if (columns.landmarks() != basis.size())
        throw std::invalid_argument("kernel values and basis differ in their landmarks");
    const Index n = columns.rows(), m = basis.size(), parts = (n + kTogether - 1) / kTogether;
    Matrix out(n, m);
    // A row of the result is a column of what the basis whitens.
    Eigen::Map<linalg::ColMatrix> g(out.data(), m, n);
    control.begin(static_cast<double>(parts));
    parallel_tasks(parts, control, [&](Index part, int worker) {
        const simd::FlushDenormals flush;
        const Index first = part * kTogether;
        auto own = g.middleCols(first, std::min(kTogether, n - first));
        columns.write(first, own);
        basis.whiten(own);
        control.advance(1.0, worker == 0);
    });
    return out;
}

}  // namespace kernelect
