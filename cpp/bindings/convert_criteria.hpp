#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "kernelect/moments/scoring.hpp"

namespace kernelect::python {

// A criterion as Python hands it over: (name, degree, entry_sum, plain, relative, variant).
using CriterionTuple = std::tuple<std::string, int, bool, bool, bool, bool>;

MomentCriterion to_criterion(const CriterionTuple& tuple);

// (values, reasons), each candidates x criteria.
py::tuple to_tuple(const std::vector<std::vector<criteria::Score>>& scores, std::size_t criteria);

}  // namespace kernelect::python
