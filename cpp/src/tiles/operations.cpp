#include "kernelect/tiles/operations.hpp"

#include <cmath>
#include <stdexcept>

#include "tiles/leaf_slopes.hpp"
#include "tiles/leaf_tiles.hpp"

namespace kernelect {
namespace {

void check_rate(const Node& node) {
    if (node.a < 0.0 || !std::isfinite(2.0 * node.a))  // squaring doubles the rate
        throw std::invalid_argument("the rate of a radial kernel is out of range");
}

void check_power(const Node& node) {
    check_rate(node);
    if (!(node.b > 0.0))
        throw std::invalid_argument("the power of a rational quadratic kernel must be positive");
}

void check_period(const Node& node) {
    check_rate(node);
    if (!(node.b > 0.0) || !std::isnormal(1.0 / node.b))
        throw std::invalid_argument("the period of a periodic kernel is out of range");
}

void check_degree(const Node& node) {
    if (node.count < 1) throw std::invalid_argument("the degree of a kernel must be at least 1");
}

double norm_itself(const Node&, double squared_norm) { return squared_norm; }
double constant_at_itself(const Node& node, double) { return node.a; }
double polynomial_at_itself(const Node& node, double squared_norm) {
    return leaf_tiles::power(node.b + node.a * squared_norm, 1.0, node.count);
}

void add(Real* below, const Real* top, Index entries) {
    for (Index k = 0; k < entries; ++k) below[k] += top[k];
}
void multiply(Real* below, const Real* top, Index entries) {
    for (Index k = 0; k < entries; ++k) below[k] *= top[k];
}

// Entries are written as sentences: a leaf, with what it has beyond the others.
using Tile = void (*)(const Node& node, const LeafTile& tile);
using Slope = void (*)(const Node& node, const SlopeTile& tile);

constexpr Operation leaf(Op op, const char* name, std::optional<Base> base, Tile tile, Slope slopes,
                         void (*check)(const Node& node) = nullptr) {
    return {op, name, Role::leaf, check, base, tile, slopes};
}
constexpr Operation exponential(Op op, const char* name, Base base) {
    Operation made =
        leaf(op, name, base, leaf_tiles::exponential, leaf_slopes::exponential, check_rate);
    made.exponential = true;
    return made;
}
constexpr Operation with_diagonal(Operation made, double (*at_itself)(const Node&, double)) {
    made.at_itself = at_itself;
    return made;
}
constexpr Operation with_complement(Operation made, Tile complement,
                                    double (*exponent)(const Node&, double)) {
    made.complement = complement;
    made.exponent = exponent;
    return made;
}
constexpr Operation fold(Op op, const char* name, void (*join)(Real*, const Real*, Index)) {
    Operation made{op, name, Role::fold};
    made.join = join;
    return made;
}

constexpr std::array kTable{
    exponential(Op::gaussian, "gaussian", Base::squared_distance),
    exponential(Op::laplacian, "laplacian", Base::l1_distance),
    exponential(Op::matern12, "matern12", Base::distance),
    with_complement(leaf(Op::matern32, "matern32", Base::distance, leaf_tiles::matern32,
                         leaf_slopes::matern32, check_rate),
                    leaf_tiles::matern_complement<false>, leaf_tiles::scaled_base),
    with_complement(leaf(Op::matern52, "matern52", Base::distance, leaf_tiles::matern52,
                         leaf_slopes::matern52, check_rate),
                    leaf_tiles::matern_complement<true>, leaf_tiles::scaled_base),
    with_complement(leaf(Op::rational_quadratic, "rational_quadratic", Base::squared_distance,
                         leaf_tiles::exp_of<leaf_tiles::RationalQuadratic>,
                         leaf_slopes::rational_quadratic, check_power),
                    leaf_tiles::complement_of<leaf_tiles::RationalQuadratic>,
                    leaf_tiles::rational_quadratic_exponent),
    with_complement(
        leaf(Op::periodic, "periodic", Base::distance, leaf_tiles::exp_of<leaf_tiles::Periodic>,
             leaf_slopes::periodic, check_period),
        leaf_tiles::complement_of<leaf_tiles::Periodic>, leaf_tiles::periodic_exponent),
    with_diagonal(leaf(Op::polynomial, "polynomial", Base::dot_product, leaf_tiles::polynomial,
                       leaf_slopes::polynomial, check_degree),
                  polynomial_at_itself),
    with_diagonal(leaf(Op::linear, "linear", Base::dot_product, leaf_tiles::base_itself,
                       leaf_slopes::base_itself),
                  norm_itself),
    with_diagonal(leaf(Op::precomputed, "precomputed", Base::value, leaf_tiles::base_itself,
                       leaf_slopes::base_itself),
                  norm_itself),
    with_diagonal(
        leaf(Op::constant, "constant", std::nullopt, leaf_tiles::constant, leaf_slopes::constant),
        constant_at_itself),
    fold(Op::sum, "sum", add),
    fold(Op::product, "product", multiply),
    Operation{Op::scale, "scale", Role::scale},
    Operation{Op::normalize, "normalize", Role::normalize},
    Operation{Op::power, "power", Role::power, check_degree},
};

constexpr bool complete() {
    for (std::size_t k = 0; k < kTable.size(); ++k) {
        const Operation& entry = kTable[k];
        if (entry.op != static_cast<Op>(k)) return false;
        if (entry.is_leaf() != (entry.tile != nullptr)) return false;
        if (entry.is_leaf() != (entry.slopes != nullptr)) return false;
        if ((entry.role == Role::fold) != (entry.join != nullptr)) return false;
        if ((entry.complement == nullptr) != (entry.exponent == nullptr)) return false;
    }
    return true;
}
static_assert(kTable.size() == kOperations, "an operation has no entry, or one has two");
static_assert(complete(), "entries stand in the order of Op, each with what its role needs");

}  // namespace

const std::array<Operation, kOperations>& operations() { return kTable; }

const Operation& operation(Op op) { return kTable[static_cast<std::size_t>(op)]; }

const Operation* find_operation(const std::string& name) {
    for (const Operation& entry : kTable)
        if (name == entry.name) return &entry;
    return nullptr;
}

}  // namespace kernelect
