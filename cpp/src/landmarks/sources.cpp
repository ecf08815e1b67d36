#include "kernelect/landmarks/sources.hpp"

#include <stdexcept>

#include "kernelect/tiles/gram.hpp"

namespace kernelect {
namespace {

// A column-major matrix is the transpose of a row-major one.
Eigen::Map<Matrix, 0, Eigen::OuterStride<>> transposed(linalg::ColMatrixRef& out) {
    return {out.data(), out.cols(), out.rows(), Eigen::OuterStride<>(out.outerStride())};
}

void write_block(const Program& program, const Sample& chosen, MatrixRef out, const Team& team) {
    gram(program, chosen.sources(), chosen.blocks(), chosen.sources(), chosen.blocks(), out, team);
}

}  // namespace

RowPool::RowPool(const RowTables& rows, Program program)
    : rows_(rows), program_(std::move(program)), sample_(rows.range(0, rows.size())) {}

Vector RowPool::diagonal() const {
    return kernelect::diagonal(program_, sample_.sources(), size());
}

void RowPool::columns(const std::vector<Index>& chosen, MatrixRef out, const Team& team) const {
    const Sample few = rows_.take(chosen, &sample_);
    gram(program_, sample_.sources(), sample_.blocks(), few.sources(), few.blocks(), out, team);
}

void RowPool::block(const std::vector<Index>& chosen, MatrixRef out) const {
    write_block(program_, rows_.take(chosen, &sample_), out, {});
}

StoredPool::StoredPool(const ConstMatrixRef& k) : k_(k) {
    if (k.rows() != k.cols()) throw std::invalid_argument("a kernel matrix must be square");
}

void StoredPool::columns(const std::vector<Index>& chosen, MatrixRef out, const Team&) const {
    for (Index i = 0; i < size(); ++i)
        for (std::size_t j = 0; j < chosen.size(); ++j)
            out(i, static_cast<Index>(j)) = k_(i, chosen[j]);
}

void StoredPool::block(const std::vector<Index>& chosen, MatrixRef out) const {
    for (std::size_t i = 0; i < chosen.size(); ++i)
        for (std::size_t j = 0; j < chosen.size(); ++j)
            out(static_cast<Index>(i), static_cast<Index>(j)) = k_(chosen[i], chosen[j]);
}

void RowColumns::write(Index first, linalg::ColMatrixRef out) const {
    const Sample part = rows_.range(first, out.cols(), &landmarks_);
    gram(program_, part.sources(), part.blocks(), landmarks_.sources(), landmarks_.blocks(),
         transposed(out), Team());
}

Vector RowColumns::own(Index first, Index count) const {
    return diagonal(program_, rows_.range(first, count, &landmarks_).sources(), count);
}

StoredColumns::StoredColumns(const ConstMatrixRef& k, const ConstVectorRef& own)
    : k_(k), own_(own) {
    if (own.size() != k.rows()) throw std::invalid_argument("a row of kernel values lacks k(x, x)");
}

void StoredColumns::write(Index first, linalg::ColMatrixRef out) const {
    transposed(out) = k_.middleRows(first, out.cols());
}

linalg::ColMatrix landmark_gram(const Sample& landmarks, const Program& program) {
    linalg::ColMatrix k(landmarks.size(), landmarks.size());
    linalg::ColMatrixRef all = k;
    write_block(program, landmarks, transposed(all), {});
    return k;
}

}  // namespace kernelect
