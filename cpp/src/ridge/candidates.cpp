#include "kernelect/ridge/candidates.hpp"

#include <stdexcept>

#include "kernelect/base/simd.hpp"
#include "kernelect/tiles/gram.hpp"
#include "ridge/lazy_matrix.hpp"

namespace kernelect {
namespace {

// Kernels on a sample. Notes what it multiplies each matrix by.
class SampleKernels final : public KernelSource {
  public:
    SampleKernels(const Sample& sample, const std::vector<Program>& programs, KernelScaling scaling,
                  Vector& scale)
        : sample_(sample), programs_(programs), scaling_(scaling), scale_(scale) {}

    Index candidates() const override { return static_cast<Index>(programs_.size()); }
    bool matrix(Index c, linalg::ColMatrixRef out, const Team& team) const override {
        // Symmetric, so the order of the buffer does not matter.
        Eigen::Map<Matrix, 0, Eigen::OuterStride<>> rows(out.data(), out.rows(), out.cols(),
                                                         Eigen::OuterStride<>(out.outerStride()));
        const bool finite = gram(programs_[place(c)], sample_.sources(), sample_.blocks(),
                                 sample_.sources(), sample_.blocks(), rows, team);
        scale_(c) = scaling_factor(out, scaling_);
        if (scale_(c) == 1.0) return finite;
        out *= scale_(c);
        return finite && (scale_(c) <= 1.0 || linalg::all_finite(out));
    }

  private:
    const Sample& sample_;
    const std::vector<Program>& programs_;
    KernelScaling scaling_;
    Vector& scale_;
};

class StoredKernels final : public KernelSource {
  public:
    explicit StoredKernels(const std::vector<ConstMatrixRef>& matrices) : matrices_(matrices) {}

    Index candidates() const override { return static_cast<Index>(matrices_.size()); }
    bool matrix(Index c, linalg::ColMatrixRef out, const Team&) const override {
        const ConstMatrixRef& k = matrices_[place(c)];
        // Symmetric, so the order does not matter, and columns are copied faster than rows.
        out = Eigen::Map<const linalg::ColMatrix, 0, Eigen::OuterStride<>>(
            k.data(), k.rows(), k.cols(), Eigen::OuterStride<>(k.outerStride()));
        return linalg::all_finite(out);
    }

  private:
    const std::vector<ConstMatrixRef>& matrices_;
};

}  // namespace

ScaledRidge ridge_kernels(const Sample& sample, const std::vector<Program>& programs,
                          const RidgeRequest& request, KernelScaling scaling, Control& control) {
    if (request.targets.rows() != sample.size())
        throw std::invalid_argument("the sample must have a row for every target");
    ScaledRidge found{{}, Vector::Ones(static_cast<Index>(programs.size()))};
    found.results =
        ridge_scan(SampleKernels(sample, programs, scaling, found.scale), request, control);
    return found;
}

std::vector<RidgeResult> ridge_matrices(const std::vector<ConstMatrixRef>& matrices,
                                        const RidgeRequest& request, Control& control) {
    const Index n = request.targets.rows();
    for (const ConstMatrixRef& matrix : matrices)
        if (matrix.rows() != n || matrix.cols() != n)
            throw std::invalid_argument(
                "every kernel matrix must be square with a row for every target");
    return ridge_scan(StoredKernels(matrices), request, control);
}

KernelSlopes differentiate(const RidgeObjective& objective, const Program& program,
                           const Sample& sample, const std::vector<WeightedLeaf>& leaves,
                           Control& control) {
    const simd::FlushDenormals flush;
    const Team team(control, control.threads(), true);
    Vector scale = Vector::Ones(1);
    const std::vector<Program> programs{program};
    linalg::ColMatrix buffer;
    const SampleKernels source(sample, programs, KernelScaling::none, scale);
    LazyMatrix kernel(source, 0, sample.size(), buffer, team);
    GramBuffer gram(kernel.get(), team);
    const MatrixSlopes found = differentiate(objective, gram);
    EntryWeights weights{found.left.transpose(), found.right.transpose()};
    if (found.matrix) weights.matrix = &gram.matrix();
    return {found.value, found.by_rho, found.jitter,
            kernel_gradient(program, sample, weights, leaves, team)};
}

}  // namespace kernelect
