#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "family_twins.hpp"
#include "kernelect/tiles/sample.hpp"

// Kernel matrices written out entry by entry in extended precision: what the streams must agree
// with.
namespace explicit_kernels {

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

inline Pair pair_of(const Matrix& x, Index i, const Matrix& y, Index j) {
    Pair pair{0, 0, 0};
    for (Index f = 0; f < x.cols(); ++f) {
        const Long left = x(i, f), right = y(j, f), d = left - right;
        pair.squared += d * d;
        pair.absolute += std::fabs(d);
        pair.dot += left * right;
    }
    return pair;
}

inline Long entry(const Program& program, const Matrix& x, Index i, const Matrix& y, Index j) {
    const Pair pair = pair_of(x, i, y, j);
    std::vector<Long> stack;
    for (std::size_t k = 0; k < program.size(); ++k) {
        const Node& node = program[k];
        if (node.op == Op::scale) {
            stack.back() *= node.a;
        } else if (node.op == Op::normalize) {
            const Program part(program.begin(), program.begin() + static_cast<std::ptrdiff_t>(k));
            stack.back() /= std::sqrt(entry(part, x, i, x, i) * entry(part, y, j, y, j));
        } else if (node.op == Op::sum || node.op == Op::product) {  // of two
            const Long top = stack.back();
            stack.pop_back();
            stack.back() = node.op == Op::sum ? stack.back() + top : stack.back() * top;
        } else {
            stack.push_back(family(node.op).value(node, pair));
        }
    }
    return stack.back();
}

// 1 - K of a single leaf, right relative to itself also where K is nearly 1.
inline Long complement(const Program& program, const Matrix& x, Index i, const Matrix& y, Index j) {
    const Node& node = program.front();
    return family(node.op).complement(node, pair_of(x, i, y, j));
}

// One program for each leaf that the families name, such as &Family::ordinary.
inline std::vector<Program> leaves(std::vector<Node> Family::* which) {
    std::vector<Program> programs;
    for (const Family& known : families())
        for (const Node& node : known.*which) programs.push_back({node});
    return programs;
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

// A sample of dense noise in groups of these sizes, and its rows.
struct Setting {
    Setting(const std::vector<int>& sizes, Index features)
        : sample(mixed_groups(sizes), static_cast<int>(sizes.size())),
          x(noise(sample.size(), features)) {
        sample.add_dense(x);
    }
    Sample sample;
    Matrix x;
};

inline double relative_error(double value, Long wanted, Long scale = 0) {
    const Long size = std::max(std::fabs(wanted), scale);
    return size > 0 ? static_cast<double>(std::fabs(value - wanted) / size) : std::fabs(value);
}

}  // namespace explicit_kernels
