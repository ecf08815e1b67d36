#include "kernelect/tiles/cross_products.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <type_traits>

#include "kernelect/base/parallel.hpp"
#include "tiles/lanes.hpp"

namespace kernelect {
namespace {

// Vectors that are multiplied by a tile at once: as many as there are registers for.
constexpr Index kTogether = 4;

// The coefficients as tiles want them: those of every output, by rows, with the sign that the
// output carries its kernel with; and what the shifts of outputs add to every result.
struct Coefficients {
    std::vector<RealMatrix> of_output;
    Vector shifts;
};

Coefficients coefficients(const KernelSet& set, const std::vector<ConstMatrixRef>& vectors) {
    const Index columns = vectors.front().rows(), rows = set.sample().size();
    Coefficients made{{}, Vector::Zero(columns)};
    made.of_output.assign(place(set.outputs()), RealMatrix::Zero(columns, rows));
    for (Index k = 0; k < set.candidates(); ++k) {
        const ConstMatrixRef& v = vectors[place(k)];
        const Index o = set.output_of(k);  // which equal candidates share
        // K v = shift 1 (1'v) + sign E v
        made.of_output[place(o)] += set.sign(o) * v;
        for (Index c = 0; c < columns; ++c) {
            double sum = 0.0;  // in order: Eigen's would depend on where the memory lies
            for (Index i = 0; i < rows; ++i) sum += v(c, i);
            made.shifts(c) += set.shift(o) * sum;
        }
    }
    return made;
}

// One block of the other rows against the whole sample.
class Strip {
  public:
    Strip(const KernelSet& set, const Coefficients& coefficients)
        : set_(set),
          coefficients_(coefficients),
          values_(set.sample().sources(), set.others().sources()),
          tile_(place(kTileArea)),
          sums_(place(coefficients.shifts.size() * kTile)) {}

    void run(const Block& b, MatrixRef out) {
        const simd::FlushDenormals flush;
        std::fill(sums_.begin(), sums_.end(), 0.0);
        for (const Block& a : set_.sample().blocks())
            if (columns() == 1)
                add_one(a, b);
            else
                add_several(a, b);
        for (Index c = 0; c < columns(); ++c)
            for (Index r = 0; r < b.size; ++r)
                out(b.begin + r, c) = coefficients_.shifts(c) + sums(c)[r];
    }

  private:
    Index columns() const { return coefficients_.shifts.size(); }
    Real* sums(Index column) { return sums_.data() + column * kTile; }
    const Real* weights(int output, Index column, const Block& a) const {
        return coefficients_.of_output[place(output)].row(column).data() + a.begin;
    }

    // Kernels of a chain are summed as they are made, and never stored.
    void add_one(const Block& a, const Block& b) {
        set_.walk<4>(values_, tile_.data(), a, b,
                     [&](const auto& outputs, const Real* in, Real* out, const auto& first) {
                         constexpr std::size_t kCount =
                             std::tuple_size_v<std::decay_t<decltype(outputs)>>;
                         Real columns[kCount][kTile];
                         std::array<sweep::RowWeights, kCount> w{};
                         std::array<sweep::Sums, kCount> to{};
                         for (std::size_t k = 0; k < kCount; ++k) {
                             w[k] = {weights(outputs[k], 0, a)};
                             to[k] = {nullptr, columns[k], nullptr};
                         }
                         sweep::run<false>(in, out, a.size, padded(b.size), first, w, to);
                         for (std::size_t k = 0; k < kCount; ++k)
                             for (Index c = 0; c < b.size; ++c) sums(0)[c] += columns[k][c];
                     });
    }

    void add_several(const Block& a, const Block& b) {
        const Index width = padded(b.size);
        set_.each(values_, tile_.data(), a, b, [&](int output, const Real* made) {
            Index c = 0;
            for (; c + kTogether <= columns(); c += kTogether)
                weigh<kTogether>(made, output, c, a, width);
            for (; c < columns(); ++c) weigh<1>(made, output, c, a, width);
        });
    }

    template <Index kVectors>
    void weigh(const Real* made, int output, Index first, const Block& a, Index width) {
        std::array<const Real*, place(kVectors)> w{};
        std::array<Real*, place(kVectors)> to{};
        for (std::size_t v = 0; v < w.size(); ++v) {
            w[v] = weights(output, first + static_cast<Index>(v), a);
            to[v] = sums(first + static_cast<Index>(v));
        }
        sweep::weigh_rows(made, a.size, width, w, to);
    }

    const KernelSet& set_;
    const Coefficients& coefficients_;
    TileValues values_;
    Buffer tile_, sums_;
};

}  // namespace

Matrix cross_products(const KernelSet& set, const std::vector<ConstMatrixRef>& vectors,
                      Control& control) {
    if (vectors.empty() || static_cast<Index>(vectors.size()) != set.candidates())
        throw std::invalid_argument("a sum of products needs vectors for every kernel");
    for (const ConstMatrixRef& v : vectors)
        if (v.rows() != vectors.front().rows() || v.cols() != set.sample().size())
            throw std::invalid_argument(
                "a sum of products needs as many vectors of every kernel, an entry per row");
    const Coefficients ready = coefficients(set, vectors);
    const std::vector<Block>& blocks = set.others().blocks();
    Matrix out(set.others().size(), ready.shifts.size());
    control.begin(static_cast<double>(blocks.size()));
    std::vector<std::unique_ptr<Strip>> strips(place(std::max(control.threads(), 1)));
    parallel_tasks(static_cast<Index>(blocks.size()), control, [&](Index task, int worker) {
        std::unique_ptr<Strip>& mine = strips[place(worker)];
        if (!mine) mine = std::make_unique<Strip>(set, ready);
        mine->run(blocks[place(task)], out);
        control.advance(1.0, worker == 0);
    });
    return out;
}

}  // namespace kernelect
