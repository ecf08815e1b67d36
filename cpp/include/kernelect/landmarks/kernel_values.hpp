#pragma once

#include <vector>

#include "kernelect/base/team.hpp"
#include "kernelect/base/types.hpp"
#include "kernelect/linalg/linalg.hpp"

// What landmark models ask of a kernel. No more of its matrix is ever made than stands here.
namespace kernelect {

// Values among the rows of a pool, of which some become landmarks.
class PoolKernel {
  public:
    virtual ~PoolKernel() = default;
    virtual Index size() const = 0;
    virtual Vector diagonal() const = 0;
    // out(i, j) = k(row i, row chosen[j]) for every row of the pool.
    virtual void columns(const std::vector<Index>& chosen, MatrixRef out,
                         const Team& team) const = 0;
    // out(i, j) = k(row chosen[i], row chosen[j]).
    virtual void block(const std::vector<Index>& chosen, MatrixRef out) const = 0;
};

// Values between rows and m landmarks; asked from several threads at once.
class LandmarkColumns {
  public:
    virtual ~LandmarkColumns() = default;
    virtual Index rows() const = 0;
    virtual Index landmarks() const = 0;
    // out(j, i) = k(landmark j, row first + i) for as many rows as `out` has columns.
    virtual void write(Index first, linalg::ColMatrixRef out) const = 0;
    // k(x, x) of the rows from `first` on.
    virtual Vector own(Index first, Index count) const = 0;
};

}  // namespace kernelect
