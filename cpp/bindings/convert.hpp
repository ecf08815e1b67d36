#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "arrays.hpp"
#include "kernelect/moments/moments.hpp"
#include "kernelect/tiles/kernels.hpp"
#include "kernelect/tiles/sample.hpp"

namespace kernelect::python {

// A kernel as Python hands it over: (operation, a, b, count, source) in postfix order.
using ProgramTuples = std::vector<std::tuple<std::string, double, double, int, int>>;

// Checked against the tables of the sample.
Program to_program(const ProgramTuples& tuples, const Sample& sample);
std::vector<Program> to_programs(const std::vector<ProgramTuples>& tuples, const Sample& sample);

// Centred regression targets, one per row, in the order of the sample.
Target to_target(const Sample& sample, const Array& targets, Vector means);

// Two samples between which there are kernels: as many tables, and stored matrices, which hold
// their own rows alone, only of one with itself or with as many rows.
void check_alike(const Sample& left, const Sample& right);

}  // namespace kernelect::python
