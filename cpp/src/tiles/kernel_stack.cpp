#include "kernelect/tiles/kernel_stack.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

#include "kernelect/base/parallel.hpp"
#include "kernelect/linalg/serial.hpp"
#include "kernelect/tiles/gram.hpp"
#include "kernelect/tiles/streams.hpp"
#include "tiles/lanes.hpp"

namespace kernelect {
namespace {

// Sums over tiles are kept in this many parts at most, added in order at the end.
constexpr Index kParts = 32;
// Passes over fewer entries than this are over before a second thread has started.
constexpr double kFewEntries = 2e5;

// A sum of kernels as one program.
Program weighted_sum(const KernelSet& set, const ConstVectorRef& weights) {
    Program sum;
    int terms = 0;
    for (Index k = 0; k < set.candidates(); ++k) {
        if (weights(k) == 0.0) continue;
        const Program& program = set.program(k);
        sum.insert(sum.end(), program.begin(), program.end());
        sum.push_back({Op::scale, weights(k), 0.0, 0, 0});
        ++terms;
    }
    if (terms == 0) return {{Op::constant, 0.0, 0.0, 0, 0}};
    sum.push_back({Op::sum, 0.0, 0.0, terms, 0});
    return sum;
}

}  // namespace

struct KernelStack::StackWorker {
    explicit StackWorker(const Sample& sample)
        : values(sample.sources(), sample.sources()),
          chain(place(kTileArea)),
          tile(place(kTileArea)) {}

    TileValues values;
    Buffer chain;  // the tile that a chain of kernels is made in
    Buffer tile;   // K where the chain holds 1 - K
};

KernelStack::KernelStack(const Sample& sample, const std::vector<Program>& programs, double memory,
                         Control& control)
    : set_(sample, programs, false) {
    if (sample.classes() != 1)
        throw std::invalid_argument("a stack of kernels needs a sample without classes");
    const double tiles = tile_count(blocks()) * static_cast<double>(set_.outputs());
    if (tiles * kTileArea * sizeof(Real) <= memory) store(control);
}

std::size_t KernelStack::tile_place(Index i, Index j, Index o) const {
    const Index tile = i * blocks() - i * (i - 1) / 2 + (j - i);
    return place(tile * set_.outputs() + o);
}

template <class Use>
void KernelStack::compute(StackWorker& worker, Index i, Index j, Use&& use) const {
    const simd::FlushDenormals flush;
    const Block &a = block(i), &b = block(j);
    const Index width = padded(b.size);
    set_.each(worker.values, worker.chain.data(), a, b, [&](int o, const Real* made) {
        const double shift = set_.shift(o), sign = set_.sign(o);
        if (shift == 0.0) return use(o, made);
        Real* k = worker.tile.data();
        for (Index r = 0; r < a.size; ++r)
            for (Index c = 0; c < width; ++c)
                k[r * kTile + c] = c < b.size ? shift + sign * made[r * kTile + c] : 0.0;
        use(o, static_cast<const Real*>(k));
    });
}

template <class Use>
void KernelStack::each_kernel(StackWorker& worker, Index i, Index j, Use&& use) const {
    if (!stored()) return compute(worker, i, j, use);
    for (Index o = 0; o < set_.outputs(); ++o) {
        const std::size_t at = tile_place(i, j, o);
        if (occupied_[at])
            use(static_cast<int>(o), static_cast<const Real*>(tiles_.get() + at * kTileArea));
    }
}

Index KernelStack::tasks() const { return std::min(blocks(), kParts); }

template <class Visit>
void KernelStack::each_tile(Control& control, Visit&& visit) const {
    const Index n = rows(), step = tasks();
    const bool small = static_cast<double>(n) * static_cast<double>(n * size()) < kFewEntries;
    Control single(1);
    parallel_tasks(step, small ? single : control, [&](Index task, int worker_number) {
        StackWorker worker(set_.sample());
        for (Index i = task; i < blocks(); i += step) {
            for (Index j = i; j < blocks(); ++j) visit(task, worker, i, j);
            control.advance(static_cast<double>(blocks() - i), worker_number == 0);
        }
    });
}

void KernelStack::store(Control& control) {
    const std::size_t places = tile_place(blocks() - 1, blocks() - 1, set_.outputs() - 1) + 1;
    // Left as it comes: every tile is written by the worker that computes it.
    std::unique_ptr<Real[]> tiles(new Real[places * kTileArea]);
    occupied_.assign(places, 0);
    control.begin(tile_count(blocks()));
    each_tile(control, [&](Index, StackWorker& worker, Index i, Index j) {
        const Index rows = block(i).size, width = padded(block(j).size);
        compute(worker, i, j, [&](int o, const Real* tile) {
            const std::size_t at = tile_place(i, j, o);
            Real* to = tiles.get() + at * kTileArea;
            for (Index r = 0; r < rows; ++r) std::copy_n(tile + r * kTile, width, to + r * kTile);
            occupied_[at] = 1;
        });
    });
    tiles_ = std::move(tiles);
}

void KernelStack::combine(const ConstVectorRef& weights, MatrixRef out, Control& control) const {
    if (weights.size() != size() || out.rows() != rows() || out.cols() != rows())
        throw std::invalid_argument(
            "a sum of kernels needs a weight per kernel and an n x n result");
    if (!stored()) {
        const Sample& sample = set_.sample();
        gram(weighted_sum(set_, weights), sample.sources(), sample.blocks(), sample.sources(),
             sample.blocks(), out, control);
        return;
    }
    // Equal candidates share one stored kernel, which then has the sum of their weights.
    Vector shared = Vector::Zero(set_.outputs());
    for (Index k = 0; k < size(); ++k) shared(set_.output_of(k)) += weights(k);
    control.begin(tile_count(blocks()));
    each_tile(control, [&](Index, StackWorker& worker, Index i, Index j) {
        const Block &a = block(i), &b = block(j);
        const Index width = padded(b.size);
        Real* sum = worker.tile.data();
        std::fill(sum, sum + kTileArea, 0.0);
        for (Index o = 0; o < set_.outputs(); ++o) {
            const std::size_t at = tile_place(i, j, o);
            if (shared(o) == 0.0 || !occupied_[at]) continue;
            const Real* tile = tiles_.get() + at * kTileArea;
            const simd::Pack weight = simd::set(shared(o));
            for (Index r = 0; r < a.size; ++r)
                for (Index c = 0; c < width; c += simd::kWidth) {
                    Real* to = sum + r * kTile + c;
                    simd::store(to, weight * simd::load(tile + r * kTile + c) + simd::load(to));
                }
        }
        for (Index r = 0; r < a.size; ++r)
            std::copy_n(sum + r * kTile, b.size, &out(a.begin + r, b.begin));
        if (i == j) return;
        for (Index c = 0; c < b.size; ++c)
            for (Index r = 0; r < a.size; ++r) out(b.begin + c, a.begin + r) = sum[r * kTile + c];
    });
}

Matrix KernelStack::products(const ConstMatrixRef& vectors, Control& control) const {
    if (vectors.cols() != rows())
        throw std::invalid_argument("products of kernels need vectors with an entry per row");
    const Index n = rows(), count = vectors.rows();
    Matrix result(size() * count, n);
    if (!stored()) {
        control.begin(tile_count(blocks()));
        const std::vector<Matrix> made =
            stream_products(set_, std::vector<Matrix>(place(size()), vectors), control);
        for (Index k = 0; k < size(); ++k) result.middleRows(k * count, count) = made[place(k)];
        return result;
    }
    const RealMatrix weights = with_room(vectors);
    Matrix sums = Matrix::Zero(set_.outputs() * count, n);
    // One kernel is one task: nobody else adds to its rows.
    const bool small = static_cast<double>(n) * static_cast<double>(n * size()) < kFewEntries;
    Control single(1);
    control.begin(static_cast<double>(set_.outputs()));
    parallel_tasks(set_.outputs(), small ? single : control, [&](Index o, int worker) {
        Real row_lanes[kTile * kLanes], column_sums[kTile];
        for (Index i = 0; i < blocks(); ++i)
            for (Index j = i; j < blocks(); ++j) {
                const std::size_t at = tile_place(i, j, o);
                if (!occupied_[at]) continue;
                const Real* tile = tiles_.get() + at * kTileArea;
                const Block &a = block(i), &b = block(j);
                for (Index v = 0; v < count; ++v) {
                    const Real* w = weights.row(v).data();
                    std::fill(std::begin(row_lanes), std::end(row_lanes), 0.0);
                    sweep::run<false>(
                        tile, nullptr, a.size, padded(b.size), sweep::Keep{},
                        std::array<sweep::Weights, 1>{{{w + a.begin, w + b.begin}}},
                        std::array<sweep::Sums, 1>{{{row_lanes, column_sums, nullptr}}});
                    double* to = sums.row(o * count + v).data();
                    for (Index r = 0; r < a.size; ++r)
                        to[a.begin + r] += sweep::sum_of_row(row_lanes, r);
                    if (i == j) continue;
                    for (Index c = 0; c < b.size; ++c) to[b.begin + c] += column_sums[c];
                }
            }
        control.advance(1.0, worker == 0);
    });
    for (Index k = 0; k < size(); ++k)
        result.middleRows(k * count, count) = sums.middleRows(set_.output_of(k) * count, count);
    return result;
}

Vector KernelStack::inner(const ConstMatrixRef& g, Control& control) const {
    if (g.rows() != rows() || g.cols() != rows())
        throw std::invalid_argument("inner products with kernels need an n x n matrix");
    Matrix parts = Matrix::Zero(tasks(), set_.outputs());
    control.begin(tile_count(blocks()));
    each_tile(control, [&](Index task, StackWorker& worker, Index i, Index j) {
        const Block &a = block(i), &b = block(j);
        const Index width = padded(b.size);
        Buffer own(place(kTileArea), 0.0);
        for (Index r = 0; r < a.size; ++r)
            std::copy_n(g.row(a.begin + r).data() + b.begin, b.size, own.data() + r * kTile);
        each_kernel(worker, i, j, [&](int o, const Real* tile) {
            simd::Pack sum0 = simd::set(0.0), sum1 = simd::set(0.0);
            for (Index r = 0; r < a.size; ++r)
                for (Index c = 0; c < width; c += 2 * simd::kWidth) {
                    const Index at = r * kTile + c;
                    sum0 = simd::load(tile + at) * simd::load(own.data() + at) + sum0;
                    sum1 = simd::load(tile + at + simd::kWidth) *
                               simd::load(own.data() + at + simd::kWidth) +
                           sum1;
                }
            parts(task, o) += (i == j ? 1.0 : 2.0) * simd::sum(sum0 + sum1);
        });
    });
    Vector result(size());
    for (Index k = 0; k < size(); ++k) {
        double sum = 0.0;
        for (Index task = 0; task < tasks(); ++task) sum += parts(task, set_.output_of(k));
        result(k) = sum;
    }
    return result;
}

Matrix KernelStack::centred_products(Control& control) const {
    const Index n = rows(), outputs = set_.outputs();
    const Matrix ones = Matrix::Ones(1, n);
    const Matrix sums = products(ones, control);
    Matrix means = Matrix::Zero(outputs, n + kStrip);  // row means of each kernel
    for (Index k = 0; k < size(); ++k)
        means.row(set_.output_of(k)).head(n) = sums.row(k) / static_cast<double>(n);
    const Vector grand = means.rowwise().sum() / static_cast<double>(n);

    std::vector<linalg::ColMatrix> parts(place(tasks()), linalg::ColMatrix::Zero(outputs, outputs));
    control.begin(tile_count(blocks()));
    each_tile(control, [&](Index task, StackWorker& worker, Index i, Index j) {
        const Block &a = block(i), &b = block(j);
        Matrix entries = Matrix::Zero(outputs, a.size * b.size);
        each_kernel(worker, i, j, [&](int o, const Real* tile) {
            double* to = entries.row(o).data();
            for (Index r = 0; r < a.size; ++r)
                std::copy_n(tile + r * kTile, b.size, to + r * b.size);
        });
        for (Index o = 0; o < outputs; ++o) {
            double* to = entries.row(o).data();
            const double* mean = means.row(o).data();
            for (Index r = 0; r < a.size; ++r)
                for (Index c = 0; c < b.size; ++c)
                    to[r * b.size + c] -= mean[a.begin + r] + mean[b.begin + c] - grand(o);
        }
        // Rows of a row-major matrix are columns of its transpose.
        const Eigen::Map<const linalg::ColMatrix> columns(entries.data(), entries.cols(), outputs);
        serial::add_gram(i == j ? 1.0 : 2.0, columns, parts[place(task)]);
    });
    linalg::ColMatrix shared = linalg::ColMatrix::Zero(outputs, outputs);
    for (const linalg::ColMatrix& part : parts) shared += part;
    Matrix result(size(), size());
    for (Index k = 0; k < size(); ++k)
        for (Index l = 0; l < size(); ++l) {
            const Index o = set_.output_of(k), p = set_.output_of(l);
            result(k, l) = shared(std::max(o, p), std::min(o, p));
        }
    return result;
}

}  // namespace kernelect
