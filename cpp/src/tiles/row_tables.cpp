#include "kernelect/tiles/row_tables.hpp"

#include <stdexcept>

namespace kernelect {
namespace {

Sample empty_sample(Index rows) { return Sample(std::vector<int>(place(rows), 0), 1); }

// The chosen rows of a table, as a table of its own.
struct Gathered {
    Gathered(const SparseView& x, const std::vector<Index>& rows) : features(x.features) {
        for (const Index row : rows) {
            values.insert(values.end(), x.values + x.starts[row], x.values + x.starts[row + 1]);
            columns.insert(columns.end(), x.columns + x.starts[row], x.columns + x.starts[row + 1]);
            starts.push_back(static_cast<std::int64_t>(values.size()));
        }
    }
    SparseView view() const {
        return {values.data(), columns.data(), starts.data(), static_cast<Index>(starts.size()) - 1,
                features};
    }

    std::vector<double> values;
    std::vector<std::int32_t> columns;
    std::vector<std::int64_t> starts{0};
    Index features;
};

}  // namespace

void RowTables::add_dense(const ConstMatrixRef& x) {
    if (x.rows() != rows_) throw std::invalid_argument("tables of rows differ in their rows");
    tables_.emplace_back(x);
}

void RowTables::add_sparse(const SparseView& x) {
    if (x.rows != rows_) throw std::invalid_argument("tables of rows differ in their rows");
    tables_.emplace_back(x);
}

Sample RowTables::range(Index first, Index count, const Sample* like) const {
    if (first < 0 || count < 1 || first + count > rows_)
        throw std::invalid_argument("a range of rows is not there");
    Sample sample = empty_sample(count);
    for (const auto& table : tables_) {
        if (const auto* dense = std::get_if<ConstMatrixRef>(&table)) {
            sample.add_dense(dense->middleRows(first, count), like);
        } else {
            const SparseView& x = std::get<SparseView>(table);
            sample.add_sparse({x.values, x.columns, x.starts + first, count, x.features});
        }
    }
    return sample;
}

Sample RowTables::take(const std::vector<Index>& rows, const Sample* like) const {
    for (const Index row : rows)
        if (row < 0 || row >= rows_) throw std::invalid_argument("a chosen row is not there");
    Sample sample = empty_sample(static_cast<Index>(rows.size()));
    for (const auto& table : tables_) {
        if (const auto* dense = std::get_if<ConstMatrixRef>(&table)) {
            Matrix chosen(static_cast<Index>(rows.size()), dense->cols());
            for (std::size_t i = 0; i < rows.size(); ++i)
                chosen.row(static_cast<Index>(i)) = dense->row(rows[i]);
            sample.add_dense(chosen, like);
        } else {
            sample.add_sparse(Gathered(std::get<SparseView>(table), rows).view());
        }
    }
    return sample;
}

}  // namespace kernelect
