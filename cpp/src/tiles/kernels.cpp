#include "kernelect/tiles/kernels.hpp"

#include <cmath>
#include <stdexcept>

namespace kernelect {

bool is_leaf(Op op) {
    return op != Op::sum && op != Op::product && op != Op::scale && op != Op::normalize;
}

Base base_of(Op op) {
    switch (op) {
        case Op::gaussian:
            return Base::squared_distance;
        case Op::laplacian:
            return Base::l1_distance;
        case Op::matern12:
        case Op::matern32:
        case Op::matern52:
            return Base::distance;
        case Op::polynomial:
        case Op::linear:
            return Base::dot_product;
        default:
            return Base::value;
    }
}

void check_program(const Program& program, std::size_t sources) {
    int depth = 0;
    for (const Node& node : program) {
        if (!std::isfinite(node.a) || !std::isfinite(node.b))
            throw std::invalid_argument("kernel parameters must be finite");
        if (is_leaf(node.op)) {
            if (node.op != Op::constant &&
                (node.source < 0 || static_cast<std::size_t>(node.source) >= sources))
                throw std::invalid_argument("a kernel names a table of rows that is not there");
            if (base_of(node.op) != Base::value && base_of(node.op) != Base::dot_product &&
                (node.a < 0.0 || !std::isfinite(2.0 * node.a)))  // squaring doubles the rate
                throw std::invalid_argument("the rate of a radial kernel is out of range");
            if (node.op == Op::polynomial && node.count < 1)
                throw std::invalid_argument("the degree of a polynomial kernel must be at least 1");
            ++depth;
        } else {
            const int taken = node.op == Op::sum || node.op == Op::product ? node.count : 1;
            if (taken < 1 || taken > depth)
                throw std::invalid_argument("a kernel expression lacks operands");
            depth -= taken - 1;
        }
    }
    if (depth != 1) throw std::invalid_argument("a kernel expression must leave one value");
}

bool as_exponential(const Program& program, Exponential& out) {
    if (program.size() != 1) return false;
    const Node& node = program.front();
    if (node.op != Op::gaussian && node.op != Op::laplacian && node.op != Op::matern12)
        return false;
    out = {base_of(node.op), node.source, node.a};
    return true;
}

}  // namespace kernelect
