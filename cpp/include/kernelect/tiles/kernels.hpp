#pragma once

#include <cstddef>
#include <vector>

#include "kernelect/tiles/tile.hpp"

namespace kernelect {

// What a kernel is put together from. Everything that is known of one stands in its entry of the
// table in operations.cpp; an operation without an entry does not compile.
enum class Op {
    gaussian,            // exp(-a |x-x'|^2)
    laplacian,           // exp(-a |x-x'|_1)
    matern12,            // exp(-s), s = a |x-x'|
    matern32,            // (1 + s) exp(-s)
    matern52,            // (1 + s + s^2/3) exp(-s)
    rational_quadratic,  // (1 + a |x-x'|^2)^-b
    periodic,            // exp(-a sin^2(pi |x-x'| / b))
    polynomial,          // (b + a x.x')^count
    linear,              // x.x'
    precomputed,         // a stored matrix
    constant,            // a
    sum,                 // of the `count` values below it
    product,             // of the `count` values below it
    scale,               // a times the value below it
    normalize,           // k(x,x') / sqrt(k(x,x) k(x',x')) of the value below it
    power,               // the value below it to the `count`
    end,                 // no operation: how many there are
};
inline constexpr std::size_t kOperations = static_cast<std::size_t>(Op::end);

struct Node {
    Op op = Op::constant;
    double a = 0.0;
    double b = 0.0;
    int count = 0;   // degree of a polynomial or power, number of operands of a sum or product
    int source = 0;  // which table of rows a leaf reads
};

// A kernel as a postfix expression: leaves push a value, the others work on the top of the stack.
using Program = std::vector<Node>;

// Throws std::invalid_argument unless the program leaves exactly one value and its numbers are in
// range; `sources` is how many tables of rows there are.
void check_program(const Program& program, std::size_t sources);

// exp(-rate * base): the kernels that a squaring turns into one another.
struct Exponential {
    Base base;
    int source;
    double rate;
};
bool as_exponential(const Program& program, Exponential& out);

}  // namespace kernelect
