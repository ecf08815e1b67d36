#pragma once

#include <limits>
#include <vector>

#include "checks.hpp"
#include "kernelect/tiles/row_tables.hpp"

namespace kernelect::python {

using Values = py::array_t<double, py::array::c_style>;
using Columns = py::array_t<std::int32_t, py::array::c_style>;
using Starts = py::array_t<std::int64_t, py::array::c_style>;

// Checked that the rows lie within the arrays; whoever reads them looks at the columns they name.
inline SparseView to_sparse(const Values& values, const Columns& columns, const Starts& starts,
                            Index features) {
    if (values.ndim() != 1 || columns.ndim() != 1 || starts.ndim() != 1 || starts.size() < 1)
        refuse("values, columns and starts of sparse rows must be vectors, starts not empty");
    if (!is_aligned(values) || !is_aligned(columns) || !is_aligned(starts))
        refuse("values, columns and starts of sparse rows must be aligned");
    check_size(columns.size(), values.size(), "columns");
    checked_range(features, 0, std::numeric_limits<std::int32_t>::max(), "features");
    for (py::ssize_t row = 0; row < starts.size(); ++row) {
        const std::int64_t least = row == 0 ? 0 : starts.at(row - 1);
        checked_range(starts.at(row), least, values.size(), "an entry of starts");
    }
    return {values.data(), columns.data(), starts.data(), starts.size() - 1, features};
}

inline Index to_index(const py::handle& number) {
    const Index value = PyLong_AsSsize_t(number.ptr());
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    return value;
}

// Tables as Python hands them over, which keeps them: dense arrays, or (values, columns, starts,
// features) of sparse rows.
inline RowTables to_tables(const py::list& list) {
    if (list.empty()) refuse("at least one table of rows is needed");
    const auto rows = [](const py::handle& item) -> Index {
        return py::isinstance<py::tuple>(item) ? py::len(item.cast<py::tuple>()[2]) - 1
                                               : py::len(item);
    };
    RowTables tables(rows(list[0]));
    for (const py::handle item : list) {
        if (py::isinstance<Array>(item)) {
            tables.add_dense(to_matrix(item.cast<Array>(), "a table of rows"));
            continue;
        }
        const bool sparse = py::isinstance<py::tuple>(item) && py::len(item) == 4;
        if (!sparse) refuse("a table of rows must be a float64 matrix or a tuple of sparse rows");
        const auto parts = item.cast<py::tuple>();
        if (!py::isinstance<Values>(parts[0]) || !py::isinstance<Columns>(parts[1]) ||
            !py::isinstance<Starts>(parts[2]))
            refuse("sparse rows must be contiguous, of float64, int32 and int64");
        if (!py::isinstance<py::int_>(parts[3])) refuse("features must be a whole number");
        tables.add_sparse(to_sparse(parts[0].cast<Values>(), parts[1].cast<Columns>(),
                                    parts[2].cast<Starts>(), to_index(parts[3])));
    }
    return tables;
}

}  // namespace kernelect::python
