#include "machine_speeds.hpp"

#include <algorithm>
#include <ctime>
#include <vector>

#include "kernelect/base/build.hpp"
#include "kernelect/tiles/sweep.hpp"

namespace kernelect {
inline namespace KERNELECT_PACKS {
namespace {

using simd::kWidth;
using simd::Pack;

volatile Real kept;  // what is stored here cannot be left out

// The rate at which `work`, which does `amount`, ends: CPU time of one thread.
template <class Work>
double rate(double amount, Work&& work) {
    const std::clock_t start = std::clock();
    work();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return amount / std::max(seconds, 1e-6);
}

constexpr int kTurns = 1 << 24;  // some tens of milliseconds: as long as what it is held against

// Ten sums: enough to hide the latency of two operations in every cycle.
void products() {
    constexpr int kSums = 10;
    const Pack x = simd::set(kept), y = simd::set(kept);
    Pack sums[kSums];
    for (Pack& sum : sums) sum = x;
    for (int turn = 0; turn < kTurns; ++turn)
        for (Pack& sum : sums) sum = x * sum + y;
    Pack all = x;
    for (const Pack& sum : sums) all += sum;
    kept = simd::greatest(all) * 0.0 + 0.5;
}

// Six values and eight sums are as many as registers can hold, and enough to hide the latencies.
constexpr int kValues = 6;
template <class Step>
void steps(const Step& next) {
    constexpr int kSums = 4;
    Pack value[kValues], rows[kSums], columns[kSums];
    for (Pack& each : value) each = simd::set(kept + 0.5);
    for (int k = 0; k < kSums; ++k) rows[k] = columns[k] = value[0];
    const Pack one = simd::hidden_one();
    for (int turn = 0; turn < kTurns; ++turn)
        for (int k = 0; k < kValues; ++k) {
            value[k] = next(value[k]);
            rows[k % kSums] += value[k];
            if constexpr (Step::complement)  // as the pass shares out its operations
                columns[k % kSums] = simd::add_by_product(value[k], columns[k % kSums], one);
            else
                columns[k % kSums] += value[k];
        }
    Pack all = value[0];
    for (int k = 0; k < kSums; ++k) all += rows[k] + columns[k];
    kept = simd::greatest(all) * 0.0 + 0.5;
}

template <class Function>
void functions(const Function& function) {
    constexpr int kChains = 4;
    Pack at[kChains], sums[kChains];
    const Pack further = simd::set(kept * 1e-9);
    for (int k = 0; k < kChains; ++k) at[k] = sums[k] = simd::set(kept * 1e-3);
    for (int turn = 0; turn < kTurns / 4; ++turn)
        for (int k = 0; k < kChains; ++k) {
            sums[k] += function(at[k]);
            at[k] += further;
        }
    Pack all = at[0];
    for (const Pack& sum : sums) all += sum;
    kept = simd::greatest(all) * 0.0 + 0.5;
}

void read(const std::vector<Real>& memory) {
    constexpr std::size_t kSums = 8, kStride = kSums * kWidth;
    Pack sums[kSums];
    for (Pack& sum : sums) sum = simd::set(0.0);
    for (std::size_t i = 0; i + kStride <= memory.size(); i += kStride)
        for (std::size_t k = 0; k < kSums; ++k) sums[k] += simd::load(&memory[i + k * kWidth]);
    Pack all = sums[0];
    for (const Pack& sum : sums) all += sum;
    kept = simd::greatest(all) * 0.0 + 0.5;
}

}  // namespace

void measure_packs(MachineSpeeds& best) {
    static const std::vector<Real> memory(std::size_t{1} << 24, 1.0);  // 128 MB, beyond any cache
    const simd::FlushDenormals flush;
    const double packs = static_cast<double>(kTurns) * kWidth;
    kept = 0.5;
    const auto take = [](double& rate_so_far, double rate_now) {
        rate_so_far = std::max(rate_so_far, rate_now);
    };
    take(best.products, rate(10.0 * packs, products));
    take(best.squarings, rate(kValues * packs, [] { steps(sweep::Square{}); }));
    take(best.doublings, rate(kValues * packs, [] { steps(sweep::DoubleComplement{}); }));
    take(best.exponents,
         rate(packs, [] { functions([](Pack x) { return simd::exp_negative(x); }); }));
    take(best.series, rate(packs, [] {
             functions([](Pack x) { return simd::one_minus_exp_negative_small(x); });
         }));
    const double bytes = static_cast<double>(memory.size() * sizeof(Real));
    take(best.bytes, rate(bytes, [&] { read(memory); }));
}

}  // namespace KERNELECT_PACKS

#ifndef KERNELECT_PACKS_OF_8
#ifdef KERNELECT_V4
namespace packs_of_8 {
void measure_packs(MachineSpeeds& best);
}
#endif

void measure_speeds(MachineSpeeds& best) {
#ifdef KERNELECT_V4
    if (build::packs_of_8()) return packs_of_8::measure_packs(best);
#endif
    measure_packs(best);
}
#endif

}  // namespace kernelect
