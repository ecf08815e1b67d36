#pragma once

namespace kernelect {

// What one thread of this machine does at best, on packs of the level in use: entries
// per second, and bytes read from memory.
struct MachineSpeeds {
    double products;   // one fused multiply-add each
    double squarings;  // a kernel from the one before, and its two sums: a product, two additions
    double doublings;  // the same of 1 - K, which takes an addition more
    double exponents;  // exp(-x)
    double series;     // 1 - exp(-x) of a small x
    double bytes;
};
// The best of what was seen and what is seen now; to be called in turns with what it is for.
void measure_speeds(MachineSpeeds& best);

}  // namespace kernelect
