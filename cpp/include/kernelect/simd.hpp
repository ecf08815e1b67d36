#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) || defined(_M_X64)
#include <immintrin.h>
#endif

// Four doubles at a time. GCC and Clang lower their vector type to whatever the level has (one AVX
// register, two SSE2 or NEON ones), so one source is fast on every level and sums run in the same
// order on all of them. Other compilers get plain loops over four.
namespace kernelect::simd {

inline constexpr int kWidth = 4;

#if defined(__GNUC__) || defined(__clang__)
#define KERNELECT_INLINE inline __attribute__((always_inline))

using Pack = double __attribute__((vector_size(32)));
using Bits = std::int64_t __attribute__((vector_size(32)));

KERNELECT_INLINE Pack load(const double* p) {
    Pack v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
KERNELECT_INLINE void store(double* p, Pack v) { std::memcpy(p, &v, sizeof v); }
KERNELECT_INLINE Pack set(double x) { return Pack{x, x, x, x}; }
KERNELECT_INLINE Bits to_bits(Pack v) {
    Bits b;
    std::memcpy(&b, &v, sizeof b);
    return b;
}
KERNELECT_INLINE Pack from_bits(Bits b) {
    Pack v;
    std::memcpy(&v, &b, sizeof v);
    return v;
}
KERNELECT_INLINE Bits less(Pack a, Pack b) { return a < b; }
KERNELECT_INLINE Pack select(Bits mask, Pack yes, Pack no) { return mask ? yes : no; }

#else
#define KERNELECT_INLINE inline

struct Bits {
    std::int64_t v[4];
    std::int64_t operator[](int i) const { return v[i]; }
};
struct Pack {
    double v[4];
    double operator[](int i) const { return v[i]; }
};
template <class T, class F>
KERNELECT_INLINE T each(F f) {
    return T{{f(0), f(1), f(2), f(3)}};
}
KERNELECT_INLINE Pack operator+(Pack a, Pack b) {
    return each<Pack>([&](int i) { return a.v[i] + b.v[i]; });
}
KERNELECT_INLINE Pack operator-(Pack a, Pack b) {
    return each<Pack>([&](int i) { return a.v[i] - b.v[i]; });
}
KERNELECT_INLINE Pack operator*(Pack a, Pack b) {
    return each<Pack>([&](int i) { return a.v[i] * b.v[i]; });
}
KERNELECT_INLINE Pack operator-(Pack a) {
    return each<Pack>([&](int i) { return -a.v[i]; });
}
KERNELECT_INLINE Pack& operator+=(Pack& a, Pack b) { return a = a + b; }
KERNELECT_INLINE Pack& operator*=(Pack& a, Pack b) { return a = a * b; }
KERNELECT_INLINE Bits operator+(Bits a, Bits b) {
    return each<Bits>([&](int i) { return a.v[i] + b.v[i]; });
}
KERNELECT_INLINE Bits operator<<(Bits a, int s) {
    return each<Bits>([&](int i) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a.v[i]) << s);
    });
}
KERNELECT_INLINE Pack load(const double* p) {
    Pack v;
    std::memcpy(v.v, p, sizeof v.v);
    return v;
}
KERNELECT_INLINE void store(double* p, Pack v) { std::memcpy(p, v.v, sizeof v.v); }
KERNELECT_INLINE Pack set(double x) { return Pack{{x, x, x, x}}; }
KERNELECT_INLINE Bits to_bits(Pack v) {
    Bits b;
    std::memcpy(b.v, v.v, sizeof b.v);
    return b;
}
KERNELECT_INLINE Pack from_bits(Bits b) {
    Pack v;
    std::memcpy(v.v, b.v, sizeof v.v);
    return v;
}
KERNELECT_INLINE Bits less(Pack a, Pack b) {
    return each<Bits>([&](int i) { return std::int64_t(a.v[i] < b.v[i] ? -1 : 0); });
}
KERNELECT_INLINE Pack select(Bits mask, Pack yes, Pack no) {
    return each<Pack>([&](int i) { return mask.v[i] ? yes.v[i] : no.v[i]; });
}
#endif

KERNELECT_INLINE double sum(Pack v) { return (v[0] + v[1]) + (v[2] + v[3]); }
KERNELECT_INLINE Pack max(Pack a, Pack b) { return select(less(a, b), b, a); }
KERNELECT_INLINE Pack min(Pack a, Pack b) { return select(less(b, a), b, a); }

// exp(r) - 1 for |r| <= ln(2)/2 by a polynomial r + r^2 g(r), relative error below 1e-16.
KERNELECT_INLINE Pack expm1_reduced(Pack r) {
    Pack g = set(2.510038549551032e-08);
    g = g * r + set(2.7620088445409746e-07);
    g = g * r + set(2.7557268459997064e-06);
    g = g * r + set(2.4801521295954376e-05);
    g = g * r + set(0.00019841269863053618);
    g = g * r + set(0.0013888888917213717);
    g = g * r + set(0.008333333333330062);
    g = g * r + set(0.04166666666662413);
    g = g * r + set(0.16666666666666669);
    g = g * r + set(0.5000000000000001);
    return (r * r) * g + r;
}

// -x = k ln 2 + r: returns 2^k, sets q = exp(r) - 1. Valid for 0 <= x < kExpLimit.
inline constexpr double kExpLimit = 708.0;
KERNELECT_INLINE Pack split_exp(Pack x, Pack& q) {
    const Pack magic = set(6755399441055744.0);  // 1.5 * 2^52: the low bits hold the rounded number
    const Pack t = x * set(-1.4426950408889634) + magic;
    const Pack k = t - magic;
    Pack r = k * set(-0.693147180369123816490) - x;  // ln 2 in two parts, the first with short bits
    r = k * set(-1.90821492927058770002e-10) + r;
    q = expm1_reduced(r);
    return from_bits((to_bits(t) << 52) + to_bits(set(1.0)));
}

// exp(-x) for x >= 0; exactly 1 at 0, and 0 from kExpLimit on (infinity included).
KERNELECT_INLINE Pack exp_negative(Pack x) {
    Pack q;
    const Pack scale = split_exp(x, q);
    return select(less(x, set(kExpLimit)), scale * q + scale, set(0.0));
}

// 1 - exp(-x) for x >= 0, accurate relative to itself for small x; exactly 0 at 0.
KERNELECT_INLINE Pack one_minus_exp_negative(Pack x) {
    Pack q;
    const Pack scale = split_exp(x, q);
    return select(less(x, set(kExpLimit)), (set(1.0) - scale) - scale * q, set(1.0));
}

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
