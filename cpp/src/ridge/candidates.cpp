#include "kernelect/ridge/candidates.hpp"

#include <stdexcept>

#include "kernelect/tiles/gram.hpp"

namespace kernelect {

ScaledRidge ridge_kernels(const Sample& sample, const std::vector<Program>& programs,
                          const RidgeRequest& request, KernelScaling scaling, Control& control) {
    const Index n = sample.size(), candidates = static_cast<Index>(programs.size());
    if (request.targets.rows() != n)
        throw std::invalid_argument("the sample must have a row for every target");
    ScaledRidge found{{}, Vector::Ones(candidates)};
    const auto provide = [&](Index c, linalg::ColMatrixRef out) {
        // Symmetric, so the order of the buffer does not matter.
        Eigen::Map<Matrix, 0, Eigen::OuterStride<>> rows(out.data(), n, n,
                                                         Eigen::OuterStride<>(out.outerStride()));
        Control alone(1);
        gram(programs[static_cast<std::size_t>(c)], sample.sources(), sample.blocks(),
             sample.sources(), sample.blocks(), rows, alone);
        found.scale(c) = scaling_factor(out, scaling);
        if (found.scale(c) != 1.0) out *= found.scale(c);
    };
    found.results = ridge_scan(candidates, provide, request, control);
    return found;
}

std::vector<RidgeResult> ridge_matrices(const std::vector<ConstMatrixRef>& matrices,
                                        const RidgeRequest& request, Control& control) {
    const Index n = request.targets.rows();
    for (const ConstMatrixRef& matrix : matrices)
        if (matrix.rows() != n || matrix.cols() != n)
            throw std::invalid_argument(
                "every kernel matrix must be square with a row for every target");
    return ridge_scan(
        static_cast<Index>(matrices.size()),
        [&](Index c, linalg::ColMatrixRef out) {
            const ConstMatrixRef& k = matrices[static_cast<std::size_t>(c)];
            // Symmetric, so the order does not matter, and columns are copied faster than rows.
            out = Eigen::Map<const linalg::ColMatrix, 0, Eigen::OuterStride<>>(
                k.data(), n, n, Eigen::OuterStride<>(k.outerStride()));
        },
        request, control);
}

}  // namespace kernelect
