#include "kernelect/streams.hpp"

#include <algorithm>

#include "kernelect/schedule.hpp"

namespace kernelect {
namespace {

// Running sums of vectors of length n ("lanes"), several per kernel. A tile adds its row sums to
// the rows of its panel and its column sums to the rows of its column block.
class Lanes {
  public:
    Lanes(Index n, const std::vector<Index>& per_output) : n_(n) {
        for (const Index count : per_output) {
            first_.push_back(total_);
            total_ += count;
        }
        first_.push_back(total_);
        sums_.assign(static_cast<std::size_t>(total_ * n), 0.0);
    }

    Index total() const { return total_; }
    Index first(Index output) const { return first_[static_cast<std::size_t>(output)]; }
    double* lane(Index k) { return sums_.data() + k * n_; }
    Matrix rows(Index first, Index count) const {
        return Eigen::Map<const Matrix>(sums_.data() + first * n_, count, n_);
    }

  private:
    Index n_, total_ = 0;
    std::vector<Index> first_;
    std::vector<double> sums_;
};

// What one worker holds: a tile, the row sums of its panel, the column sums of the present tile.
struct Worker {
    Worker(const Sample& sample, Index lanes)
        : values(sample.sources(), sample.sources()),
          tile(static_cast<std::size_t>(kTileArea)),
          panel(static_cast<std::size_t>(lanes * kTile)),
          columns(static_cast<std::size_t>(lanes * kTile)),
          touched(static_cast<std::size_t>(lanes)) {}

    TileValues values;
    std::vector<double> tile, panel, columns;
    std::vector<char> touched;  // lanes to which the present tile has column sums

    void add_rows(Index lane, const double* sums, Index count) {
        double* to = panel.data() + lane * kTile;
        for (Index i = 0; i < count; ++i) to[i] += sums[i];
    }
    double* column_sums(Index lane) {
        touched[static_cast<std::size_t>(lane)] = 1;
        return columns.data() + lane * kTile;
    }
};

// Runs `visit(worker, a, b)` over all tiles and sees to it that the lanes are summed in a fixed
// order; visit adds row sums to the worker's panel and writes column sums.
template <class Visit>
void run_tiles(const Sample& sample, Lanes& lanes, Control& control, Visit&& visit) {
    const std::vector<Block>& blocks = sample.blocks();
    const Index count = static_cast<Index>(blocks.size());
    std::vector<std::unique_ptr<Worker>> workers(
        static_cast<std::size_t>(std::max(control.threads(), 1)));
    const auto at = [&](Index i) -> const Block& { return blocks[static_cast<std::size_t>(i)]; };
    symmetric_tiles(
        count, control,
        [&](int w, Index) {
            auto& worker = workers[static_cast<std::size_t>(w)];
            if (!worker) worker = std::make_unique<Worker>(sample, lanes.total());
            std::fill(worker->panel.begin(), worker->panel.end(), 0.0);
        },
        [&](int w, Index i, Index j) {
            const simd::FlushDenormals flush;
            Worker& worker = *workers[static_cast<std::size_t>(w)];
            std::fill(worker.touched.begin(), worker.touched.end(), char{0});
            visit(worker, at(i), at(j));
        },
        [&](int w, Index, Index j) {
            Worker& worker = *workers[static_cast<std::size_t>(w)];
            for (Index lane = 0; lane < lanes.total(); ++lane) {
                if (!worker.touched[static_cast<std::size_t>(lane)]) continue;
                double* to = lanes.lane(lane) + at(j).begin;
                const double* from = worker.columns.data() + lane * kTile;
                for (Index r = 0; r < at(j).size; ++r) to[r] += from[r];
            }
        },
        [&](int w, Index i) {
            const Worker& worker = *workers[static_cast<std::size_t>(w)];
            for (Index lane = 0; lane < lanes.total(); ++lane) {
                double* to = lanes.lane(lane) + at(i).begin;
                const double* from = worker.panel.data() + lane * kTile;
                for (Index r = 0; r < at(i).size; ++r) to[r] += from[r];
            }
        });
}

// A copy with room behind the last entry, so that padded columns may be read.
Matrix with_room(const Matrix& vectors) {
    Matrix out = Matrix::Zero(vectors.rows(), vectors.cols() + kStrip);
    out.leftCols(vectors.cols()) = vectors;
    return out;
}

}  // namespace

std::vector<KernelSums> stream_sums(const KernelSet& set, const SumsRequest& request,
                                    Control& control) {
    const Sample& sample = set.sample();
    const Index n = sample.size(), classes = sample.classes(), vectors = request.vectors.rows();
    // Lanes of a candidate: one per class, one per vector, one for the row squares of a general
    // kernel, one whose entries add up to the sum of squares of a complement. The square of a
    // candidate that is no candidate itself needs its total sums only.
    std::vector<Index> lanes_of;
    for (Index o = 0; o < set.outputs(); ++o) {
        const bool candidate = set.is_candidate(o);
        const bool extra = request.squares && candidate && (set.is_general(o) || set.complement(o));
        lanes_of.push_back(candidate ? classes + vectors + (extra ? 1 : 0) : 1);
    }
    Lanes lanes(n, lanes_of);
    const Matrix weights = with_room(request.vectors);

    run_tiles(sample, lanes, control, [&](Worker& worker, const Block& a, const Block& b) {
        const bool diagonal = a.begin == b.begin;
        const Index width = padded(b.size);
        double row_sums[kTile], unused[kTile];
        const auto columns_at = [&](Index lane) {
            return diagonal ? unused : worker.column_sums(lane);
        };
        set.walk(worker.values, worker.tile.data(), a, b,
                 [&](int o, const double* in, double* out, const auto& entry) {
                     const Index first = lanes.first(o);
                     if (!set.is_candidate(o)) {
                         sweep::run<false>(in, out, a.size, width, entry, sweep::Unit{}, row_sums,
                                           columns_at(first));
                         worker.add_rows(first, row_sums, a.size);
                         return;
                     }
                     double* columns = columns_at(first + a.group);
                     const bool squares =
                         request.squares && set.complement(o) && !set.is_general(o);
                     const double square_sum =
                         squares ? sweep::run<true>(in, out, a.size, width, entry, sweep::Unit{},
                                                    row_sums, columns)
                                 : sweep::run<false>(in, out, a.size, width, entry, sweep::Unit{},
                                                     row_sums, columns);
                     worker.add_rows(first + b.group, row_sums, a.size);
                     const double* made = std::decay_t<decltype(entry)>::writes ? out : in;
                     for (Index v = 0; v < vectors; ++v) {
                         const Index lane = first + classes + v;
                         const sweep::Weights w{weights.row(v).data() + a.begin,
                                                weights.row(v).data() + b.begin};
                         sweep::run<false>(made, out, a.size, width, sweep::Keep{}, w, row_sums,
                                           columns_at(lane));
                         worker.add_rows(lane, row_sums, a.size);
                     }
                     if (!request.squares) return;
                     const Index lane = first + classes + vectors;
                     if (squares) {
                         const double share = diagonal ? square_sum : 2.0 * square_sum;
                         worker.add_rows(lane, &share, 1);
                     } else if (set.is_general(o)) {
                         sweep::run<false>(made, out, a.size, width, sweep::Squared{},
                                           sweep::Unit{}, row_sums, columns_at(lane));
                         worker.add_rows(lane, row_sums, a.size);
                     }
                 });
    });

    std::vector<KernelSums> result(static_cast<std::size_t>(set.candidates()));
    for (Index k = 0; k < set.candidates(); ++k) {
        KernelSums& sums = result[static_cast<std::size_t>(k)];
        const Index o = set.output_of(k);
        sums.shift = set.shift(o);
        sums.sign = set.sign(o);
        sums.by_class = lanes.rows(lanes.first(o), classes);
        sums.products = lanes.rows(lanes.first(o) + classes, vectors);
        if (!request.squares) continue;
        const auto row_sums = [&](Index output) {  // of K
            const Matrix lane =
                lanes.rows(lanes.first(output), set.is_candidate(output) ? classes : 1);
            return Vector((set.sign(output) * lane.colwise().sum().array() +
                           static_cast<double>(n) * set.shift(output))
                              .transpose());
        };
        const auto extra = [&] { return lanes.rows(lanes.first(o) + classes + vectors, 1); };
        if (set.is_general(o)) {  // E = +-(K - shift), so K^2 = E^2 + 2 shift K - shift^2
            const Vector squares = extra().transpose();
            sums.square_sum = squares.sum();
            sums.row_squares = squares.array() + 2.0 * sums.shift * row_sums(o).array() -
                               static_cast<double>(n) * sums.shift * sums.shift;
        } else {
            sums.row_squares = row_sums(set.square_of(o));
            sums.square_sum = set.complement(o) ? extra().sum() : sums.row_squares.sum();
        }
    }
    return result;
}

std::vector<Matrix> stream_products(const KernelSet& set, const std::vector<Matrix>& vectors,
                                    Control& control) {
    const Sample& sample = set.sample();
    const Index n = sample.size();
    // Equal candidates share an output; their vectors are equal too, and the last ones are taken.
    std::vector<Index> lanes_of(static_cast<std::size_t>(set.outputs()), 0);
    std::vector<Matrix> weights(static_cast<std::size_t>(set.outputs()));
    for (Index k = 0; k < set.candidates(); ++k) {
        const std::size_t o = static_cast<std::size_t>(set.output_of(k));
        lanes_of[o] = vectors[static_cast<std::size_t>(k)].rows();
        weights[o] = with_room(vectors[static_cast<std::size_t>(k)]);
    }
    Lanes lanes(n, lanes_of);
    run_tiles(sample, lanes, control, [&](Worker& worker, const Block& a, const Block& b) {
        const bool diagonal = a.begin == b.begin;
        const Index width = padded(b.size);
        double row_sums[kTile], unused[kTile];
        set.walk(worker.values, worker.tile.data(), a, b,
                 [&](int o, const double* in, double* out, const auto& entry) {
                     const Matrix& given = weights[static_cast<std::size_t>(o)];
                     for (Index v = 0; v < given.rows(); ++v) {
                         const Index lane = lanes.first(o) + v;
                         const sweep::Weights w{given.row(v).data() + a.begin,
                                                given.row(v).data() + b.begin};
                         double* columns = diagonal ? unused : worker.column_sums(lane);
                         if (v == 0) {
                             sweep::run<false>(in, out, a.size, width, entry, w, row_sums, columns);
                         } else {
                             const double* made = std::decay_t<decltype(entry)>::writes ? out : in;
                             sweep::run<false>(made, out, a.size, width, sweep::Keep{}, w, row_sums,
                                               columns);
                         }
                         worker.add_rows(lane, row_sums, a.size);
                     }
                 });
    });
    std::vector<Matrix> result;
    for (Index k = 0; k < set.candidates(); ++k) {
        const Matrix& v = vectors[static_cast<std::size_t>(k)];
        const Index o = set.output_of(k);
        // K v = shift 1 (1'v) + sign E v
        Matrix product = set.sign(o) * lanes.rows(lanes.first(o), v.rows());
        if (set.shift(o) != 0.0) product.colwise() += set.shift(o) * v.rowwise().sum();
        result.push_back(std::move(product));
    }
    return result;
}

}  // namespace kernelect
