#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "explicit_kernels.hpp"
#include "kernelect/linalg/patient_eigh.hpp"

using namespace kernelect;
using linalg::ColMatrix;

namespace {

constexpr Index kLong = 700;  // from this order on the caller is heard

ColMatrix symmetric(Index n) {
    const ColMatrix a = explicit_kernels::noise(n, n), b = a.transpose();
    return a + b;
}

// Entries of a diagonal matrix that are not in order.
ColMatrix diagonal(Index n) {
    ColMatrix a = ColMatrix::Zero(n, n);
    for (Index i = 0; i < n; ++i) a(i, i) = static_cast<double>((i * 37) % n);
    return a;
}

// A LAPACK that decomposes diagonal matrices, in place of the core's while it lives. It lets
// `during` happen on the thread that decomposes, which may make it fail.
class DiagonalLapack {
  public:
    explicit DiagonalLapack(std::function<bool()> during = [] { return true; }) {
        during_() = std::move(during);
        linalg::Lapack table;
        table.syevd = syevd;
        linalg::use(table);
    }
    ~DiagonalLapack() { linalg::use(linalg::Lapack{}); }
    DiagonalLapack(const DiagonalLapack&) = delete;
    DiagonalLapack& operator=(const DiagonalLapack&) = delete;

  private:
    static std::function<bool()>& during_() {
        static std::function<bool()> function;
        return function;
    }

    static void syevd(char* jobz, char*, int* n, double* a, int* lda, double* w, double* work,
                      int* lwork, int* iwork, int* liwork, int* info) {
        *info = 0;
        if (*lwork == -1 || *liwork == -1) {
            *work = 1.0;
            *iwork = 1;
            return;
        }
        Eigen::Map<ColMatrix, 0, Eigen::OuterStride<>> matrix(a, *n, *n,
                                                              Eigen::OuterStride<>(*lda));
        std::vector<Index> order(place(*n));
        std::iota(order.begin(), order.end(), 0);
        const Vector entries = matrix.diagonal();
        std::sort(order.begin(), order.end(),
                  [&](Index i, Index j) { return entries(i) < entries(j); });
        matrix.setZero();
        for (Index k = 0; k < *n; ++k) {
            w[k] = entries(order[place(k)]);
            if (*jobz == 'V') matrix(order[place(k)], k) = 1.0;
        }
        if (!during_()()) *info = 1;
    }
};

void wait_until(const std::atomic<bool>& flag) {
    while (!flag) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

TEST_CASE("a patient decomposition has the bits of one that is not") {
    for (const Index n : {Index{0}, Index{1}, Index{2}, Index{40}, kLong})
        for (const bool vectors : {true, false}) {
            if (n == kLong && vectors) continue;  // takes long
            CAPTURE(n);
            ColMatrix plain = symmetric(n), heard = plain, alone = plain;
            const Vector wanted = linalg::eigh(plain, vectors);
            Control control(2);
            CHECK(linalg::patient_eigh(heard, vectors, Team(control, 2, true)) == wanted);
            if (n < kLong) CHECK(linalg::patient_eigh(alone, vectors, {}) == wanted);
            if (vectors) CHECK(heard == plain);
            CHECK(heard.rows() == n);
        }
}

TEST_CASE("large matrices are decomposed on another thread where somebody listens") {
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> elsewhere{false};
    const DiagonalLapack lapack([&] {
        elsewhere = std::this_thread::get_id() != caller;
        return true;
    });
    for (const Index n : {kLong - 1, kLong, kLong + 1})
        for (const bool vectors : {true, false}) {
            CAPTURE(n);
            const ColMatrix before = diagonal(n);
            for (const int threads : {1, 2, 3}) {
                Control control(threads);
                ColMatrix a = before;
                const Vector values =
                    linalg::patient_eigh(a, vectors, Team(control, threads, true));
                CHECK(elsewhere == (n >= kLong));
                CHECK(values == Vector::LinSpaced(n, 0.0, static_cast<double>(n - 1)));
                REQUIRE(a.rows() == n);
                if (!vectors) continue;
                double error = 0.0;  // of an entry of each vector: others are zero
                for (Index k = 0; k < n; ++k)
                    error = std::max(error, std::fabs(a.col(k).dot(before.diagonal()) - values(k)));
                CHECK(error == 0.0);
                CHECK(a.sum() == static_cast<double>(n));
            }
            ColMatrix a = before;
            linalg::patient_eigh(a, vectors, {});
            CHECK_FALSE(elsewhere);
        }
}

TEST_CASE("the caller is heard while it waits") {
    std::atomic<bool> enough{false};
    const DiagonalLapack lapack([&] {
        wait_until(enough);
        return true;
    });
    int ticks = 0;
    bool elsewhere = false;
    const auto caller = std::this_thread::get_id();
    Control control(1, [&](double) {
        elsewhere |= std::this_thread::get_id() != caller;
        enough = ++ticks == 3;
        return true;
    });
    ColMatrix a = diagonal(kLong);
    CHECK(linalg::patient_eigh(a, false, Team(control, 1, true))(kLong - 1) ==
          static_cast<double>(kLong - 1));
    CHECK(ticks >= 3);
    CHECK_FALSE(elsewhere);
}

TEST_CASE("a caller who wants to stop does not wait for the end") {
    for (const bool by_exception : {false, true}) {
        std::atomic<bool> release{false}, ended{false};
        const DiagonalLapack lapack([&] {
            wait_until(release);
            ended = true;
            return true;
        });
        Control control(2, [&](double) {
            if (by_exception) throw std::out_of_range("enough");
            return false;
        });
        ColMatrix a = diagonal(kLong);
        const Team team(control, 2, true);
        if (by_exception)
            CHECK_THROWS_AS(linalg::patient_eigh(a, true, team), std::out_of_range);
        else
            CHECK_THROWS_AS(linalg::patient_eigh(a, true, team), Cancelled);
        CHECK_FALSE(ended);
        CHECK(a.size() == 0);
        release = true;  // what was left alone ends by itself
        wait_until(ended);
    }
}

TEST_CASE("a worker leaves when another one stops the work") {
    std::atomic<bool> begun{false}, release{false}, ended{false};
    const DiagonalLapack lapack([&] {
        begun = true;
        wait_until(release);
        ended = true;
        return true;
    });
    int ticks = 0;
    Control control(2, [&](double) { return ++ticks > 0; });
    std::thread other([&] {
        wait_until(begun);
        control.stop();
    });
    ColMatrix a = diagonal(kLong);
    CHECK_THROWS_AS(linalg::patient_eigh(a, false, Team(control, 2, false)), Cancelled);
    other.join();
    CHECK(ticks == 0);
    CHECK(a.size() == 0);
    release = true;
    wait_until(ended);
}

TEST_CASE("a decomposition that fails says so on the caller's thread") {
    const DiagonalLapack lapack([] { return false; });
    for (const Index n : {Index{3}, kLong}) {
        Control control(2);
        ColMatrix a = diagonal(n);
        CHECK_THROWS_AS(linalg::patient_eigh(a, true, Team(control, 2, true)),
                        linalg::NoConvergence);
        CHECK_FALSE(control.stopped());
    }
    ColMatrix wide = ColMatrix::Zero(kLong, 3);
    Control control(2);
    CHECK_THROWS_AS(linalg::patient_eigh(wide, true, Team(control, 2, true)),
                    std::invalid_argument);
}
