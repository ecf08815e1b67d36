#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "kernelect/tiles/gram.hpp"
#include "kernelect/tiles/kernel_stack.hpp"

using namespace kernelect;

namespace {

Matrix rows(Index n) {
    Matrix x(n, 3);
    for (Index i = 0; i < n; ++i) {
        const double t = static_cast<double>(i);
        x.row(i) << std::sin(1.7 * t), std::cos(0.6 * t), std::sin(0.3 * t + 1.0);
    }
    return x;
}

Program gaussian(double rate) { return {{Op::gaussian, rate, 0.0, 0, 0}}; }

// A dyadic chain, a repetition, the identity, a nearly constant kernel, and two expressions.
std::vector<Program> kernels() {
    return {
        gaussian(1.0),
        gaussian(0.5),
        gaussian(0.25),
        gaussian(0.5),
        gaussian(1e5),
        gaussian(1e-9),
        {{Op::polynomial, 1.0, 1.0, 3, 0}, {Op::normalize, 0.0, 0.0, 0, 0}},
        {{Op::linear, 0.0, 0.0, 0, 0}, {Op::laplacian, 0.3, 0.0, 0, 0}, {Op::sum, 0.0, 0.0, 2, 0}}};
}

struct Case {
    explicit Case(Index n)
        : sample(std::vector<int>(static_cast<std::size_t>(n), 0), 1), programs(kernels()) {
        const Matrix x = rows(n);
        sample.add_dense(x);
        Control control;
        for (const Program& program : programs) {
            Matrix k(n, n);
            gram(program, sample.sources(), sample.blocks(), sample.sources(), sample.blocks(), k,
                 control);
            matrices.push_back(k);
        }
    }

    Sample sample;
    std::vector<Program> programs;
    std::vector<Matrix> matrices;
};

double difference(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

}  // namespace

TEST_CASE("sums, products and inner products are those of the matrices") {
    for (const Index n : {1, 7, 64, 65, 150})
        for (const double memory : {1e9, 0.0}) {
            const Case made(n);
            Control control(2);
            const KernelStack stack(made.sample, made.programs, memory, control);
            REQUIRE(stack.stored() == (memory > 0.0));
            REQUIRE(stack.size() == static_cast<Index>(made.programs.size()));

            Vector weights(stack.size());
            for (Index k = 0; k < stack.size(); ++k) weights(k) = std::cos(static_cast<double>(k));
            Matrix sum(n, n), wanted = Matrix::Zero(n, n);
            stack.combine(weights, sum, control);
            for (Index k = 0; k < stack.size(); ++k)
                wanted += weights(k) * made.matrices[static_cast<std::size_t>(k)];
            CHECK(difference(sum, wanted) < 1e-12);

            Matrix vectors(2, n), g(n, n);
            for (Index i = 0; i < n; ++i) {
                vectors(0, i) = std::sin(static_cast<double>(3 * i));
                vectors(1, i) = 1.0;
                for (Index j = 0; j < n; ++j) g(i, j) = std::cos(static_cast<double>(i + j));
            }
            const Matrix products = stack.products(vectors, control);
            const Vector inner = stack.inner(g, control);
            const Matrix centred = stack.centred_products(control);
            const Matrix h =
                Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / static_cast<double>(n));
            for (Index k = 0; k < stack.size(); ++k) {
                const Matrix& a = made.matrices[static_cast<std::size_t>(k)];
                CHECK(difference(products.middleRows(2 * k, 2), vectors * a) <
                      1e-12 * static_cast<double>(n));
                CHECK(std::abs(inner(k) - g.cwiseProduct(a).sum()) <
                      1e-12 * static_cast<double>(n * n));
                for (Index l = 0; l < stack.size(); ++l) {
                    const Matrix& b = made.matrices[static_cast<std::size_t>(l)];
                    const double want = (h * a * h).cwiseProduct(h * b * h).sum();
                    CHECK(std::abs(centred(k, l) - want) < 1e-11 * static_cast<double>(n * n));
                }
            }
        }
}

TEST_CASE("the number of threads does not change a bit") {
    const Case made(200);
    Control one(1), three(3);
    const KernelStack a(made.sample, made.programs, 1e9, one);
    const KernelStack b(made.sample, made.programs, 1e9, three);
    const Matrix vectors = rows(200).transpose();
    CHECK(a.products(vectors, one) == b.products(vectors, three));
    CHECK(a.centred_products(one) == b.centred_products(three));
    const Matrix g = vectors.transpose() * vectors;
    CHECK(a.inner(g, one) == b.inner(g, three));
}

TEST_CASE("what does not fit is refused") {
    Control control;
    const Case made(10);
    const KernelStack stack(made.sample, made.programs, 1e9, control);
    Matrix out(10, 10);
    CHECK_THROWS_AS(stack.combine(Vector::Ones(3), out, control), std::invalid_argument);
    CHECK_THROWS_AS(stack.products(Matrix::Ones(1, 9), control), std::invalid_argument);
    CHECK_THROWS_AS(stack.inner(Matrix::Ones(9, 9), control), std::invalid_argument);
    Sample classes({0, 1, 0}, 2);
    classes.add_dense(rows(3));
    CHECK_THROWS_AS(KernelStack(classes, made.programs, 1e9, control), std::invalid_argument);
}
