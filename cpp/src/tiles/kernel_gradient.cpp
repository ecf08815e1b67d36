#include "kernelect/tiles/kernel_gradient.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "kernelect/linalg/blas.hpp"
#include "tiles/tile_gradient.hpp"

namespace kernelect {
namespace {

void check_leaves(const Program& program, const Sample& sample,
                  const std::vector<WeightedLeaf>& leaves) {
    for (const WeightedLeaf& leaf : leaves) {
        if (leaf.rows.rows() != sample.size())
            throw std::invalid_argument("a weighted table has other rows than the sample");
        const std::optional<Base> base =
            leaf.node < program.size() ? operation(program[leaf.node].op).base : std::nullopt;
        if (base != Base::squared_distance && base != Base::distance)
            throw std::invalid_argument(
                "columns have weights in kernels of Euclidean distances alone");
    }
}

PreparedProgram prepared(const Program& program, const Sample& sample) {
    check_program(program, sample.sources().size());
    PreparedProgram made =
        prepare(program, sample.sources(), sample.size(), sample.sources(), sample.size());
    const auto same = [](const Node& one, const Node& two) {
        return one.op == two.op && one.count == two.count;
    };
    if (!std::equal(program.begin(), program.end(), made.program.begin(), made.program.end(), same))
        throw std::domain_error(
            "a normalised kernel leaves the range of doubles before it is normalised, and has no "
            "gradient there; scale X");
    return made;
}

// Rows in the sample's order and around their mean: differences are all that matters.
linalg::ColMatrix columns_of(const WeightedLeaf& leaf, const Sample& sample) {
    linalg::ColMatrix x(leaf.rows.cols(), sample.size());  // a column for every row
    for (Index i = 0; i < sample.size(); ++i)
        x.col(i) = leaf.rows.row(sample.order()[place(i)]).transpose();
    x.colwise() -= x.rowwise().mean().eval();
    return x;
}

// One row of tiles, worked on by one thread.
class Panel {
  public:
    Panel(const PreparedProgram& kernel, const Sample& sample, const EntryWeights& weights,
          const std::vector<WeightedLeaf>& leaves, const std::vector<linalg::ColMatrix>& rows)
        : kernel_(kernel),
          sample_(sample),
          weights_(weights),
          leaves_(leaves),
          rows_(rows),
          tile_(kernel, sample.sources()) {}

    KernelGradient run(Index panel) {
        const std::vector<Block>& blocks = sample_.blocks();
        const Block& a = blocks[place(panel)];
        KernelGradient found{Matrix::Zero(static_cast<Index>(kernel_.program.size()), 2), {}};
        std::vector<Vector> diagonals(tile_.normalizations(), Vector::Zero(a.size));
        start_columns(a, found);
        // The other half is the mirror image, unless what belongs to a row needs all of it.
        const bool whole = tile_.normalizations() > 0;
        for (std::size_t j = whole ? 0 : place(panel); j < blocks.size(); ++j) {
            const Block& b = blocks[j];
            const Real* values = tile_.forwards(a, b);
            fill_weights(a, b, values, whole || a.begin == b.begin ? 1.0 : 2.0);
            tile_.backwards(found.numbers);
            for (std::size_t k = 0; k < diagonals.size(); ++k)
                tile_.add_diagonal_weights(k, diagonals[k].data());
            add_columns(a, b, found);
        }
        finish_columns(a, found);
        if (whole) tile_.forwards(a, a);
        for (std::size_t k = 0; k < diagonals.size(); ++k)
            tile_.diagonal_backwards(k, diagonals[k].data(), found.numbers);
        return found;
    }

  private:
    void fill_weights(const Block& a, const Block& b, const Real* values, double factor) {
        Real* const out = tile_.weights();
        for (Index i = 0; i < a.size; ++i) {
            const Index row = a.begin + i;
            Eigen::Map<Eigen::VectorXd> g(out + i * kTile, b.size);
            g.setZero();
            if (weights_.matrix != nullptr) add_matrix_row(row, b, g);
            if (weights_.kernel != 0.0)
                g +=
                    weights_.kernel * Eigen::Map<const Eigen::VectorXd>(values + i * kTile, b.size);
            for (Index k = 0; k < weights_.left.rows(); ++k)
                g += 0.5 * (weights_.left(k, row) * weights_.right.row(k).segment(b.begin, b.size) +
                            weights_.right(k, row) * weights_.left.row(k).segment(b.begin, b.size))
                               .transpose();
            if (weights_.diagonal.size() > 0 && a.begin == b.begin) g[i] += weights_.diagonal[row];
            if (factor != 1.0) g *= factor;
        }
    }

    void add_matrix_row(Index row, const Block& b, Eigen::Ref<Eigen::VectorXd> g) const {
        const linalg::ColMatrixRef& s = *weights_.matrix;
        const Index above = std::clamp<Index>(row - b.begin, 0, b.size);  // entries left of it
        g.tail(b.size - above) += s.col(row).segment(b.begin + above, b.size - above);
        g.head(above) += s.row(row).segment(b.begin, above).transpose();
    }

    void start_columns(const Block& a, KernelGradient& found) {
        products_.clear();
        row_sums_.clear();
        for (const linalg::ColMatrix& x : rows_) {
            found.columns.push_back(Vector::Zero(x.rows()));
            products_.push_back(linalg::ColMatrix::Zero(x.rows(), a.size));
            row_sums_.push_back(Vector::Zero(a.size));
        }
    }

    // sum_ik D_ik (x_i - x_k)^2 = sum_i (D 1)_i x_i^2 + sum_k (1'D)_k x_k^2 - 2 sum_i x_i (D x)_i
    void add_columns(const Block& a, const Block& b, KernelGradient& found) {
        for (std::size_t t = 0; t < leaves_.size(); ++t) {
            const Real* entries = tile_.by_squared_distance(leaves_[t].node);
            const Eigen::Map<const linalg::ColMatrix, 0, Eigen::OuterStride<>> d(
                entries, b.size, a.size, Eigen::OuterStride<>(kTile));  // its transpose
            const auto x = rows_[t].middleCols(b.begin, b.size);
            row_sums_[t] += d.colwise().sum().transpose();
            found.columns[t] += x.cwiseAbs2() * d.rowwise().sum();
            blas::gemm(1.0, x, blas::Transpose::no, d, blas::Transpose::no, 1.0, products_[t]);
        }
    }

    void finish_columns(const Block& a, KernelGradient& found) const {
        for (std::size_t t = 0; t < leaves_.size(); ++t) {
            const auto x = rows_[t].middleCols(a.begin, a.size);
            found.columns[t] += x.cwiseAbs2() * row_sums_[t];
            found.columns[t] -= 2.0 * x.cwiseProduct(products_[t]).rowwise().sum();
        }
    }

    const PreparedProgram& kernel_;
    const Sample& sample_;
    const EntryWeights& weights_;
    const std::vector<WeightedLeaf>& leaves_;
    const std::vector<linalg::ColMatrix>& rows_;
    TileGradient tile_;
    std::vector<linalg::ColMatrix> products_;  // of every leaf, sum_k D_ik x_k of the panel's rows
    std::vector<Vector> row_sums_;             // D 1
};

}  // namespace

KernelGradient kernel_gradient(const Program& program, const Sample& sample,
                               const EntryWeights& weights, const std::vector<WeightedLeaf>& leaves,
                               const Team& team) {
    check_leaves(program, sample, leaves);
    const PreparedProgram kernel = prepared(program, sample);
    std::vector<linalg::ColMatrix> rows;
    for (const WeightedLeaf& leaf : leaves) rows.push_back(columns_of(leaf, sample));
    std::vector<KernelGradient> parts(sample.blocks().size());
    team.run(static_cast<Index>(parts.size()), [&](Index panel) {
        parts[place(panel)] = Panel(kernel, sample, weights, leaves, rows).run(panel);
    });
    // In the order of the rows, whoever worked on them.
    KernelGradient total = std::move(parts.front());
    for (std::size_t p = 1; p < parts.size(); ++p) {
        total.numbers += parts[p].numbers;
        for (std::size_t t = 0; t < leaves.size(); ++t) total.columns[t] += parts[p].columns[t];
    }
    return total;
}

}  // namespace kernelect
