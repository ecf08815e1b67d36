#pragma once

#include <vector>

#include "kernelect/base/aligned.hpp"
#include "kernelect/tiles/tile_values.hpp"

namespace kernelect {

// A kernel expression on one tile, forwards with all its values kept and backwards with the
// derivative of some number J in each of them. One per thread.
class TileGradient {
  public:
    // The kernel and the rows must outlive this.
    TileGradient(const PreparedProgram& kernel, const std::vector<Rows>& rows);

    // Computes all values; those of the kernel itself are returned.
    const Real* forwards(const Block& a, const Block& b);

    // Puts dJ/dK of the tile here, then calls backwards(), which adds a dJ/da and b dJ/db of every
    // node to `numbers`.
    Real* weights() { return adjoint_.back().data(); }
    void backwards(Matrix& numbers) { backwards(kernel_.program.size() - 1, numbers); }
    // After it, dJ/d|x - x'|^2 of a leaf of Euclidean distances.
    const Real* by_squared_distance(std::size_t leaf) const { return adjoint_[leaf].data(); }

    // What normalisations take from the diagonal is known when a whole row of tiles is done. For
    // one such node: adds dJ/dk(x, x) of the rows of the present tile, and takes it back.
    std::size_t normalizations() const { return normalize_.size(); }
    void add_diagonal_weights(std::size_t which, double* rows) const;
    void diagonal_backwards(std::size_t which, const double* rows, Matrix& numbers);

  private:
    void backwards(std::size_t from, Matrix& numbers);
    void leaf_backwards(std::size_t k, Matrix& numbers);
    void product_backwards(std::size_t k);
    template <class Entry>
    void each(const Entry& entry) const;

    const PreparedProgram& kernel_;
    std::vector<std::vector<std::size_t>> operands_;  // of every node
    std::vector<std::size_t> normalize_;              // which nodes are
    std::vector<Buffer> values_, adjoint_;
    std::vector<bool> reached_;  // nodes below a normalised one are not, coming from its diagonal
    Buffer by_base_, by_a_, by_b_;
    TileValues tiles_;
    Block a_, b_;
};

}  // namespace kernelect
