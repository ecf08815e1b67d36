#include "kernelect/tiles/tile_values.hpp"

#include <algorithm>
#include <cmath>

#include "kernelect/tiles/tile_map.hpp"
#include "tiles/leaf_tiles.hpp"
#include "tiles/normalization.hpp"

namespace kernelect {

Vector diagonal(const Program& program, const std::vector<Rows>& tables, Index rows) {
    std::vector<Vector> stack;
    const Program safe =
        in_range(program, [&](const Program& part) { return diagonal(part, tables, rows); });
    for (const Node& node : safe) {
        const Operation& known = operation(node.op);
        switch (known.role) {
            case Role::leaf: {
                Vector value = Vector::Ones(rows);
                if (!known.has_unit_diagonal()) {
                    const Rows* table = known.reads_rows() ? &tables[place(node.source)] : nullptr;
                    for (Index i = 0; i < rows; ++i)
                        value(i) = known.at_itself(node, table ? table->own_products()(i) : 0.0);
                }
                stack.push_back(std::move(value));
                break;
            }
            case Role::fold:
                for (int k = 1; k < node.count; ++k) {
                    const Vector top = std::move(stack.back());
                    stack.pop_back();
                    known.join(stack.back().data(), top.data(), rows);
                }
                break;
            case Role::scale:
                stack.back() *= node.a;
                break;
            case Role::normalize:
                // 1 where the kernel does not vanish; a vanishing row is left at 0.
                stack.back() = stack.back().unaryExpr([](double v) { return v > 0.0 ? 1.0 : 0.0; });
                break;
            case Role::power:
                stack.back() = stack.back().unaryExpr(
                    [&](double v) { return leaf_tiles::power(v, 1.0, node.count); });
                break;
        }
    }
    return stack.front();
}

PreparedProgram prepare(const Program& program, const std::vector<Rows>& left, Index left_rows,
                        const std::vector<Rows>& right, Index right_rows) {
    PreparedProgram prepared{in_range(program,
                                      [&](const Program& part) {
                                          Vector all(left_rows + right_rows);
                                          all << diagonal(part, left, left_rows),
                                              diagonal(part, right, right_rows);
                                          return all;
                                      }),
                             {},
                             {}};
    const Program& safe = prepared.program;
    std::vector<std::size_t> starts;  // where the expression of each value on the stack begins
    for (std::size_t k = 0; k < safe.size(); ++k) {
        const Node& node = safe[k];
        switch (operation(node.op).role) {
            case Role::leaf:
                starts.push_back(k);
                break;
            case Role::fold:
                starts.resize(starts.size() - place(node.count - 1));
                break;
            case Role::scale:
            case Role::power:
                break;
            case Role::normalize: {
                const Program part(safe.begin() + static_cast<std::ptrdiff_t>(starts.back()),
                                   safe.begin() + static_cast<std::ptrdiff_t>(k));
                const auto scales = [&](const std::vector<Rows>& tables, Index rows) {
                    return Vector(diagonal(part, tables, rows).unaryExpr([](double v) {
                        return v > 0.0 ? 1.0 / std::sqrt(v) : 0.0;
                    }));
                };
                prepared.left_scales.push_back(scales(left, left_rows));
                prepared.right_scales.push_back(&left == &right ? prepared.left_scales.back()
                                                                : scales(right, right_rows));
                break;
            }
        }
    }
    return prepared;
}

void TileValues::start(const Block& a, const Block& b) {
    a_ = a;
    b_ = b;
    for (Cached& cached : cache_) cached.fresh = false;
}

TileValues::BaseTile TileValues::base(Base base, int source) {
    auto found = std::find_if(cache_.begin(), cache_.end(), [&](const Cached& c) {
        return c.base == base && c.source == source;
    });
    if (found == cache_.end()) {
        cache_.push_back({base, source, false, {}, Buffer(kTileArea, 0.0)});
        found = cache_.end() - 1;
    }
    if (!found->fresh) {
        const std::size_t s = place(source);
        found->range = left_[s].base_tile(base, a_, right_[s], b_, found->tile.data(), scratch_);
        found->fresh = true;
    }
    return {found->tile.data(), found->range};
}

LeafTile TileValues::leaf_tile(const Node& node, Real* out) {
    const std::optional<Base>& needed = operation(node.op).base;
    return {needed ? base(*needed, node.source).entries : nullptr, out, a_.size, padded(b_.size)};
}

void TileValues::evaluate(const PreparedProgram& kernel, Real* out) {
    const Index rows = a_.size, width = padded(b_.size);
    std::size_t depth = 0, normalized = 0;
    const auto at = [&](std::size_t k) -> Real* {
        if (k == 0) return out;
        while (stack_.size() < k) stack_.emplace_back(kTileArea, 0.0);
        return stack_[k - 1].data();
    };
    for (const Node& node : kernel.program) {
        const Operation& known = operation(node.op);
        switch (known.role) {
            case Role::leaf:
                known.tile(node, leaf_tile(node, at(depth++)));
                break;
            case Role::fold:
                for (int k = 1; k < node.count; ++k, --depth) {
                    const Real* from = at(depth - 1);
                    Real* to = at(depth - 2);
                    for (Index i = 0; i < rows; ++i)
                        known.join(to + i * kTile, from + i * kTile, width);
                }
                break;
            case Role::scale: {
                Real* t = at(depth - 1);
                const simd::Pack factor = simd::set(node.a);
                map_tile(t, t, rows, width, [=](simd::Pack v) { return factor * v; });
                break;
            }
            case Role::normalize: {
                Real* t = at(depth - 1);
                const double* left = kernel.left_scales[normalized].data() + a_.begin;
                const double* right = kernel.right_scales[normalized].data() + b_.begin;
                ++normalized;
                for (Index i = 0; i < rows; ++i)
                    for (Index j = 0; j < b_.size; ++j) t[i * kTile + j] *= left[i] * right[j];
                break;
            }
            case Role::power: {
                Real* t = at(depth - 1);
                const simd::Pack one = simd::set(1.0);
                map_tile(t, t, rows, width, [one, degree = node.count](simd::Pack v) {
                    return leaf_tiles::power(v, one, degree);
                });
                break;
            }
        }
    }
    clear_padding(out);
}

void TileValues::evaluate_complement(const Node& leaf, Real* out) {
    operation(leaf.op).complement(leaf, leaf_tile(leaf, out));
    clear_padding(out);
}

void TileValues::clear_padding(Real* out) const {
    for (Index i = 0; i < a_.size; ++i)
        std::fill(out + i * kTile + b_.size, out + i * kTile + padded(b_.size), 0.0);
}

}  // namespace kernelect
