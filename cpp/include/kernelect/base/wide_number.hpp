#pragma once

#include <cmath>

namespace kernelect {

// A double with an exponent of its own: products and powers neither overflow nor underflow.
// Ordinary values keep their bits, since only powers of two are split off.
class WideNumber {
  public:
    WideNumber(double value = 0.0, long exponent = 0) : exponent_(exponent) {
        int shift = 0;
        mantissa_ = std::frexp(value, &shift);
        exponent_ += shift;
    }

    friend WideNumber operator*(const WideNumber& a, const WideNumber& b) {
        return {a.mantissa_ * b.mantissa_, a.exponent_ + b.exponent_};
    }
    friend WideNumber operator/(const WideNumber& a, const WideNumber& b) {
        return {a.mantissa_ / b.mantissa_, a.exponent_ - b.exponent_};
    }
    static WideNumber power(WideNumber base, int degree) {
        WideNumber result(1.0);
        for (; degree > 0; degree /= 2, base = base * base)
            if (degree % 2 == 1) result = result * base;
        return result;
    }

    bool overflows() const { return mantissa_ != 0.0 && exponent_ > 1024; }
    bool underflows() const { return mantissa_ != 0.0 && exponent_ < -1021; }
    // The value; only of a number that does neither.
    double value() const { return std::ldexp(mantissa_, static_cast<int>(exponent_)); }

  private:
    double mantissa_ = 0.0;
    long exponent_ = 0;
};

}  // namespace kernelect
