#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "differences.hpp"
#include "kernelect/moments/slopes.hpp"

using namespace kernelect;
using namespace kernelect::testing;
using explicit_kernels::mixed_groups;
using explicit_kernels::noise;

namespace {

constexpr Index kRows = 9;
const std::vector<int> kSizes{4, 3, 2};

LongMatrix centred(const LongMatrix& k) {
    const LongMatrix h = LongMatrix::Identity(k.rows(), k.cols()) -
                         LongMatrix::Constant(k.rows(), k.cols(), Long{1} / k.rows());
    return h * k * h;
}

Long alignment(const LongMatrix& k, const LongMatrix& t) {
    return k.cwiseProduct(t).sum() / std::sqrt(k.squaredNorm() * t.squaredNorm());
}

Long stability(const LongMatrix& k) {
    Long largest = 0;
    for (Index i = 0; i < k.rows(); ++i) {
        const Long d = k(i, i), others = k.row(i).squaredNorm() - d * d;
        largest = std::max(largest, (d + std::sqrt(d * d + 4 * others)) / 2);
    }
    return largest;
}

// sum_q w_q'K^r w_q / D^r with D the trace or the sum of all entries.
Long spectral(const LongMatrix& k, const LongMatrix& w, int degree, bool entry_sum) {
    LongMatrix powers = w;
    for (int j = 0; j < degree; ++j) powers = k * powers;
    const Long whole = entry_sum ? k.sum() : k.trace();
    return w.cwiseProduct(powers).sum() / std::pow(whole, degree);
}

struct Numbers {
    Numbers() : x(noise(kRows, 3)), y(noise(kRows, 1, 5).cast<Long>()), sample(zeros(), 1) {
        y.array() += Long{0.3};
        sample.add_dense(x);
        const Vector values = sample.sorted(y.col(0).cast<double>());
        target = {Matrix(values.transpose().array() - values.mean()),
                  Vector::Constant(1, values.mean())};
        centre = y.array() - y.mean();
    }
    static std::vector<int> zeros() { return std::vector<int>(place(kRows), 0); }

    Matrix x;
    LongMatrix y, centre;
    Sample sample;
    Target target;
};

template <class Value>
void check(const MomentCriterion& form, const Matrix& x, const Sample& sample, const Target& target,
           const Value& value, double bound = 1e-9) {
    for (const Program& program : refinable_kernels()) {
        CAPTURE(static_cast<int>(program.front().op));
        Control control;
        const auto leaves = weighted(program, x);
        const MomentSlopes found = differentiate(form, program, sample, target, leaves, control);
        const Long own = value(explicit_kernels::matrix(program, x, x));
        // Factors that the forms have in front, such as those of class sizes, are left out here.
        const Long factor = found.value / own;
        CHECK(worst_slope(program, x, found.kernel, leaves,
                          [&](const LongMatrix& k) { return factor * value(k); }) < bound);
    }
}

}  // namespace

TEST_CASE("slopes for a target of numbers are those of differences") {
    const Numbers numbers;
    const LongMatrix plain = numbers.y * numbers.y.transpose();
    const LongMatrix target = numbers.centre * numbers.centre.transpose();
    const auto run = [&](const MomentCriterion& form, const auto& value, double bound = 1e-9) {
        CAPTURE(form.entry->name);
        check(form, numbers.x, numbers.sample, numbers.target, value, bound);
    };
    run(make_criterion("kta"), [&](const LongMatrix& k) { return alignment(k, plain); });
    run(make_criterion("ckta"), [&](const LongMatrix& k) { return alignment(centred(k), target); });
    run(make_criterion("stability"), stability);
    // One of the kernels is nearly constant, and takes four digits from every further product.
    for (const int degree : {1, 2, 3, 4})
        run(
            make_criterion("sm", {degree, false, false, false}),
            [&](const LongMatrix& k) { return spectral(k, numbers.centre, degree, false); },
            degree > 2 ? 1e-8 : 1e-9);
    run(make_criterion("sm", {2, true, false, false}),
        [&](const LongMatrix& k) { return spectral(k, numbers.centre, 2, true); });
}

TEST_CASE("slopes for classes are those of differences") {
    const std::vector<int> labels = mixed_groups(kSizes);
    const Matrix x = noise(kRows, 3);
    Sample sample(labels, 3);
    sample.add_dense(x);
    const Target none{Matrix(0, kRows), Vector(0)};
    LongMatrix same(kRows, kRows), each = LongMatrix::Zero(kRows, 3), balanced = each;
    for (Index i = 0; i < kRows; ++i) {
        for (Index j = 0; j < kRows; ++j)
            same(i, j) = labels[place(i)] == labels[place(j)] ? Long{1} : -Long{1} / 2;
        for (int q = 0; q < 3; ++q) {
            const Long own = labels[place(i)] == q ? 1 : 0;
            each(i, q) = own;
            balanced(i, q) = (own - Long{1} / 3) / kSizes[place(labels[place(i)])];
        }
    }
    const LongMatrix between = each * each.transpose(), fair = balanced * balanced.transpose();
    check(make_criterion("kta"), x, sample, none,
          [&](const LongMatrix& k) { return alignment(k, same); });
    check(make_criterion("ekta"), x, sample, none,
          [&](const LongMatrix& k) { return alignment(k, fair); });
    check(make_criterion("ckta"), x, sample, none,
          [&](const LongMatrix& k) { return alignment(centred(k), centred(between)); });
}

TEST_CASE("slopes of several tiles do not depend on threads") {
    const Matrix x = noise(150, 4);
    Sample sample(std::vector<int>(150, 0), 1);
    sample.add_dense(x);
    const Vector y = x.col(0).array().sin();
    const Target target{Matrix(y.transpose().array() - y.mean()), Vector::Constant(1, y.mean())};
    const Program program = explicit_kernels::gaussian(0.3);
    for (const char* name : {"kta", "ckta", "sm"}) {
        std::vector<KernelGradient> found;
        for (const int threads : {1, 3}) {
            Control control(threads);
            found.push_back(differentiate(make_criterion(name, {2, false, false, false}), program,
                                          sample, target, {{0, x}}, control)
                                .kernel);
        }
        CHECK(found[0].numbers == found[1].numbers);
        CHECK(found[0].columns[0] == found[1].columns[0]);
    }
}

TEST_CASE("forms without known slopes are refused") {
    const Numbers numbers;
    Control control;
    const auto run = [&](const char* name) {
        return differentiate(make_criterion(name), explicit_kernels::gaussian(0.3), numbers.sample,
                             numbers.target, {}, control);
    };
    CHECK_THROWS_AS(run("ncut"), std::invalid_argument);
    CHECK_THROWS_AS(run("mmd"), std::invalid_argument);
}
