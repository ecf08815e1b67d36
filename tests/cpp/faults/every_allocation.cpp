// Every allocation of the core fails once: std::bad_alloc must come back, nothing may leak, and the
// next call must find all as before. Prints a line for each part of the core; 1 says that one
// fails.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "kernelect/base/aligned.hpp"
#include "kernelect/landmarks/choose.hpp"
#include "kernelect/landmarks/ridge.hpp"
#include "kernelect/landmarks/sources.hpp"
#include "kernelect/landmarks/sums.hpp"
#include "kernelect/moments/scoring.hpp"
#include "kernelect/ridge/candidates.hpp"
#include "kernelect/spectrum/kernel_spectra.hpp"
#include "kernelect/tiles/gram.hpp"
#include "kernelect/tiles/kernel_stack.hpp"
#include "ridge_problems.hpp"

namespace {

std::atomic<bool> counting{false};
std::atomic<long> asked{0}, failing{-1}, live{0};

// Whether this allocation is the one to fail.
bool fails() { return counting && asked++ == failing; }

void* kept(void* p) {
    if (p != nullptr && counting) ++live;
    return p;
}

void* allocate(std::size_t size, std::size_t line) {
    if (fails()) throw std::bad_alloc();
    void* p = nullptr;
    if (posix_memalign(&p, line, size == 0 ? 1 : size) != 0) throw std::bad_alloc();
    return kept(p);
}

}  // namespace

// The linker sends the core's own calls of malloc here (Eigen's matrices); free does not ask where
// from, so that what is let go is counted for all.
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_realloc(void* p, std::size_t size);
void __real_free(void* p);
void* __wrap_malloc(std::size_t size) { return fails() ? nullptr : kept(__real_malloc(size)); }
void* __wrap_realloc(void* p, std::size_t size) {
    if (fails()) return nullptr;
    return p == nullptr ? kept(__real_realloc(p, size)) : __real_realloc(p, size);
}
void __wrap_free(void* p) {
    if (p != nullptr && counting) --live;
    __real_free(p);
}
}

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t line) {
    return allocate(size, static_cast<std::size_t>(line));
}
void* operator new[](std::size_t size, std::align_val_t line) {
    return allocate(size, static_cast<std::size_t>(line));
}
void operator delete(void* p) noexcept { __wrap_free(p); }
void operator delete[](void* p) noexcept { __wrap_free(p); }
void operator delete(void* p, std::size_t) noexcept { __wrap_free(p); }
void operator delete[](void* p, std::size_t) noexcept { __wrap_free(p); }
void operator delete(void* p, std::align_val_t) noexcept { __wrap_free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { __wrap_free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { __wrap_free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { __wrap_free(p); }

using namespace kernelect;
using namespace kernelect::testing;

namespace {

constexpr Index kRows = 150;  // three tiles, and a half
const Problem kProblem = random_problem(kRows, 3, 5);
const Matrix kPoints = kProblem.points;
const Program kNormal{{Op::gaussian, 0.3, 0.0, 0, 0}};
const Program kSum{
    {Op::gaussian, 0.3, 0.0, 0, 0}, {Op::linear, 0.0, 0.0, 0, 0}, {Op::sum, 0.0, 0.0, 2, 0}};

Sample sample(int classes) {
    std::vector<int> groups(place(kRows));
    for (Index i = 0; i < kRows; ++i) groups[place(i)] = static_cast<int>(i % classes);
    Sample made(groups, classes);
    made.add_dense(kPoints);
    return made;
}

double moments(Control& control) {
    const std::vector<MomentCriterion> wanted{make_criterion("sm", {5, false, false, false}),
                                              make_criterion("ckta"), make_criterion("fsm")};
    const Target none{Matrix(0, kRows), Vector(0)};
    return score_moments(sample(2), none, {kNormal, kSum}, wanted, 1e9, control)[1][0].value;
}

double ridge(Control& control) {
    RidgeRequest request;
    request.targets = kProblem.targets;
    request.lambdas = {0.02, 1.5};
    request.fit = request.gcv = request.loo = request.outputs = true;
    request.fold_sets = {{{0, 1, 2, 3}, {9, 8}}};
    const ScaledRidge found =
        ridge_kernels(sample(1), {kNormal, kSum}, request, KernelScaling::none, control);
    for (const RidgeResult& one : found.results)
        if (!one.error.empty()) std::printf("  %s\n", one.error.c_str());
    return found.results[1].loo.outputs.sum();
}

double spectra(Control& control) {
    double total = 0.0;
    for (const bool store : {true, false})
        total +=
            kernel_spectra(sample(1), {kNormal, kSum}, {6, 1e-10, store}, control).values.sum();
    return total;
}

double derivatives(Control& control) {
    RidgeObjective objective;
    objective.targets = kProblem.targets;
    objective.ridge = {0.5, true, Vector(0)};
    return differentiate(objective, kSum, sample(1), {{0, kPoints}}, control)
        .kernel.columns[0]
        .sum();
}

double stack(Control& control) {
    const Sample rows = sample(1);
    const KernelStack kernels(rows, {kNormal, kSum}, 1e9, control);
    return kernels.centred_products(control).sum();
}

double landmarks(Control& control) {
    RowTables tables(kRows);
    tables.add_dense(kPoints);
    const ChosenLandmarks chosen = choose_landmarks(RowPool(tables, kNormal), 20, 0.0, 1, {});
    const Sample rows = tables.take(chosen.rows);
    const LandmarkBasis basis(landmark_gram(rows, kNormal), chosen.origin);
    const LandmarkTargets targets{kProblem.targets, Vector::Zero(2)};
    const LandmarkSums sums =
        landmark_sums(basis, RowColumns(tables, rows, kNormal), targets, 0, control);
    const LandmarkRidge model(basis, training_sums(sums.whole(), -1), targets.origin, true, 20, {});
    const LandmarkResiduals found = model.residuals(
        RowColumns(tables, rows, kNormal), {kProblem.targets, {}, {}}, {0.1, 1.0}, true, control);
    return found.of_ridge[0].sum();
}

struct Part {
    const char* name;
    double (*run)(Control& control);
};

// How the part ends with its k-th allocation failing: whether that is as it should be.
bool survives(const Part& part, int threads, long k, double wanted) {
    drop_kept_lines();
    const long before = live;
    bool refused = false;
    double found = wanted;
    {
        Control control(threads);
        failing = asked + k;
        try {
            found = part.run(control);
        } catch (const std::bad_alloc&) {
            refused = true;
        }
        failing = -1;
    }
    drop_kept_lines();
    if (live != before) std::printf("  allocation %ld: %ld blocks leak\n", k, live - before);
    if (!refused && found != wanted) std::printf("  allocation %ld: another result\n", k);
    return live == before && (refused || found == wanted);
}

bool check(const Part& part, int threads) {
    double wanted = 0.0;
    for (int turn = 0; turn < 2; ++turn) {  // the first fills what is kept for good
        drop_kept_lines();
        Control control(threads);
        asked = 0;
        wanted = part.run(control);
    }
    const long count = asked;
    bool good = true;
    for (long k = 0; k < count; ++k) good = survives(part, threads, k, wanted) && good;
    std::printf("%s, %d threads: %ld allocations%s\n", part.name, threads, count,
                good ? "" : " FAILED");
    return good;
}

}  // namespace

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const Part parts[] = {{"moments", moments},         {"ridge", ridge}, {"spectra", spectra},
                          {"derivatives", derivatives}, {"stack", stack}, {"landmarks", landmarks}};
    counting = true;
    bool good = true;
    for (const Part& part : parts)
        for (const int threads : {1, 2}) good = check(part, threads) && good;
    counting = false;
    return good ? 0 : 1;
}
