#include "kernelect/tiles/sampled_sums.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <type_traits>

#include "kernelect/base/parallel.hpp"
#include "tiles/lanes.hpp"

namespace kernelect {
namespace {

// Blocks of all rows that are summed as one: their sums are added to the others' in a fixed order.
constexpr Index kBlocks = 16;

// What a pass sums of every output: for each of the others one number per class, one per vector and
// that of squares; and for each group of them one number.
struct Lanes {
    Lanes(const KernelSet& set, Index vectors)
        : classes(set.sample().classes()),
          each(classes + vectors + 1),
          others(set.others().size()),
          groups(set.others().classes()),
          sums(Matrix::Zero(set.outputs() * each, others)),
          spreads(Matrix::Zero(set.outputs(), groups)) {}

    double* of_class(Index o, int group) { return sums.row(o * each + group).data(); }
    double* of_vector(Index o, Index v) { return sums.row(o * each + classes + v).data(); }
    double* of_squares(Index o) { return sums.row((o + 1) * each - 1).data(); }

    Index classes, each, others, groups;
    Matrix sums, spreads;
};

// One thread's place of work.
class Worker {
  public:
    Worker(const KernelSet& set, const RealMatrix& vectors, const RealMatrix& weights)
        : set_(set),
          vectors_(vectors),
          weights_(weights),
          values_(set.sample().sources(), set.others().sources()),
          tile_(place(kTileArea)),
          panel_(place(set.outputs() * PanelWorker::kPanel)),
          columns_(place(kTile)),
          ones_(place(kTile)) {
        std::fill(ones_.begin(), ones_.end(), 1.0);
    }

    // One block of all rows against the others, group by group.
    void add(const Block& a, Lanes& to) {
        const simd::FlushDenormals flush;
        const std::vector<Block>& blocks = set_.others().blocks();
        for (auto b = blocks.begin(); b != blocks.end();) {
            std::fill(panel_.begin(), panel_.end(), 0.0);
            const int group = b->group;
            for (; b != blocks.end() && b->group == group; ++b) add(a, *b, to);
            for (Index o = 0; o < set_.outputs(); ++o)
                for (Index i = 0; i < a.size; ++i) {
                    const double sum = sweep::sum_of_row(panel(o), i);
                    to.spreads(o, group) += sum * sum;
                }
        }
    }

  private:
    Real* panel(Index o) { return panel_.data() + o * PanelWorker::kPanel; }

    void add(const Block& a, const Block& b, Lanes& to) {
        const Index width = padded(b.size);
        set_.walk<1>(values_, tile_.data(), a, b,
                     [&](std::array<int, 1> outputs, const Real* in, Real* out, const auto& first) {
                         const int o = outputs[0];
                         const std::array<sweep::Weights, 1> both{
                             {{ones_.data(), weights_.data() + b.begin}}};
                         sweep::run<false>(
                             in, out, a.size, width, first, both,
                             std::array<sweep::Sums, 1>{{{panel(o), columns_.data(), nullptr}}});
                         keep(b, to.of_class(o, a.group));
                         const Real* made = std::decay_t<decltype(first)>::writes ? out : in;
                         sum_columns(made, a, width, sweep::Squared{}, ones_.data());
                         keep(b, to.of_squares(o));
                         for (Index v = 0; v < vectors_.rows(); ++v) {
                             sum_columns(made, a, width, sweep::Keep{},
                                         vectors_.row(v).data() + a.begin);
                             keep(b, to.of_vector(o, v));
                         }
                     });
    }

    template <class Entry>
    void sum_columns(const Real* made, const Block& a, Index width, const Entry& entry,
                     const Real* weights) {
        sweep::run<false>(made, nullptr, a.size, width, entry,
                          std::array<sweep::RowWeights, 1>{{{weights}}},
                          std::array<sweep::Sums, 1>{{{nullptr, columns_.data(), nullptr}}});
    }

    void keep(const Block& b, double* lane) const {
        for (Index c = 0; c < b.size; ++c) lane[b.begin + c] += columns_[place(c)];
    }

    const KernelSet& set_;
    const RealMatrix& vectors_;
    const RealMatrix& weights_;
    TileValues values_;
    Buffer tile_, panel_, columns_, ones_;
};

// The sums of the parts, each added when all before it are.
class InOrder {
  public:
    InOrder(const KernelSet& set, Index vectors, Index parts)
        : whole_(set, vectors), waiting_(place(parts)) {}

    void add(Index part, std::unique_ptr<Lanes> lanes) {
        const std::scoped_lock lock(mutex_);
        waiting_[place(part)] = std::move(lanes);
        for (; next_ < waiting_.size() && waiting_[next_]; ++next_) {
            whole_.sums += waiting_[next_]->sums;
            whole_.spreads += waiting_[next_]->spreads;
            waiting_[next_].reset();
        }
    }
    Lanes& whole() { return whole_; }

  private:
    Lanes whole_;
    std::vector<std::unique_ptr<Lanes>> waiting_;
    std::size_t next_ = 0;
    std::mutex mutex_;
};

SampledSums sums_of(const KernelSet& set, Lanes& whole, Index candidate) {
    const Index o = set.output_of(candidate);
    const std::vector<Index>& order = set.others().order();
    const Index vectors = whole.each - whole.classes - 1;
    SampledSums sums;
    sums.shift = set.shift(o);
    sums.sign = set.sign(o);
    const Vector own =
        diagonal(set.program(candidate), set.sample().sources(), set.sample().size());
    for (Index i = 0; i < own.size(); ++i) sums.trace += own(i);  // in order, whatever the level
    sums.by_class.resize(whole.classes, whole.others);
    sums.products.resize(vectors, whole.others);
    sums.squares.resize(whole.others);
    for (Index j = 0; j < whole.others; ++j) {
        const Index to = order[place(j)];
        for (Index k = 0; k < whole.classes; ++k)
            sums.by_class(k, to) = whole.of_class(o, static_cast<int>(k))[j];
        for (Index v = 0; v < vectors; ++v) sums.products(v, to) = whole.of_vector(o, v)[j];
        sums.squares(to) = whole.of_squares(o)[j];
    }
    sums.spreads = whole.spreads.row(o).transpose();
    return sums;
}

}  // namespace

std::vector<SampledSums> sampled_sums(const KernelSet& set, const ConstMatrixRef& vectors,
                                      const ConstVectorRef& weights, Control& control) {
    const Sample &sample = set.sample(), &others = set.others();
    if (weights.size() != others.size() || (vectors.rows() > 0 && vectors.cols() != sample.size()))
        throw std::invalid_argument(
            "sampled sums need a weight for each of the others, and vectors of all rows");
    const RealMatrix all = with_room(vectors);
    const RealMatrix own = with_room(others.sorted(weights).transpose());
    const auto blocks = static_cast<Index>(sample.blocks().size());
    const Index parts = (blocks + kBlocks - 1) / kBlocks;
    InOrder sums(set, vectors.rows(), parts);
    std::vector<std::unique_ptr<Worker>> workers(place(std::max(control.threads(), 1)));
    control.begin(static_cast<double>(blocks));
    parallel_tasks(parts, control, [&](Index part, int worker) {
        std::unique_ptr<Worker>& mine = workers[place(worker)];
        if (!mine) mine = std::make_unique<Worker>(set, all, own);
        auto lanes = std::make_unique<Lanes>(set, vectors.rows());
        for (Index k = part * kBlocks; k < std::min((part + 1) * kBlocks, blocks); ++k) {
            mine->add(sample.blocks()[place(k)], *lanes);
            control.advance(1.0, worker == 0);
        }
        sums.add(part, std::move(lanes));
    });
    std::vector<SampledSums> result;
    for (Index k = 0; k < set.candidates(); ++k) result.push_back(sums_of(set, sums.whole(), k));
    return result;
}

}  // namespace kernelect
