#pragma once

#include "kernelect/landmarks/kernel_values.hpp"
#include "kernelect/tiles/kernels.hpp"
#include "kernelect/tiles/row_tables.hpp"

// Where the values come from: a kernel on rows, or numbers that somebody else made. The only part
// of this room that knows what a kernel or a row is.
namespace kernelect {

class RowPool final : public PoolKernel {
  public:
    // The tables must outlive this.
    RowPool(const RowTables& rows, Program program);
    RowPool(RowTables&& rows, Program program) = delete;

    Index size() const override { return rows_.size(); }
    Vector diagonal() const override;
    void columns(const std::vector<Index>& chosen, MatrixRef out, const Team& team) const override;
    void block(const std::vector<Index>& chosen, MatrixRef out) const override;

  private:
    const RowTables& rows_;
    Program program_;
    Sample sample_;
};

// The pool is a kernel matrix, which must outlive this.
class StoredPool final : public PoolKernel {
  public:
    explicit StoredPool(const ConstMatrixRef& k);

    Index size() const override { return k_.rows(); }
    Vector diagonal() const override { return k_.diagonal(); }
    void columns(const std::vector<Index>& chosen, MatrixRef out, const Team& team) const override;
    void block(const std::vector<Index>& chosen, MatrixRef out) const override;

  private:
    ConstMatrixRef k_;
};

class RowColumns final : public LandmarkColumns {
  public:
    // Rows and landmarks must outlive this.
    RowColumns(const RowTables& rows, const Sample& landmarks, Program program)
        : rows_(rows), landmarks_(landmarks), program_(std::move(program)) {}
    RowColumns(RowTables&& rows, const Sample& landmarks, Program program) = delete;
    RowColumns(const RowTables& rows, Sample&& landmarks, Program program) = delete;

    Index rows() const override { return rows_.size(); }
    Index landmarks() const override { return landmarks_.size(); }
    void write(Index first, linalg::ColMatrixRef out) const override;
    Vector own(Index first, Index count) const override;

  private:
    const RowTables& rows_;
    const Sample& landmarks_;
    Program program_;
};

// k(x, z), a row for every x, with the values k(x, x); both must outlive this.
class StoredColumns final : public LandmarkColumns {
  public:
    StoredColumns(const ConstMatrixRef& k, const ConstVectorRef& own);

    Index rows() const override { return k_.rows(); }
    Index landmarks() const override { return k_.cols(); }
    void write(Index first, linalg::ColMatrixRef out) const override;
    Vector own(Index first, Index count) const override { return own_.segment(first, count); }

  private:
    ConstMatrixRef k_;
    ConstVectorRef own_;
};

// The kernel matrix of landmarks, symmetric.
linalg::ColMatrix landmark_gram(const Sample& landmarks, const Program& program);

}  // namespace kernelect
