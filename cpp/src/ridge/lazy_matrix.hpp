#pragma once

#include <stdexcept>

#include "kernelect/ridge/kernel_source.hpp"

namespace kernelect {

// The matrix of one candidate, made when somebody first asks for it, in a buffer that is not there
// before. Throws std::domain_error for one with entries that are not finite.
class LazyMatrix {
  public:
    LazyMatrix(const KernelSource& kernels, Index candidate, Index n, linalg::ColMatrix& buffer,
               const Team& team)
        : kernels_(kernels), candidate_(candidate), n_(n), buffer_(buffer), team_(team) {}

    linalg::ColMatrixRef get() {
        if (!made_) {
            buffer_.resize(n_, n_);
            if (!kernels_.matrix(candidate_, buffer_, team_))
                throw std::domain_error(
                    "the kernel matrix has entries that are not finite; scale X or leave this "
                    "kernel out");
            made_ = true;
        }
        return buffer_;
    }
    // The buffer, whose contents the caller overwrites: the matrix is made again if asked for.
    linalg::ColMatrix& give_away() {
        get();
        made_ = false;
        return buffer_;
    }

  private:
    const KernelSource& kernels_;
    Index candidate_, n_;
    linalg::ColMatrix& buffer_;
    Team team_;
    bool made_ = false;
};

}  // namespace kernelect
