#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "explicit_kernels.hpp"
#include "kernelect/tiles/gram.hpp"

using namespace kernelect;
using namespace explicit_kernels;

namespace {

std::vector<Program> programs() {
    std::vector<Program> all = leaves(&Family::ordinary);
    all.push_back(then(leaf(Op::polynomial, 1.0, 1.0, 2), Op::normalize));
    all.push_back(joined(gaussian(0.2), then(leaf(Op::linear), Op::scale, 2.5), Op::sum));
    all.push_back(
        then(joined(leaf(Op::laplacian, 0.4), leaf(Op::polynomial, 1.0, 2.0, 2), Op::product),
             Op::normalize));
    return all;
}

Sample sample_of(const Matrix& x, const Sample* like = nullptr) {
    Sample sample(std::vector<int>(static_cast<std::size_t>(x.rows()), 0), 1);
    sample.add_dense(x, like);
    return sample;
}

double worst(const Matrix& found, const LongMatrix& wanted) {
    double error = 0.0;
    for (Index i = 0; i < found.rows(); ++i)
        for (Index j = 0; j < found.cols(); ++j)
            error = std::max(error, relative_error(found(i, j), wanted(i, j), 1e-3L));
    return error;
}

}  // namespace

TEST_CASE("kernel matrices of one sample and between two") {
    for (const double offset : {0.0, 20.0})
        for (const Index features : {3, 40}) {
            const Matrix x = (noise(70, features, 1).array() + offset).matrix();
            const Matrix y = (noise(9, features, 2).array() + offset).matrix();
            const Sample left = sample_of(x), right = sample_of(y, &left);
            for (const Program& program : programs()) {
                Control control(2);
                Matrix own(70, 70), crossed(70, 9);
                gram(program, left.sources(), left.blocks(), left.sources(), left.blocks(), own,
                     control);
                gram(program, left.sources(), left.blocks(), right.sources(), right.blocks(),
                     crossed, control);
                CHECK(worst(own, matrix(program, x, x)) < 1e-11);
                CHECK(worst(crossed, matrix(program, x, y)) < 1e-11);
                CHECK(own == own.transpose());
                const Vector d = diagonal(program, left.sources(), 70);
                for (Index i = 0; i < 70; ++i)
                    CHECK(relative_error(d(i), entry(program, x, i, x, i)) < 1e-12);
            }
        }
}

TEST_CASE("any number of threads gives the same bits") {
    const Sample sample = sample_of(noise(200, 4));
    for (const Program& program : programs()) {
        Matrix one(200, 200), several(200, 200);
        Control single(1), many(3);
        gram(program, sample.sources(), sample.blocks(), sample.sources(), sample.blocks(), one,
             single);
        gram(program, sample.sources(), sample.blocks(), sample.sources(), sample.blocks(), several,
             many);
        CHECK(one == several);
    }
}

TEST_CASE("programs that make no sense are refused") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::vector<Program> broken = {
        {},
        {{Op::sum, 0.0, 0.0, 2, 0}},
        {{Op::gaussian, 1.0, 0.0, 0, 0}, {Op::gaussian, 1.0, 0.0, 0, 0}},
        {{Op::gaussian, 1.0, 0.0, 0, 0}, {Op::sum, 0.0, 0.0, 2, 0}},
        {{Op::gaussian, 1.0, 0.0, 0, 0}, {Op::sum, 0.0, 0.0, 0, 0}},
        {{Op::gaussian, infinity, 0.0, 0, 0}},
        {{Op::precomputed, 0.0, 0.0, 0, 1}},
        {{Op::gaussian, 1.0, 0.0, 0, 1}},
        {{Op::gaussian, 1.0, 0.0, 0, -1}},
        {{Op::scale, 2.0, 0.0, 0, 0}}};
    for (const Program& program : broken)
        CHECK_THROWS_AS(check_program(program, 1), std::invalid_argument);
    for (const Program& program : leaves(&Family::refused))
        CHECK_THROWS_AS(check_program(program, 1), std::invalid_argument);
    for (const Program& program : programs()) check_program(program, 1);
}

TEST_CASE("a kernel matrix can be interrupted") {
    const Sample sample = sample_of(noise(300, 4));
    Matrix out(300, 300);
    Control control(2);
    control.stop();
    CHECK_THROWS_AS(gram(gaussian(1.0), sample.sources(), sample.blocks(), sample.sources(),
                         sample.blocks(), out, control),
                    Cancelled);
}
