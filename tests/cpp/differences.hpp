#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "explicit_kernels.hpp"
#include "kernelect/tiles/kernel_gradient.hpp"

// Derivatives by differences in extended precision: what closed forms of them must agree with. A
// step of a millionth leaves them twelve digits.
namespace kernelect::testing {

using explicit_kernels::Long;
using explicit_kernels::LongMatrix;

inline constexpr double kStep = 0x1p-20;

// dJ/dt at t = 0 of a function of a small number.
template <class Function>
Long slope(const Function& function) {
    return (function(Long{kStep}) - function(-Long{kStep})) / (2 * Long{kStep});
}

// |found - wanted| in units of the largest slope that it stands beside.
inline double error(double found, Long wanted, Long largest) {
    return static_cast<double>(std::fabs(found - wanted) / largest);
}

// Largest error of all derivatives of value(K) in the numbers of a kernel, and in the weights of
// the columns that its leaves see.
template <class Value>
double worst_slope(const Program& program, const Matrix& x, const KernelGradient& found,
                   const std::vector<WeightedLeaf>& leaves, const Value& value) {
    std::vector<double> ours;
    std::vector<Long> wanted;
    for (std::size_t k = 0; k < program.size(); ++k)
        for (const auto member : {&Node::a, &Node::b}) {
            const double number = program[k].*member;
            if (number == 0.0) continue;
            // Numbers are doubles, so the step that was taken is the difference of two of them.
            Program up = program, down = program;
            up[k].*member = number * (1.0 + kStep);
            down[k].*member = number * (1.0 - kStep);
            const Long step = (Long{up[k].*member} - Long{down[k].*member}) / number;
            wanted.push_back((value(explicit_kernels::matrix(up, x, x)) -
                              value(explicit_kernels::matrix(down, x, x))) /
                             step);
            ours.push_back(found.numbers(static_cast<Index>(k), member == &Node::a ? 0 : 1));
        }
    if (leaves.size() == 1)  // all columns are those of one table
        for (Index j = 0; j < x.cols(); ++j) {
            Matrix up = x, down = x;
            up.col(j) *= 1.0 + kStep;
            down.col(j) *= 1.0 - kStep;
            // A weight is the square of a factor.
            wanted.push_back((value(explicit_kernels::matrix(program, up, up)) -
                              value(explicit_kernels::matrix(program, down, down))) /
                             (4 * Long{kStep}));
            ours.push_back(found.columns[0](j));
        }
    Long largest = std::fabs(value(explicit_kernels::matrix(program, x, x)));
    for (const Long each : wanted) largest = std::max(largest, std::fabs(each));
    double worst = 0.0;
    for (std::size_t k = 0; k < ours.size(); ++k)
        worst = std::max(worst, error(ours[k], wanted[k], largest));
    return worst;
}

// The leaves of a kernel that may have weights for columns, where it is a single leaf.
inline std::vector<WeightedLeaf> weighted(const Program& program, const Matrix& x) {
    if (program.size() > 1) return {};
    const Op op = program.front().op;
    for (const Op known : {Op::gaussian, Op::matern12, Op::matern32, Op::matern52,
                           Op::rational_quadratic, Op::periodic})
        if (op == known) return {{0, x}};
    return {};
}

// Every family that is a kernel by itself, and expressions of several.
inline std::vector<Program> refinable_kernels() {
    using namespace explicit_kernels;
    std::vector<Program> programs;
    for (const Program& program : leaves(&Family::ordinary))
        if (program.front().op != Op::constant) programs.push_back(program);
    const Program wide = then(gaussian(0.2), Op::scale, 2.0);
    programs.push_back(joined(wide, leaf(Op::matern32, 1.1), Op::sum));
    programs.push_back(joined(gaussian(0.7), leaf(Op::polynomial, 0.5, 2.0, 3), Op::product));
    programs.push_back(
        then(joined(wide, leaf(Op::polynomial, 0.5, 2.0, 2), Op::sum), Op::normalize));
    return programs;
}

}  // namespace kernelect::testing
