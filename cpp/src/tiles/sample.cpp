#include "kernelect/tiles/sample.hpp"

#include <stdexcept>

namespace kernelect {

Sample::Sample(const std::vector<int>& groups, int classes) : class_sizes_(place(classes), 0) {
    for (const int g : groups) {
        if (g < 0 || g >= classes) throw std::invalid_argument("a class number is out of range");
        ++class_sizes_[place(g)];
    }
    Index begin = 0;
    for (const Index size : class_sizes_) {
        if (size == 0) throw std::invalid_argument("a class has no rows");
        class_begins_.push_back(begin);
        begin += size;
    }
    order_.resize(groups.size());
    std::vector<Index> next = class_begins_;
    for (std::size_t i = 0; i < groups.size(); ++i)
        order_[place(next[place(groups[i])]++)] = static_cast<Index>(i);
    blocks_ = make_blocks(class_sizes_);
}

void Sample::add_dense(const ConstMatrixRef& x, const Sample* like) {
    if (x.rows() != size()) throw std::invalid_argument("a table has not one row per sample");
    if (like != nullptr && like->sources().size() <= sources_.size())
        throw std::invalid_argument("the other sample has no table at this place");
    const Vector centre =
        like == nullptr ? DenseRows::useful_centre(x) : like->sources()[sources_.size()].centre();
    if (centre.size() > 0 && centre.size() != x.cols())
        throw std::invalid_argument("two tables of rows differ in their features");
    sources_.emplace_back(DenseRows(x, order_, blocks_, centre));
}

void Sample::add_sparse(const SparseView& x) {
    if (x.rows != size()) throw std::invalid_argument("a table has not one row per sample");
    sources_.emplace_back(SparseRows(x, order_));
}

void Sample::add_matrix(const ConstMatrixRef& k) {
    if (k.rows() != size() || k.cols() != size())
        throw std::invalid_argument("a kernel matrix has not one row and column per sample");
    sources_.emplace_back(StoredRows(k, order_, order_));
}

Vector Sample::sorted(const ConstVectorRef& v) const {
    Vector out(size());
    for (Index k = 0; k < size(); ++k) out(k) = v(order_[place(k)]);
    return out;
}

}  // namespace kernelect
