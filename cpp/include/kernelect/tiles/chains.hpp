#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "kernelect/tiles/kernels.hpp"
#include "kernelect/tiles/sample.hpp"

namespace kernelect {

// How the next kernel of a chain comes about.
enum class Step {
    anchor_complement,  // M = 1 - exp(-rate * base)
    anchor,             // K = exp(-rate * base)
    double_complement,  // M <- M (2 - M), `times` times
    square,             // K <- K^2, `times` times
    leave_complement,   // K <- (1 - M)^2, then K <- K^2 until `times` are done
};

struct Link {
    double rate;
    Step step;
    int times;
    int output;  // index of the kernel this link belongs to

    bool complement() const {
        return step == Step::anchor_complement || step == Step::double_complement;
    }
};

// Kernels exp(-rate * base) with rates that are powers of two apart, widest first: each follows
// from the one before by elementwise squaring.
struct Chain {
    Base base;
    int source;
    std::vector<Link> links;
};

// How well entries far below 1 are to be known. Every kernel of a chain is 1 on the diagonal; a sum
// that holds that 1 sees nothing of what `rounded` leaves out, and it is cheaper.
enum class Tails {
    exact,    // relative to themselves, down to exp(-708)
    rounded,  // relative to 1
};

struct ChainRequest {
    Exponential kernel;
    int output;
};

// Orders the requested kernels into chains. Wide kernels, for which rate * base stays below one for
// nearly all pairs, are carried as M = 1 - K: centred sums of M lose no digits, where those of K
// lose all that K has in common with the matrix of ones, and M <- M(2 - M) does not amplify
// rounding. Narrow ones are carried as K, where k squarings cost about 1.5 * 2^k units in the last
// place, so a fresh exponential is taken every few steps. Between the two another exponential is
// needed for exact tails; rounded ones are well served by K = 1 - M.
std::vector<Chain> make_chains(std::vector<ChainRequest> requests, const Sample& sample,
                               Tails tails);

// A few tiles spread over the sample: rows are sorted by class, so near and far pairs both occur.
// The choice is fixed, hence the same for any number of threads.
std::vector<std::pair<Block, Block>> sample_tiles(const Sample& sample);

// The 95% quantile over those tiles of a function of the base; what decides that a kernel is wide.
double typical_value(const Sample& sample, Base base, int source,
                     const std::function<double(double base)>& value);
double typical_base(const Sample& sample, Base base, int source);

// True if b is twice a up to the last bits.
bool is_double(double a, double b);

}  // namespace kernelect
