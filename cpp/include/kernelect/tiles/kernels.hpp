#pragma once

#include <string>
#include <vector>

#include "kernelect/base/types.hpp"

namespace kernelect {

// What a kernel is computed from, entry by entry. Candidates that share a base share its tiles.
enum class Base { squared_distance, l1_distance, distance, dot_product, value };

enum class Op {
    gaussian,     // exp(-a |x-x'|^2)
    laplacian,    // exp(-a |x-x'|_1)
    matern12,     // exp(-s), s = a |x-x'|
    matern32,     // (1 + s) exp(-s)
    matern52,     // (1 + s + s^2/3) exp(-s)
    polynomial,   // (b + a x.x')^degree
    linear,       // x.x'
    precomputed,  // a stored matrix
    constant,     // a
    sum,          // of the `arity` values below it
    product,      // of the `arity` values below it
    scale,        // a times the value below it
    normalize,    // k(x,x') / sqrt(k(x,x) k(x',x')) of the value below it
};

struct Node {
    Op op = Op::constant;
    double a = 0.0;
    double b = 0.0;
    int count = 0;   // degree of a polynomial, arity of a sum or product
    int source = 0;  // which table of rows a leaf reads
};

// A kernel as a postfix expression: leaves push a value, the others work on the top of the stack.
using Program = std::vector<Node>;

bool is_leaf(Op op);
Base base_of(Op op);

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
