#pragma once

#include "kernelect/base/control.hpp"
#include "kernelect/base/types.hpp"
#include "kernelect/linalg/linalg.hpp"

namespace kernelect {

// A symmetric matrix known by its products with blocks of vectors: what the Krylov methods need,
// whether the matrix is stored or made tile by tile on every call.
class SymmetricOperator {
  public:
    virtual ~SymmetricOperator() = default;

    virtual Index order() const = 0;
    virtual double trace() const = 0;

    // out = K in, for any number of columns. Must not depend on control.threads() in any bit.
    virtual void apply(const linalg::ColMatrix& in, linalg::ColMatrixRef out,
                       Control& control) const = 0;

    // How many columns one product should take: few when the matrix is read from memory, more
    // when making an entry costs more than using it.
    virtual Index preferred_block() const { return kNarrowBlock; }

  protected:
    static constexpr Index kNarrowBlock = 4;
};

// A matrix in the caller's memory, of which only the lower triangle is read.
class StoredOperator final : public SymmetricOperator {
  public:
    // Throws std::invalid_argument if k is not square.
    explicit StoredOperator(ConstMatrixRef k);

    Index order() const override { return k_.rows(); }
    double trace() const override;
    void apply(const linalg::ColMatrix& in, linalg::ColMatrixRef out,
               Control& control) const override;

  private:
    ConstMatrixRef k_;
};

}  // namespace kernelect
