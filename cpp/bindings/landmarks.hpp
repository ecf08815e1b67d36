#pragma once

#include <optional>

#include "convert.hpp"
#include "kernelect/landmarks/basis.hpp"
#include "kernelect/landmarks/sources.hpp"
#include "tables.hpp"

namespace kernelect::python {

// A kernel's landmarks with their basis: rows and a program, or the basis alone where somebody else
// computes the kernel.
class Landmarks {
  public:
    Landmarks(const ProgramTuples& tuples, const py::list& rows, const Array& origin)
        : sample_(to_tables(rows).range(0, to_tables(rows).size())),
          program_(to_program(tuples, *sample_)),
          basis_(landmark_gram(*sample_, program_), to_vector(origin, "origin")) {}
    Landmarks(const Array& gram, const Array& origin)
        : basis_(to_matrix(gram, "gram"), to_vector(origin, "origin")) {}

    const LandmarkBasis& basis() const { return basis_; }

    // Calls use(columns) with the kernel values between rows and landmarks: rows are tables, or
    // (k(x, z), k(x, x)).
    template <class Use>
    auto with(const py::object& rows, Use&& use) const {
        if (sample_) {
            if (!py::isinstance<py::list>(rows)) refuse("a list of tables of rows is needed");
            const RowTables tables = to_tables(rows.cast<py::list>());
            check_size(tables.tables(), static_cast<Index>(sample_->sources().size()),
                       "the list of tables");
            return use(RowColumns(tables, *sample_, program_));
        }
        const bool pair = py::isinstance<py::tuple>(rows) && py::len(rows) == 2;
        const py::tuple parts = pair ? rows.cast<py::tuple>() : py::tuple();
        if (!pair || !py::isinstance<Array>(parts[0]) || !py::isinstance<Array>(parts[1]))
            refuse("a pair of float64 arrays, kernel values and k(x, x), is needed");
        return use(StoredColumns(to_matrix(parts[0].cast<Array>(), "kernel values"),
                                 to_vector(parts[1].cast<Array>(), "k(x, x)")));
    }

  private:
    std::optional<Sample> sample_;
    Program program_;
    LandmarkBasis basis_;
};

void bind_landmark_models(py::module_& m);

}  // namespace kernelect::python
