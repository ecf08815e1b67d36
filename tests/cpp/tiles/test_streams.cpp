#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "explicit_kernels.hpp"
#include "kernelect/tiles/streams.hpp"

using namespace kernelect;
using namespace explicit_kernels;

namespace {

// Chains in both forms, kernels on their own, general expressions, nearly constant ones.
std::vector<Program> candidates() {
    std::vector<Program> programs = leaves(&Family::extreme);
    for (int k = -24; k <= 10; k += 2) programs.push_back(gaussian(std::ldexp(1.0, k)));
    programs.push_back(gaussian(0.25));  // once more
    programs.push_back(then(leaf(Op::polynomial, 1.0, 1.0, 2), Op::normalize));
    programs.push_back(joined(gaussian(1.0), leaf(Op::linear), Op::sum));
    programs.push_back(
        joined(leaf(Op::laplacian, 0.2), then(gaussian(2.0), Op::scale, 3.0), Op::product));
    return programs;
}

// E = sign (K - shift), as the sums have it.
LongMatrix shifted(const Program& program, const KernelSums& s, const Matrix& x) {
    LongMatrix e = matrix(program, x, x);
    for (Index i = 0; i < e.rows(); ++i)
        for (Index j = 0; j < e.cols(); ++j)
            e(i, j) = s.sign < 0.0 ? complement(program, x, i, x, j)
                                   : e(i, j) - static_cast<Long>(s.shift);
    return e;
}

// Sums of E, relative to the sum of the absolute values that went into them; with rounded tails,
// relative to 1 if that is more. What is left of a nearly constant kernel has its rounding, and
// below the range of doubles nothing is left at all.
void check_sums(const Setting& setting, Tails tails, Control& control) {
    const Sample& sample = setting.sample;
    const Index n = sample.size();
    const auto programs = candidates();
    const KernelSet set(sample, programs, true, tails);
    const Matrix vectors = noise(2, n, 9);
    const auto sums = stream_sums(set, {vectors, true}, control);
    REQUIRE(sums.size() == programs.size());
    const Matrix x = sorted_rows(sample, setting.x);
    for (std::size_t k = 0; k < programs.size(); ++k) {
        const KernelSums& s = sums[k];
        const LongMatrix kernel = matrix(programs[k], x, x);
        const LongMatrix e = shifted(programs[k], s, x);
        const Long nearly_constant =
            s.sign > 0.0 && s.shift != 0.0 ? Long{2e-4} * static_cast<Long>(n) : Long{1e-290};
        const Long least = std::max({tails == Tails::rounded ? Long{1} : Long{0}, nearly_constant,
                                     base_rounding(programs[k].front())});
        double worst = 0.0;
        for (Index i = 0; i < n; ++i) {
            for (int c = 0; c < sample.classes(); ++c) {
                const Index begin = sample.class_begin(c);
                const Index size = sample.class_sizes()[static_cast<std::size_t>(c)];
                const auto part = e.row(i).segment(begin, size);
                worst = std::max(worst, relative_error(s.by_class(c, i), part.sum(),
                                                       std::max(part.cwiseAbs().sum(), least)));
            }
            for (Index v = 0; v < vectors.rows(); ++v) {
                const auto terms = e.row(i).cwiseProduct(vectors.row(v).cast<Long>()).eval();
                worst = std::max(worst, relative_error(s.products(v, i), terms.sum(),
                                                       std::max(terms.cwiseAbs().sum(), least)));
            }
            worst = std::max(worst, relative_error(s.row_squares(i), kernel.row(i).squaredNorm()));
        }
        const double squares =
            relative_error(s.square_sum, e.squaredNorm(), nearly_constant * e.cwiseAbs().sum());
        // Twelve squarings of a chain cost up to 1e-12; nearly constant ones are shifted by a
        // rounded mean.
        CHECK(worst < 3e-12);
        CHECK(squares < 3e-12);
    }
}

}  // namespace

TEST_CASE("sums of every kernel over classes of any size") {
    for (const std::vector<int>& sizes :
         {std::vector<int>{1, 1}, {1, 70}, {40, 41}, {64, 64}, {3, 1, 100, 1, 9}})
        for (const Index features : {2, 30}) {
            Control control(2);
            for (const Tails tails : {Tails::exact, Tails::rounded})
                check_sums(Setting(sizes, features), tails, control);
        }
}

TEST_CASE("products with a vector per candidate") {
    const Setting setting({30, 45, 1}, 3);
    const Sample& sample = setting.sample;
    const Index n = sample.size();
    const auto programs = candidates();
    const KernelSet set(sample, programs, false);
    std::vector<Matrix> vectors;
    for (std::size_t k = 0; k < programs.size(); ++k)
        vectors.push_back(noise(3, n, static_cast<unsigned>(set.output_of(static_cast<Index>(k)))));
    Control control(2);
    const auto products = stream_products(set, vectors, control);
    const Matrix x = sorted_rows(sample, setting.x);
    for (std::size_t k = 0; k < programs.size(); ++k) {
        const LongMatrix kernel = matrix(programs[k], x, x);
        double worst = 0.0;
        for (Index v = 0; v < 3; ++v)
            for (Index i = 0; i < n; ++i) {
                const auto terms =
                    kernel.row(i).cwiseProduct(vectors[k].row(v).cast<Long>()).eval();
                worst = std::max(
                    worst, relative_error(products[k](v, i), terms.sum(), terms.cwiseAbs().sum()));
            }
        CHECK(worst < 3e-12);
    }
}

TEST_CASE("quadratic forms with vectors of each candidate") {
    const Setting setting({30, 145, 1}, 13);
    const Sample& sample = setting.sample;
    const auto programs = candidates();
    const KernelSet set(sample, programs, false, Tails::rounded);
    const Matrix x = sorted_rows(sample, setting.x);
    for (const Index count : {1, 3}) {
        std::vector<Matrix> vectors;
        for (std::size_t k = 0; k < programs.size(); ++k)
            vectors.push_back(noise(count, sample.size(),
                                    static_cast<unsigned>(set.output_of(static_cast<Index>(k)))));
        Control control(2);
        const auto forms = stream_quadratic_forms(set, vectors, control);
        for (std::size_t k = 0; k < programs.size(); ++k) {
            const LongMatrix kernel = matrix(programs[k], x, x);
            for (Index v = 0; v < count; ++v) {
                const LongMatrix w = vectors[k].row(v).cast<Long>();
                const Long size = (w.cwiseAbs() * kernel.cwiseAbs() * w.cwiseAbs().transpose())(0);
                CHECK(relative_error(forms[k](v), (w * kernel * w.transpose())(0), size) < 3e-12);
            }
        }
    }
}

TEST_CASE("any number of threads gives the same bits") {
    const Setting setting({100, 1, 230}, 5);
    const auto programs = candidates();
    const KernelSet set(setting.sample, programs, true);
    const Matrix vectors = noise(1, setting.sample.size(), 3);
    const std::vector<Matrix> several(programs.size(), noise(2, setting.sample.size(), 4));
    Control one(1);
    const auto wanted = stream_sums(set, {vectors, true}, one);
    const auto products = stream_products(set, several, one);
    const auto forms = stream_quadratic_forms(set, several, one);
    for (const int threads : {2, 3, 5, 16}) {
        Control control(threads);
        const auto found = stream_sums(set, {vectors, true}, control);
        const auto others = stream_products(set, several, control);
        const auto other_forms = stream_quadratic_forms(set, several, control);
        for (std::size_t k = 0; k < programs.size(); ++k) {
            CHECK(found[k].by_class == wanted[k].by_class);
            CHECK(found[k].products == wanted[k].products);
            CHECK(found[k].row_squares == wanted[k].row_squares);
            CHECK(found[k].square_sum == wanted[k].square_sum);
            CHECK(others[k] == products[k]);
            CHECK(other_forms[k] == forms[k]);
        }
    }
}

TEST_CASE("sparse rows and stored matrices stream like dense rows") {
    Setting setting({20, 50}, 6);
    Matrix k = Matrix::Zero(70, 70);
    for (Index i = 0; i < 70; ++i)
        for (Index j = 0; j < 70; ++j)
            k(i, j) = static_cast<double>(entry(gaussian(0.5), setting.x, i, setting.x, j));
    setting.sample.add_matrix(k);
    const std::vector<Program> programs = {gaussian(0.5), {{Op::precomputed, 0.0, 0.0, 0, 1}}};
    Control control(1);
    const auto sums =
        stream_sums(KernelSet(setting.sample, programs, true), {Matrix(0, 70), true}, control);
    CHECK((sums[0].row_squares - sums[1].row_squares).norm() < 1e-12);
    const auto of_kernel = [](const KernelSums& s, const Sample& sample) {
        Matrix out = s.sign * s.by_class;
        for (int c = 0; c < sample.classes(); ++c)
            out.row(c).array() +=
                s.shift * static_cast<double>(sample.class_sizes()[static_cast<std::size_t>(c)]);
        return out;
    };
    CHECK((of_kernel(sums[0], setting.sample) - of_kernel(sums[1], setting.sample)).norm() < 1e-11);
}

TEST_CASE("huge distances leave the diagonal only") {
    Sample sample(mixed_groups({5, 4}), 2);
    const Matrix x = noise(9, 3) * 1e200;
    sample.add_dense(x);
    std::vector<Program> programs = {gaussian(1.0), leaf(Op::laplacian, 1.0),
                                     leaf(Op::matern12, 1e9), leaf(Op::matern32, 1e9),
                                     leaf(Op::matern52, 1e9)};
    Control control(1);
    for (const KernelSums& s :
         stream_sums(KernelSet(sample, programs, true), {Matrix(0, 9), true}, control)) {
        CHECK(s.shift == 0.0);
        CHECK(s.by_class.sum() == 9.0);
        CHECK(s.square_sum == 9.0);
        CHECK(s.row_squares == Vector::Ones(9));
    }
}

TEST_CASE("streams can be stopped") {
    const Setting setting({300, 300}, 5);
    const KernelSet set(setting.sample, candidates(), true);
    for (const int threads : {1, 2}) {
        Control control(threads);
        control.stop();
        CHECK_THROWS_AS(stream_sums(set, {Matrix(0, 600), true}, control), Cancelled);
    }
}
