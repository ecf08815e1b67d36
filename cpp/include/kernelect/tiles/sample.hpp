#pragma once

#include <vector>

#include "kernelect/tiles/rows.hpp"

namespace kernelect {

// The rows of a problem in the order of the computation, sorted by class so that a tile belongs to
// one pair of classes, with every table of rows that the kernels read.
class Sample {
  public:
    // `groups` gives each row's class, 0 .. classes-1, every class occupied.
    Sample(const std::vector<int>& groups, int classes);

    Index size() const { return static_cast<Index>(order_.size()); }
    int classes() const { return static_cast<int>(class_sizes_.size()); }
    const std::vector<Index>& class_sizes() const { return class_sizes_; }
    // Where each class begins in the sorted order.
    Index class_begin(int k) const { return class_begins_[place(k)]; }
    // order()[k] is the caller's row that stands at place k.
    const std::vector<Index>& order() const { return order_; }
    const std::vector<Block>& blocks() const { return blocks_; }

    // `like`: another sample to which distances will be taken; its table at the same place gives
    // the centre.
    void add_dense(const ConstMatrixRef& x, const Sample* like = nullptr);
    void add_sparse(const SparseView& x);
    // Keeps a reference: k must outlive the sample.
    void add_matrix(const ConstMatrixRef& k);
    void add_matrix(Matrix&& k) = delete;
    const std::vector<Rows>& sources() const { return sources_; }

    // v reordered: out(k) = v(order()[k]).
    Vector sorted(const ConstVectorRef& v) const;

  private:
    std::vector<Index> order_;
    std::vector<Index> class_sizes_;
    std::vector<Index> class_begins_;
    std::vector<Block> blocks_;
    std::vector<Rows> sources_;
};

}  // namespace kernelect
