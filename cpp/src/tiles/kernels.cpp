#include "kernelect/tiles/kernels.hpp"

#include <cmath>
#include <stdexcept>

#include "kernelect/tiles/operations.hpp"

namespace kernelect {

void check_program(const Program& program, std::size_t sources) {
    int depth = 0;
    for (const Node& node : program) {
        if (!std::isfinite(node.a) || !std::isfinite(node.b))
            throw std::invalid_argument("kernel parameters must be finite");
        const Operation& known = operation(node.op);
        if (known.reads_rows() && (node.source < 0 || place(node.source) >= sources))
            throw std::invalid_argument("a kernel names a table of rows that is not there");
        if (known.check != nullptr) known.check(node);
        if (known.is_leaf()) {
            ++depth;
            continue;
        }
        const int taken = known.role == Role::fold ? node.count : 1;
        if (taken < 1 || taken > depth)
            throw std::invalid_argument("a kernel expression lacks operands");
        depth -= taken - 1;
    }
    if (depth != 1) throw std::invalid_argument("a kernel expression must leave one value");
}

bool as_exponential(const Program& program, Exponential& out) {
    if (program.size() != 1) return false;
    const Node& node = program.front();
    const Operation& known = operation(node.op);
    if (!known.exponential) return false;
    out = {*known.base, node.source, node.a};
    return true;
}

}  // namespace kernelect
