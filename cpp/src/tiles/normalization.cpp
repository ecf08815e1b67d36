#include "tiles/normalization.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "kernelect/tiles/operations.hpp"

namespace kernelect {
namespace {

// Between these the product of two scales 1/sqrt(k(x, x)) is in range too.
constexpr double kLeastDiagonal = 1e-300, kGreatestDiagonal = 1e300;

// Not where a number overflowed, or vanished; that of a row of zeros vanishes in any case.
bool within_range(const Vector& diagonal) {
    return ((diagonal.array() >= kLeastDiagonal) && (diagonal.array() <= kGreatestDiagonal)).all();
}

// One value of the stack: the values that its last node is made of, and that node.
struct Expression {
    std::vector<Expression> operands;
    Node node;
};

void write(const Expression& e, Program& to) {
    for (const Expression& operand : e.operands) write(operand, to);
    to.push_back(e.node);
}
Program written(const Expression& e) {
    Program program;
    write(e, program);
    return program;
}

// What `normalize` makes of an expression.
Expression normalised(Expression e) {
    switch (e.node.op) {
        case Op::product:
        case Op::power:
            for (Expression& operand : e.operands) operand = normalised(std::move(operand));
            return e;
        case Op::scale:
            if (e.node.a > 0.0) return normalised(std::move(e.operands.front()));
            break;
        case Op::polynomial:
            // b + a x.x' is a kernel itself, so that its diagonal is not negative.
            if (e.node.count > 1 && e.node.a >= 0.0 && e.node.b >= 0.0) {
                const Node power{Op::power, 0.0, 0.0, std::exchange(e.node.count, 1)};
                return {{normalised(std::move(e))}, power};
            }
            break;
        case Op::normalize:
            return e;
        default:
            break;
    }
    return {{std::move(e)}, {Op::normalize}};
}

}  // namespace

Program in_range(const Program& program, const std::function<Vector(const Program&)>& diagonal) {
    const auto normalizes = [](const Node& node) { return node.op == Op::normalize; };
    if (std::none_of(program.begin(), program.end(), normalizes)) return program;
    std::vector<Expression> stack;
    for (const Node& node : program) {
        const Operation& known = operation(node.op);
        Expression e{{}, node};
        if (!known.is_leaf()) {
            const auto first = stack.end() - (known.role == Role::fold ? node.count : 1);
            e.operands.assign(std::make_move_iterator(first), std::make_move_iterator(stack.end()));
            stack.erase(first, stack.end());
        }
        if (normalizes(node) && !within_range(diagonal(written(e.operands.front()))))
            e = normalised(std::move(e.operands.front()));
        stack.push_back(std::move(e));
    }
    return written(stack.front());
}

}  // namespace kernelect
