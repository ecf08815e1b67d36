#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) || defined(_M_X64)
#include <immintrin.h>
#endif

#include "kernelect/base/types.hpp"

// Doubles that are worked on together, so that one source is fast on every level: four, in one AVX
// register or in two halves of two (SSE2, NEON, plain doubles); or eight, in one of AVX-512, for
// the few files that are compiled for packs of both widths and linked to one core. Whatever is made
// of packs therefore has another name for each width.
#ifdef KERNELECT_PACKS_OF_8
#define KERNELECT_PACKS packs_of_8
#else
#define KERNELECT_PACKS packs_of_4
#endif

namespace kernelect::simd {
inline namespace KERNELECT_PACKS {

#ifdef KERNELECT_PACKS_OF_8
inline constexpr int kWidth = 8;
#else
inline constexpr int kWidth = 4;
#endif

#if defined(__GNUC__) || defined(__clang__)
#define KERNELECT_INLINE inline __attribute__((always_inline))
#else
#define KERNELECT_INLINE inline
#endif
// Before a loop of at most eight turns that is to become plain instructions: GCC leaves long ones
// as loops, and what they add up then lives in memory.
#if defined(__GNUC__) && !defined(__clang__)
#define KERNELECT_UNROLL _Pragma("GCC unroll 8")
#else
#define KERNELECT_UNROLL
#endif

#if defined(__AVX2__) && (defined(__GNUC__) || defined(__clang__))

using Pack = Real __attribute__((vector_size(kWidth * sizeof(Real))));
using Bits = std::uint64_t __attribute__((vector_size(kWidth * sizeof(Real))));

KERNELECT_INLINE Pack load(const Real* p) {
    Pack v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
KERNELECT_INLINE void store(Real* p, Pack v) { std::memcpy(p, &v, sizeof v); }
KERNELECT_INLINE Bits to_bits(Pack v) { return reinterpret_cast<Bits>(v); }
KERNELECT_INLINE Pack from_bits(Bits b) { return reinterpret_cast<Pack>(b); }
KERNELECT_INLINE Bits less(Pack a, Pack b) { return reinterpret_cast<Bits>(a < b); }
KERNELECT_INLINE Pack select(Bits mask, Pack yes, Pack no) { return mask ? yes : no; }
#ifdef KERNELECT_PACKS_OF_8
KERNELECT_INLINE Pack set(Real x) { return _mm512_set1_pd(x); }
KERNELECT_INLINE Pack max(Pack a, Pack b) { return _mm512_max_pd(a, b); }
KERNELECT_INLINE Pack min(Pack a, Pack b) { return _mm512_min_pd(a, b); }
KERNELECT_INLINE Pack product_plus(Pack a, Pack b, Pack c) { return _mm512_fmadd_pd(a, b, c); }
KERNELECT_INLINE Pack less_product(Pack c, Pack a, Pack b) { return _mm512_fnmadd_pd(a, b, c); }
KERNELECT_INLINE Real sum(Pack v) {
    return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]));
}
// What sum() has of each of these, bit for bit, in a third of its instructions.
KERNELECT_INLINE Pack sums(const Pack (&v)[kWidth]) {
    const auto fold = [](Pack a, Pack b) {  // four numbers of each: lane k and lane k + 4
        return _mm512_shuffle_f64x2(a, b, 0x44) + _mm512_shuffle_f64x2(a, b, 0xee);
    };
    const auto pair = [](Pack a, Pack b) {
        return _mm512_unpacklo_pd(a, b) + _mm512_unpackhi_pd(a, b);
    };
    const Pack first = pair(fold(v[0], v[2]), fold(v[1], v[3]));
    const Pack last = pair(fold(v[4], v[6]), fold(v[5], v[7]));
    return _mm512_shuffle_f64x2(first, last, 0x88) + _mm512_shuffle_f64x2(first, last, 0xdd);
}
#else
KERNELECT_INLINE Pack set(Real x) { return _mm256_set1_pd(x); }
KERNELECT_INLINE Pack max(Pack a, Pack b) { return _mm256_max_pd(a, b); }
KERNELECT_INLINE Pack min(Pack a, Pack b) { return _mm256_min_pd(a, b); }
KERNELECT_INLINE Pack product_plus(Pack a, Pack b, Pack c) { return _mm256_fmadd_pd(a, b, c); }
KERNELECT_INLINE Pack less_product(Pack c, Pack a, Pack b) { return _mm256_fnmadd_pd(a, b, c); }
KERNELECT_INLINE Real sum(Pack v) { return (v[0] + v[1]) + (v[2] + v[3]); }
// What sum() has of each of these, bit for bit, in half of its instructions.
KERNELECT_INLINE Pack sums(const Pack (&v)[kWidth]) {
    const Pack first = _mm256_hadd_pd(v[0], v[1]), last = _mm256_hadd_pd(v[2], v[3]);
    return _mm256_permute2f128_pd(first, last, 0x20) + _mm256_permute2f128_pd(first, last, 0x31);
}
#endif
// The same sum by the units that multiply, of which many processors have two beside two that add.
// The compiler must not know the factor, or it would leave it out.
KERNELECT_INLINE Pack hidden_one() {
    Pack one = set(1.0);
    __asm__("" : "+v"(one));
    return one;
}
KERNELECT_INLINE Pack add_by_product(Pack a, Pack b, Pack one) { return product_plus(a, one, b); }

#else

// Two halves of two: the vector type where the compiler has one, else plain doubles.
#if defined(__GNUC__) || defined(__clang__)
using Half = Real __attribute__((vector_size(kWidth / 2 * sizeof(Real))));
using HalfBits = std::uint64_t __attribute__((vector_size(kWidth / 2 * sizeof(Real))));
KERNELECT_INLINE HalfBits half_less(Half a, Half b) { return reinterpret_cast<HalfBits>(a < b); }
KERNELECT_INLINE Half half_select(HalfBits m, Half yes, Half no) {
    // By bit masks: the baseline has no blend instruction.
    return reinterpret_cast<Half>((m & reinterpret_cast<HalfBits>(yes)) |
                                  (~m & reinterpret_cast<HalfBits>(no)));
}
KERNELECT_INLINE HalfBits half_bits(Half a) { return reinterpret_cast<HalfBits>(a); }
KERNELECT_INLINE Half half_from(HalfBits a) { return reinterpret_cast<Half>(a); }
#else
template <class T>
struct Two {
    T v[2];
    T operator[](int i) const { return v[i]; }
    friend Two operator+(Two a, Two b) { return {{a.v[0] + b.v[0], a.v[1] + b.v[1]}}; }
    friend Two operator-(Two a, Two b) { return {{a.v[0] - b.v[0], a.v[1] - b.v[1]}}; }
    friend Two operator*(Two a, Two b) { return {{a.v[0] * b.v[0], a.v[1] * b.v[1]}}; }
    friend Two operator/(Two a, Two b) { return {{a.v[0] / b.v[0], a.v[1] / b.v[1]}}; }
    friend Two operator<<(Two a, int s) { return {{a.v[0] << s, a.v[1] << s}}; }
    friend Two operator>>(Two a, int s) { return {{a.v[0] >> s, a.v[1] >> s}}; }
};
using Half = Two<Real>;
using HalfBits = Two<std::uint64_t>;
KERNELECT_INLINE HalfBits half_less(Half a, Half b) {
    const std::uint64_t all = ~std::uint64_t{0};
    return {{a.v[0] < b.v[0] ? all : 0, a.v[1] < b.v[1] ? all : 0}};
}
KERNELECT_INLINE Half half_select(HalfBits m, Half yes, Half no) {
    return {{m.v[0] ? yes.v[0] : no.v[0], m.v[1] ? yes.v[1] : no.v[1]}};
}
KERNELECT_INLINE HalfBits half_bits(Half a) {
    HalfBits b;
    std::memcpy(&b, &a, sizeof b);
    return b;
}
KERNELECT_INLINE Half half_from(HalfBits a) {
    Half b;
    std::memcpy(&b, &a, sizeof b);
    return b;
}
#endif

struct Pack {
    Half lo, hi;
};
struct Bits {
    HalfBits lo, hi;
};

KERNELECT_INLINE Pack operator+(Pack a, Pack b) { return {a.lo + b.lo, a.hi + b.hi}; }
KERNELECT_INLINE Pack operator-(Pack a, Pack b) { return {a.lo - b.lo, a.hi - b.hi}; }
KERNELECT_INLINE Pack operator*(Pack a, Pack b) { return {a.lo * b.lo, a.hi * b.hi}; }
KERNELECT_INLINE Pack operator/(Pack a, Pack b) { return {a.lo / b.lo, a.hi / b.hi}; }
KERNELECT_INLINE Pack& operator+=(Pack& a, Pack b) { return a = a + b; }
KERNELECT_INLINE Bits operator+(Bits a, Bits b) { return {a.lo + b.lo, a.hi + b.hi}; }
KERNELECT_INLINE Bits operator-(Bits a, Bits b) { return {a.lo - b.lo, a.hi - b.hi}; }
KERNELECT_INLINE Bits operator<<(Bits a, int s) { return {a.lo << s, a.hi << s}; }
KERNELECT_INLINE Bits operator>>(Bits a, int s) { return {a.lo >> s, a.hi >> s}; }
KERNELECT_INLINE Pack load(const Real* p) {
    Pack v;
    std::memcpy(&v.lo, p, sizeof v.lo);
    std::memcpy(&v.hi, p + kWidth / 2, sizeof v.hi);
    return v;
}
KERNELECT_INLINE void store(Real* p, Pack v) {
    std::memcpy(p, &v.lo, sizeof v.lo);
    std::memcpy(p + kWidth / 2, &v.hi, sizeof v.hi);
}
KERNELECT_INLINE Pack set(Real x) { return {Half{x, x}, Half{x, x}}; }
KERNELECT_INLINE Pack operator-(Pack a) { return set(0.0) - a; }
KERNELECT_INLINE Bits to_bits(Pack v) { return {half_bits(v.lo), half_bits(v.hi)}; }
KERNELECT_INLINE Pack from_bits(Bits b) { return {half_from(b.lo), half_from(b.hi)}; }
KERNELECT_INLINE Bits less(Pack a, Pack b) {
    return {half_less(a.lo, b.lo), half_less(a.hi, b.hi)};
}
KERNELECT_INLINE Pack select(Bits m, Pack yes, Pack no) {
    return {half_select(m.lo, yes.lo, no.lo), half_select(m.hi, yes.hi, no.hi)};
}
KERNELECT_INLINE Real sum(Pack v) { return (v.lo[0] + v.lo[1]) + (v.hi[0] + v.hi[1]); }
KERNELECT_INLINE Pack sums(const Pack (&v)[kWidth]) {
    return {Half{sum(v[0]), sum(v[1])}, Half{sum(v[2]), sum(v[3])}};
}

// As the instructions of x86 have it: the second operand where the two do not compare.
KERNELECT_INLINE Pack max(Pack a, Pack b) { return select(less(b, a), a, b); }
KERNELECT_INLINE Pack min(Pack a, Pack b) { return select(less(a, b), a, b); }
KERNELECT_INLINE Pack less_product(Pack c, Pack a, Pack b) { return c - a * b; }
// Without fused multiply-adds a product would be one operation more.
KERNELECT_INLINE Pack hidden_one() { return set(1.0); }
KERNELECT_INLINE Pack add_by_product(Pack a, Pack b, Pack) { return a + b; }

#endif

KERNELECT_INLINE Real least(Pack v) {
    Real lanes[kWidth];
    store(lanes, v);
    return *std::min_element(lanes, lanes + kWidth);
}
KERNELECT_INLINE Real greatest(Pack v) {
    Real lanes[kWidth];
    store(lanes, v);
    return *std::max_element(lanes, lanes + kWidth);
}

}  // namespace KERNELECT_PACKS

// Denormal results are flushed to zero while this lives: repeated squaring makes many of them, and
// they are slow and worth nothing. The mode of the thread is put back afterwards.
class FlushDenormals {
  public:
#if defined(__SSE2__) || defined(_M_X64)
    FlushDenormals() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | 0x8040u); }
    ~FlushDenormals() { _mm_setcsr(saved_); }

  private:
    unsigned saved_;
#else
    FlushDenormals() {}
    ~FlushDenormals() {}

  public:
#endif
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;
};

}  // namespace kernelect::simd
