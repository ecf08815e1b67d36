#pragma once

#include <cmath>
#include <stdexcept>
#include <vector>

#include "kernelect/tiles/kernels.hpp"
#include "kernelect/tiles/sample.hpp"

// Kernel matrices written out entry by entry in extended precision: what the streams must agree
// with.
namespace explicit_kernels {

using namespace kernelect;
using Long = long double;

// Numbers without structure, the same on every machine.
inline Matrix noise(Index rows, Index columns, unsigned seed = 1) {
    Matrix out(rows, columns);
    std::uint64_t state = 0x9E3779B97F4A7C15ull * (seed + 1);
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) {
            double sum = 0.0;  // of four uniform numbers: nearly normal
            for (int k = 0; k < 4; ++k) {
                state = state * 6364136223846793005ull + 1442695040888963407ull;
                sum += static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
            }
            out(i, j) = sum;
        }
    return out;
}

inline Program gaussian(double rate) { return {{Op::gaussian, rate, 0.0, 0, 0}}; }
inline Program leaf(Op op, double a = 0.0, double b = 0.0, int degree = 0) {
    return {{op, a, b, degree, 0}};
}
inline Program joined(const Program& first, const Program& second, Op op) {
    Program out = first;
    out.insert(out.end(), second.begin(), second.end());
    out.push_back({op, 0.0, 0.0, 2, 0});
    return out;
}
inline Program then(Program program, Op op, double a = 0.0) {
    program.push_back({op, a, 0.0, 0, 0});
    return program;
}

// x in K = exp(-x) of the kernels that are written so.
inline Long exponent(const Node& node, Long squared) {
    const Long a = node.a, b = node.b;
    if (node.op == Op::rational_quadratic) return b * std::log1p(a * squared);
    const Long sine = std::sin(std::acos(Long{-1}) * std::remainder(std::sqrt(squared), b) / b);
    return a * sine * sine;
}

inline Long entry(const Program& program, const Matrix& x, Index i, const Matrix& y, Index j) {
    Long squared = 0, absolute = 0, dot = 0;
    for (Index f = 0; f < x.cols(); ++f) {
        const Long d = static_cast<Long>(x(i, f)) - static_cast<Long>(y(j, f));
        squared += d * d;
        absolute += std::fabs(d);
        dot += static_cast<Long>(x(i, f)) * static_cast<Long>(y(j, f));
    }
    std::vector<Long> stack;
    for (std::size_t k = 0; k < program.size(); ++k) {
        const Node& node = program[k];
        const Long a = node.a, s = a * std::sqrt(squared);
        switch (node.op) {
            case Op::gaussian:
                stack.push_back(std::exp(-a * squared));
                break;
            case Op::laplacian:
                stack.push_back(std::exp(-a * absolute));
                break;
            case Op::matern12:
                stack.push_back(std::exp(-s));
                break;
            case Op::matern32:
                stack.push_back((1 + s) * std::exp(-s));
                break;
            case Op::matern52:
                stack.push_back((1 + s + s * s / 3) * std::exp(-s));
                break;
            case Op::rational_quadratic:
            case Op::periodic:
                stack.push_back(std::exp(-exponent(node, squared)));
                break;
            case Op::polynomial:
                stack.push_back(std::pow(static_cast<Long>(node.b) + a * dot, node.count));
                break;
            case Op::linear:
                stack.push_back(dot);
                break;
            case Op::constant:
                stack.push_back(a);
                break;
            case Op::scale:
                stack.back() *= a;
                break;
            case Op::normalize: {
                const Program part(program.begin(),
                                   program.begin() + static_cast<std::ptrdiff_t>(k));
                stack.back() /= std::sqrt(entry(part, x, i, x, i) * entry(part, y, j, y, j));
                break;
            }
            case Op::sum:
            case Op::product: {  // of two
                const Long top = stack.back();
                stack.pop_back();
                stack.back() = node.op == Op::sum ? stack.back() + top : stack.back() * top;
                break;
            }
            case Op::precomputed:
            case Op::end:
                throw std::logic_error("not a kernel of feature vectors");
        }
    }
    return stack.back();
}

// 1 - K of a radial kernel, right relative to itself also where K is nearly 1.
inline Long complement(const Program& program, const Matrix& x, Index i, const Matrix& y, Index j) {
    const Node& node = program.front();
    Long squared = 0, absolute = 0;
    for (Index f = 0; f < x.cols(); ++f) {
        const Long d = static_cast<Long>(x(i, f)) - static_cast<Long>(y(j, f));
        squared += d * d;
        absolute += std::fabs(d);
    }
    const Long a = node.a, s = a * std::sqrt(squared);
    if (node.op == Op::gaussian) return -std::expm1(-a * squared);
    if (node.op == Op::laplacian) return -std::expm1(-a * absolute);
    if (node.op == Op::matern12) return -std::expm1(-s);
    if (node.op == Op::rational_quadratic || node.op == Op::periodic)
        return -std::expm1(-exponent(node, squared));
    if (s >= 1) return 1 - entry(program, x, i, y, j);
    // The series of 1 - (1 + s + third s^2) exp(-s) from s^2 on.
    const Long third = node.op == Op::matern52 ? static_cast<Long>(1) / 3 : 0;
    Long sum = 0, power = s, before = 1, last = 1;  // last = 1/(k-1)!, before = 1/(k-2)!
    for (int k = 2; k < 40; ++k) {
        const Long own = last / k;
        power *= -s;
        sum += power * (own - last + third * before);
        before = last;
        last = own;
    }
    return sum;
}

using LongMatrix = Eigen::Matrix<Long, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline LongMatrix matrix(const Program& program, const Matrix& x, const Matrix& y) {
    LongMatrix out(x.rows(), y.rows());
    for (Index i = 0; i < x.rows(); ++i)
        for (Index j = 0; j < y.rows(); ++j) out(i, j) = entry(program, x, i, y, j);
    return out;
}

// Rows of the caller in the order of a sample.
inline Matrix sorted_rows(const Sample& sample, const Matrix& x) {
    Matrix out(x.rows(), x.cols());
    for (Index k = 0; k < x.rows(); ++k)
        out.row(k) = x.row(sample.order()[static_cast<std::size_t>(k)]);
    return out;
}

// Class numbers in mixed order for classes of the given sizes.
inline std::vector<int> mixed_groups(const std::vector<int>& sizes) {
    std::vector<int> left = sizes, groups;
    for (bool any = true; any;) {
        any = false;
        for (std::size_t k = 0; k < left.size(); ++k)
            if (left[k] > 0) {
                groups.push_back(static_cast<int>(k));
                --left[k];
                any = true;
            }
    }
    return groups;
}

inline double relative_error(double value, Long wanted, Long scale = 0) {
    const Long size = std::max(std::fabs(wanted), scale);
    return size > 0 ? static_cast<double>(std::fabs(value - wanted) / size) : std::fabs(value);
}

}  // namespace explicit_kernels
