#pragma once

#include <array>
#include <optional>
#include <string>

#include "kernelect/tiles/kernels.hpp"

namespace kernelect {

// What an operation does to the values on the stack of a program.
enum class Role {
    leaf,       // pushes one
    fold,       // joins the upper `count`, two at a time
    scale,      // multiplies the top
    normalize,  // divides the top by the root of its diagonals
    power,      // raises the top
};

// The base entries and the kernel made from them, rows kTile apart. Padding may hold anything.
struct LeafTile {
    const Real* base;  // null for a leaf without a base
    Real* out;
    Index rows, width;
};

// The base entries of a leaf and its values, and where its derivatives go, rows kTile apart.
struct SlopeTile {
    const Real* base;  // null for a leaf without a base
    const Real* values;
    Real *by_base, *by_a, *by_b;
    Index rows, columns;
};

// All that is known of one operation.
struct Operation {
    Op op;
    const char* name;  // as the Python layer and the benchmark say it
    Role role;
    // Throws std::invalid_argument for parameters out of range; null if there is nothing to check.
    void (*check)(const Node& node) = nullptr;

    // Of a leaf:
    std::optional<Base> base = {};  // what it is a function of; nothing if it reads no rows
    void (*tile)(const Node& node, const LeafTile& tile) = nullptr;
    // dk/d(base), a dk/da and b dk/db.
    void (*slopes)(const Node& node, const SlopeTile& tile) = nullptr;
    // k(x, x) from |x|^2, or from the diagonal entry of a stored matrix; null if it is always 1.
    double (*at_itself)(const Node& node, double squared_norm) = nullptr;
    bool exponential = false;  // exp(-a base), which chains of squarings compute
    // Both or none, for kernels of 1 and less that are no exponentials: 1 - K, accurate relative to
    // itself, and x in K ~ exp(-x) from one base entry. Kernels whose x is at most 1 for nearly all
    // pairs are summed as 1 - K, so that centring loses no digits of them.
    void (*complement)(const Node& node, const LeafTile& tile) = nullptr;
    double (*exponent)(const Node& node, double base) = nullptr;

    // Of a fold: puts `top` into `below`, entry by entry.
    void (*join)(Real* below, const Real* top, Index entries) = nullptr;

    constexpr bool is_leaf() const { return role == Role::leaf; }
    constexpr bool has_unit_diagonal() const { return is_leaf() && at_itself == nullptr; }
    constexpr bool reads_rows() const { return base.has_value(); }
};

const std::array<Operation, kOperations>& operations();
const Operation& operation(Op op);
// Null for a name that no operation has.
const Operation* find_operation(const std::string& name);

}  // namespace kernelect
