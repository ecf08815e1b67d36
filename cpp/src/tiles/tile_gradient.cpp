#include "tiles/tile_gradient.hpp"

#include <algorithm>

#include "kernelect/tiles/operations.hpp"
#include "tiles/leaf_tiles.hpp"

namespace kernelect {

TileGradient::TileGradient(const PreparedProgram& kernel, const std::vector<Rows>& rows)
    : kernel_(kernel),
      values_(kernel.program.size(), Buffer(kTileArea, 0.0)),
      adjoint_(values_),
      reached_(kernel.program.size()),
      by_base_(kTileArea),
      by_a_(kTileArea),
      by_b_(kTileArea),
      tiles_(rows, rows) {
    std::vector<std::size_t> stack;
    for (std::size_t k = 0; k < kernel.program.size(); ++k) {
        const Node& node = kernel.program[k];
        const Operation& known = operation(node.op);
        const std::ptrdiff_t count = known.is_leaf()            ? 0
                                     : known.role == Role::fold ? node.count
                                                                : 1;
        operands_.emplace_back(stack.end() - count, stack.end());
        stack.resize(stack.size() - place(count));
        stack.push_back(k);
        if (known.role == Role::normalize) normalize_.push_back(k);
    }
}

template <class Entry>
void TileGradient::each(const Entry& entry) const {
    for (Index i = 0; i < a_.size; ++i)
        for (Index j = 0; j < b_.size; ++j) entry(i, j, i * kTile + j);
}

const Real* TileGradient::forwards(const Block& a, const Block& b) {
    a_ = a;
    b_ = b;
    tiles_.start(a, b);
    std::size_t normalized = 0;
    for (std::size_t k = 0; k < kernel_.program.size(); ++k) {
        const Node& node = kernel_.program[k];
        const Operation& known = operation(node.op);
        Real* out = values_[k].data();
        if (known.is_leaf()) {
            const Real* base = known.base ? tiles_.base(*known.base, node.source).entries : nullptr;
            known.tile(node, {base, out, a.size, padded(b.size)});
            continue;
        }
        const Real* in = values_[operands_[k].front()].data();
        switch (known.role) {
            case Role::fold:
                std::copy(in, in + kTileArea, out);
                for (std::size_t o = 1; o < operands_[k].size(); ++o)
                    for (Index i = 0; i < a.size; ++i)
                        known.join(out + i * kTile, values_[operands_[k][o]].data() + i * kTile,
                                   b.size);
                break;
            case Role::scale:
                each([&](Index, Index, Index at) { out[at] = node.a * in[at]; });
                break;
            case Role::normalize: {
                const double* left = kernel_.left_scales[normalized].data() + a.begin;
                const double* right = kernel_.right_scales[normalized++].data() + b.begin;
                each([&](Index i, Index j, Index at) { out[at] = left[i] * right[j] * in[at]; });
                break;
            }
            case Role::power:
                each([&](Index, Index, Index at) {
                    out[at] = leaf_tiles::power(in[at], 1.0, node.count);
                });
                break;
            case Role::leaf:
                break;
        }
    }
    return values_.back().data();
}

void TileGradient::leaf_backwards(std::size_t k, Matrix& numbers) {
    const Node& node = kernel_.program[k];
    const Operation& known = operation(node.op);
    const Real* base = known.base ? tiles_.base(*known.base, node.source).entries : nullptr;
    known.slopes(node, {base, values_[k].data(), by_base_.data(), by_a_.data(), by_b_.data(),
                        a_.size, b_.size});
    Real* weights = adjoint_[k].data();
    double a = 0.0, b = 0.0;
    each([&](Index, Index, Index at) {
        a += weights[at] * by_a_[place(at)];
        b += weights[at] * by_b_[place(at)];
    });
    numbers(static_cast<Index>(k), 0) += a;
    numbers(static_cast<Index>(k), 1) += b;
    // From here on what is kept of a leaf is dJ/d|x - x'|^2; equal rows stay equal.
    if (known.base == Base::squared_distance)
        each([&](Index, Index, Index at) { weights[at] *= by_base_[place(at)]; });
    else if (known.base == Base::distance)
        each([&](Index, Index, Index at) {
            const double v = base[at];
            weights[at] = v > 0.0 ? weights[at] * by_base_[place(at)] / (2.0 * v) : 0.0;
        });
}

// Of each operand the product of the others, without a division.
void TileGradient::product_backwards(std::size_t k) {
    const std::vector<std::size_t>& operands = operands_[k];
    const Real* weights = adjoint_[k].data();
    Buffer& before = by_base_;
    each([&](Index, Index, Index at) { before[place(at)] = weights[at]; });
    for (const std::size_t o : operands) {
        const Real* value = values_[o].data();
        Real* out = adjoint_[o].data();
        each([&](Index, Index, Index at) {
            out[at] = before[place(at)];
            before[place(at)] *= value[at];
        });
    }
    Buffer& after = by_a_;
    each([&](Index, Index, Index at) { after[place(at)] = 1.0; });
    for (auto o = operands.rbegin(); o != operands.rend(); ++o) {
        const Real* value = values_[*o].data();
        Real* out = adjoint_[*o].data();
        each([&](Index, Index, Index at) {
            out[at] *= after[place(at)];
            after[place(at)] *= value[at];
        });
    }
}

void TileGradient::backwards(std::size_t from, Matrix& numbers) {
    std::fill(reached_.begin(), reached_.end(), false);
    reached_[from] = true;
    std::size_t normalized = normalize_.size();
    for (std::size_t k = kernel_.program.size(); k-- > 0;) {
        const Node& node = kernel_.program[k];
        const Operation& known = operation(node.op);
        if (known.role == Role::normalize) --normalized;
        if (!reached_[k]) continue;
        const Real* weights = adjoint_[k].data();
        for (const std::size_t o : operands_[k]) reached_[o] = true;
        const std::size_t below = operands_[k].empty() ? k : operands_[k].front();
        Real* out = adjoint_[below].data();
        const Real* value = values_[below].data();
        switch (known.role) {
            case Role::leaf:
                leaf_backwards(k, numbers);
                break;
            case Role::fold:
                if (node.op == Op::product) {
                    product_backwards(k);
                } else {
                    for (const std::size_t o : operands_[k])
                        std::copy(weights, weights + kTileArea, adjoint_[o].data());
                }
                break;
            case Role::scale: {
                double sum = 0.0;
                each([&](Index, Index, Index at) {
                    sum += weights[at] * value[at];
                    out[at] = node.a * weights[at];
                });
                numbers(static_cast<Index>(k), 0) += node.a * sum;
                break;
            }
            case Role::normalize: {
                // Its own diagonal is 1 whatever happens.
                if (from + 1 != kernel_.program.size()) {
                    reached_[below] = false;
                    break;
                }
                const double* left = kernel_.left_scales[normalized].data() + a_.begin;
                const double* right = kernel_.right_scales[normalized].data() + b_.begin;
                each([&](Index i, Index j, Index at) {
                    out[at] = left[i] * right[j] * weights[at];
                });
                break;
            }
            case Role::power:
                each([&](Index, Index, Index at) {
                    out[at] = weights[at] * node.count *
                              leaf_tiles::power(value[at], 1.0, node.count - 1);
                });
                break;
        }
    }
}

// K_ij / sqrt(k_i k_j) falls by half of itself over k_i, and J by both of the pairs (i, j), (j, i).
void TileGradient::add_diagonal_weights(std::size_t which, double* rows) const {
    const std::size_t k = normalize_[which];
    const Real *weights = adjoint_[k].data(), *values = values_[k].data();
    const double* left = kernel_.left_scales[which].data() + a_.begin;
    each(
        [&](Index i, Index, Index at) { rows[i] -= weights[at] * values[at] * left[i] * left[i]; });
}

void TileGradient::diagonal_backwards(std::size_t which, const double* rows, Matrix& numbers) {
    const std::size_t below = operands_[normalize_[which]].front();
    std::fill(adjoint_[below].begin(), adjoint_[below].end(), 0.0);
    for (Index i = 0; i < a_.size; ++i) adjoint_[below][place(i * kTile + i)] = rows[i];
    backwards(below, numbers);
}

}  // namespace kernelect
