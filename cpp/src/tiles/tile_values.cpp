#include "kernelect/tiles/tile_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernelect/base/simd.hpp"

namespace kernelect {
namespace {

using simd::Pack;

double power(double base, int degree) {
    double result = 1.0;
    for (; degree > 0; degree /= 2, base *= base)
        if (degree % 2 == 1) result *= base;
    return result;
}

// out = f(in) over the rows of a tile, four entries at a time.
template <class Function>
void map_tile(const double* in, double* out, Index rows, Index width, Function f) {
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < width; j += simd::kWidth)
            simd::store(out + i * kTile + j, f(simd::load(in + i * kTile + j)));
}

Pack pack_power(Pack base, int degree) {
    Pack result = simd::set(1.0);
    for (; degree > 0; degree /= 2, base = base * base)
        if (degree % 2 == 1) result = result * base;
    return result;
}

// exp(-s) is zero from here on, and the polynomial before it still finite.
constexpr double kFar = 1e3;
static_assert(kFar > simd::kExpLimit);

// Coefficients of s^2, s^3, ... in 1 - (1 + s + third s^2) exp(-s): minus those of the product of
// the polynomial with the exponential series. They end where s^k / k! is below rounding for s < 1.
constexpr int kSeries = 18;
std::array<double, kSeries> matern_series(double third) {
    std::array<double, kSeries> c{};
    std::array<double, kSeries + 2> inverse{};  // 1 / k!
    inverse[0] = 1.0;
    for (std::size_t k = 1; k < inverse.size(); ++k)
        inverse[k] = inverse[k - 1] / static_cast<double>(k);
    for (std::size_t k = 2; k < inverse.size(); ++k) {
        const double sign = k % 2 == 0 ? 1.0 : -1.0;
        c[k - 2] = -sign * (inverse[k] - inverse[k - 1] + third * inverse[k - 2]);
    }
    c[1] = third > 0.0 ? 0.0 : c[1];  // exactly zero for smoothness 5/2
    return c;
}
const std::array<double, kSeries> kMatern32 = matern_series(0.0);
const std::array<double, kSeries> kMatern52 = matern_series(1.0 / 3.0);

}  // namespace

Vector diagonal(const Program& program, const std::vector<Rows>& tables, Index rows) {
    std::vector<Vector> stack;
    for (const Node& node : program) {
        const auto top = [&](int k) -> Vector& {
            return stack[stack.size() - static_cast<std::size_t>(k)];
        };
        if (is_leaf(node.op)) {
            Vector value = Vector::Constant(rows, node.op == Op::constant ? node.a : 1.0);
            if (node.op == Op::linear || node.op == Op::precomputed)
                value = tables[static_cast<std::size_t>(node.source)].squared_norms();
            if (node.op == Op::polynomial) {
                const Vector& norms = tables[static_cast<std::size_t>(node.source)].squared_norms();
                for (Index i = 0; i < rows; ++i)
                    value(i) = power(node.b + node.a * norms(i), node.count);
            }
            stack.push_back(std::move(value));
        } else if (node.op == Op::scale) {
            top(1) *= node.a;
        } else if (node.op == Op::normalize) {
            // 1 where the kernel does not vanish; a vanishing row is left at 0.
            top(1) = top(1).unaryExpr([](double v) { return v > 0.0 ? 1.0 : 0.0; });
        } else {
            for (int k = 1; k < node.count; ++k) {
                if (node.op == Op::sum)
                    top(2) += top(1);
                else
                    top(2).array() *= top(1).array();
                stack.pop_back();
            }
        }
    }
    return stack.front();
}

PreparedProgram prepare(const Program& program, const std::vector<Rows>& left, Index left_rows,
                        const std::vector<Rows>& right, Index right_rows) {
    PreparedProgram prepared{program, {}, {}};
    std::vector<std::size_t> starts;  // where the expression of each value on the stack begins
    for (std::size_t k = 0; k < program.size(); ++k) {
        const Node& node = program[k];
        if (is_leaf(node.op)) {
            starts.push_back(k);
        } else if (node.op == Op::normalize) {
            const Program part(program.begin() + static_cast<std::ptrdiff_t>(starts.back()),
                               program.begin() + static_cast<std::ptrdiff_t>(k));
            const auto scales = [&](const std::vector<Rows>& tables, Index rows) {
                return Vector(diagonal(part, tables, rows).unaryExpr([](double v) {
                    return v > 0.0 ? 1.0 / std::sqrt(v) : 0.0;
                }));
            };
            prepared.left_scales.push_back(scales(left, left_rows));
            prepared.right_scales.push_back(&left == &right ? prepared.left_scales.back()
                                                            : scales(right, right_rows));
        } else if (node.op != Op::scale) {
            starts.resize(starts.size() - static_cast<std::size_t>(node.count - 1));
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
        const std::size_t s = static_cast<std::size_t>(source);
        found->range = left_[s].base_tile(base, a_, right_[s], b_, found->tile.data(), scratch_);
        found->fresh = true;
    }
    return {found->tile.data(), found->range};
}

void TileValues::leaf(const Node& node, double* out) {
    const Index rows = a_.size, width = padded(b_.size);
    if (node.op == Op::constant) {
        map_tile(out, out, rows, width, [&](Pack) { return simd::set(node.a); });
        return;
    }
    const double* in = base(base_of(node.op), node.source).entries;
    const Pack a = simd::set(node.a), b = simd::set(node.b), one = simd::set(1.0);
    const Pack far = simd::set(kFar);
    switch (node.op) {
        case Op::gaussian:
        case Op::laplacian:
        case Op::matern12:
            map_tile(in, out, rows, width, [&](Pack v) { return simd::exp_negative(a * v); });
            break;
        case Op::matern32:
            map_tile(in, out, rows, width, [&](Pack v) {
                const Pack s = simd::min(a * v, far);
                return (one + s) * simd::exp_negative(s);
            });
            break;
        case Op::matern52:
            map_tile(in, out, rows, width, [&](Pack v) {
                const Pack s = simd::min(a * v, far);
                return (one + s + s * s * simd::set(1.0 / 3.0)) * simd::exp_negative(s);
            });
            break;
        case Op::polynomial:
            map_tile(in, out, rows, width,
                     [&](Pack v) { return pack_power(a * v + b, node.count); });
            break;
        default:
            map_tile(in, out, rows, width, [](Pack v) { return v; });
    }
}

void TileValues::evaluate(const PreparedProgram& kernel, double* out) {
    const Index rows = a_.size, width = padded(b_.size);
    std::size_t depth = 0, normalized = 0;
    const auto at = [&](std::size_t k) -> double* {
        if (k == 0) return out;
        while (stack_.size() < k) stack_.emplace_back(kTileArea, 0.0);
        return stack_[k - 1].data();
    };
    for (const Node& node : kernel.program) {
        if (is_leaf(node.op)) {
            leaf(node, at(depth++));
        } else if (node.op == Op::scale) {
            double* t = at(depth - 1);
            map_tile(t, t, rows, width, [&](Pack v) { return simd::set(node.a) * v; });
        } else if (node.op == Op::normalize) {
            double* t = at(depth - 1);
            const double* left = kernel.left_scales[normalized].data() + a_.begin;
            const double* right = kernel.right_scales[normalized].data() + b_.begin;
            ++normalized;
            for (Index i = 0; i < rows; ++i)
                for (Index j = 0; j < b_.size; ++j) t[i * kTile + j] *= left[i] * right[j];
        } else {
            for (int k = 1; k < node.count; ++k, --depth) {
                const double* from = at(depth - 1);
                double* to = at(depth - 2);
                const bool sum = node.op == Op::sum;
                for (Index i = 0; i < rows; ++i)
                    for (Index j = 0; j < width; ++j) {
                        const Index e = i * kTile + j;
                        to[e] = sum ? to[e] + from[e] : to[e] * from[e];
                    }
            }
        }
    }
    clear_padding(out);
}

void TileValues::evaluate_complement(const Node& matern, double* out) {
    const Pack a = simd::set(matern.a), one = simd::set(1.0);
    const bool third = matern.op == Op::matern52;
    map_tile(base(Base::distance, matern.source).entries, out, a_.size, padded(b_.size),
             [&](Pack v) {
                 const Pack s = simd::min(a * v, simd::set(kFar));
                 Pack series = simd::set(0.0);
                 const double* c = third ? kMatern52.data() : kMatern32.data();
                 for (int k = kSeries - 1; k >= 0; --k) series = series * s + simd::set(c[k]);
                 Pack polynomial = s;  // K = (1 + polynomial) exp(-s)
                 if (third) polynomial += s * s * simd::set(1.0 / 3.0);
                 const Pack direct =
                     simd::one_minus_exp_negative(s) - polynomial * simd::exp_negative(s);
                 return simd::select(simd::less(s, one), s * s * series, direct);
             });
    clear_padding(out);
}

void TileValues::clear_padding(double* out) const {
    for (Index i = 0; i < a_.size; ++i)
        std::fill(out + i * kTile + b_.size, out + i * kTile + padded(b_.size), 0.0);
}

}  // namespace kernelect
