#include "bindings.hpp"
#include "kernelect/moments/criterion_table.hpp"
#include "kernelect/tiles/operations.hpp"

namespace kernelect::python {

void bind_tables(py::module_& m) {
    m.def(
        "kernel_operations",
        [] {
            py::dict unit_diagonal;  // by the name of every leaf
            for (const Operation& entry : operations())
                if (entry.is_leaf()) unit_diagonal[entry.name] = entry.has_unit_diagonal();
            return unit_diagonal;
        },
        "Every kernel that programs can name, and whether it is one on the diagonal.");
    m.def(
        "moment_criteria",
        [] {
            py::dict directions;
            for (const CriterionEntry& entry : criterion_table())
                directions[entry.name] = entry.direction;
            return directions;
        },
        "Every criterion that score_moments knows, and its direction.");
}

}  // namespace kernelect::python
