#pragma once

#include <memory>
#include <vector>

#include "kernelect/base/control.hpp"
#include "kernelect/tiles/kernel_set.hpp"

namespace kernelect {

// The matrices of many kernels on one sample, for methods that combine them again and again. The
// tiles on and above the diagonal are stored where they fit into `memory` bytes, and computed anew
// in every pass where they do not. The sample must have one class, so that its order is the
// caller's, and must outlive the stack, as must its stored matrices when nothing is stored here.
class KernelStack {
  public:
    KernelStack(const Sample& sample, const std::vector<Program>& programs, double memory,
                Control& control);
    KernelStack(Sample&& sample, const std::vector<Program>& programs, double memory,
                Control& control) = delete;

    Index size() const { return set_.candidates(); }
    Index rows() const { return set_.sample().size(); }
    bool stored() const { return tiles_ != nullptr; }

    // out = sum_k weights(k) K_k, both triangles.
    void combine(const ConstVectorRef& weights, MatrixRef out, Control& control) const;

    // K_k v for every kernel k and every row v of `vectors`, in row k * vectors.rows() + v.
    Matrix products(const ConstMatrixRef& vectors, Control& control) const;

    // <G, K_k> = sum_ij G_ij (K_k)_ij for every kernel and a symmetric G: the derivative in the
    // weights of anything whose derivative in the combined kernel is G.
    Vector inner(const ConstMatrixRef& g, Control& control) const;

    // <H K_k H, H K_l H> for all pairs, H = I - 11'/n. The entries are centred before they are
    // multiplied, because the expansion in row sums cancels for wide kernels.
    Matrix centred_products(Control& control) const;

  private:
    struct StackWorker;

    Index blocks() const { return static_cast<Index>(set_.sample().blocks().size()); }
    const Block& block(Index i) const { return set_.sample().blocks()[place(i)]; }
    // Place of kernel o's tile (i, j), i <= j, in the store.
    std::size_t tile_place(Index i, Index j, Index o) const;

    // Calls use(o, tile) for the kernels on the tile (i, j): rows kTile apart, padding zero.
    // Kernels that vanish on the whole tile are left out.
    template <class Use>
    void each_kernel(StackWorker& worker, Index i, Index j, Use&& use) const;
    // Computes the tile, the same way.
    template <class Use>
    void compute(StackWorker& worker, Index i, Index j, Use&& use) const;
    // Calls visit(task, worker, i, j) for all tiles. Tasks are a fixed share of the tiles each, so
    // that sums kept by task do not depend on the number of threads.
    template <class Visit>
    void each_tile(Control& control, Visit&& visit) const;
    Index tasks() const;

    void store(Control& control);

    KernelSet set_;
    std::unique_ptr<Real[]> tiles_;
    std::vector<char> occupied_;  // by place: whether anything but zeros stands there
};

}  // namespace kernelect
