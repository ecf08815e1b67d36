#include <doctest/doctest.h>

#include <stdexcept>

#include "spectra.hpp"

using namespace kernelect;
using namespace kernelect::testing;

TEST_CASE("a stored operator multiplies by the symmetric matrix of its lower triangle") {
    for (const Index n : {1, 3, 4, 7, 130, 515}) {
        Matrix k = normal(n, n, 1);
        Matrix symmetric = k;
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < i; ++j) symmetric(j, i) = symmetric(i, j);
        for (const Index columns : {1, 4, 6}) {
            CAPTURE(n);
            CAPTURE(columns);
            const ColMatrix in = normal(n, columns, 2);
            ColMatrix out(n, columns), threaded(n, columns);
            Control one(1), three(3);
            StoredOperator(k).apply(in, out, one);
            StoredOperator(k).apply(in, threaded, three);
            CHECK((out - symmetric * in).norm() <= 1e-14 * static_cast<double>(n) * out.norm());
            CHECK(out == threaded);
        }
    }
    CHECK_THROWS_AS(StoredOperator(Matrix::Zero(3, 2)), std::invalid_argument);
}
