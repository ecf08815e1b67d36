#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "kernelect/tiles/kernels.hpp"

namespace kernelect::python {

// A kernel as Python hands it over: (operation, a, b, count, source) in postfix order.
using ProgramTuples = std::vector<std::tuple<std::string, double, double, int, int>>;

Program to_program(const ProgramTuples& tuples);

}  // namespace kernelect::python
