#include "kernelect/tiles/kernel_set.hpp"

#include <algorithm>
#include <cmath>

namespace kernelect {
namespace {

// A kernel counts as nearly constant where its entries deviate from their mean by less than this
// share of it: subtracting the mean then saves one and a half digits at least.
constexpr double kNearlyConstant = 0.03;

std::vector<ChainRequest>::const_iterator find_request(const std::vector<ChainRequest>& requests,
                                                       const Exponential& kernel, bool doubled) {
    return std::find_if(requests.begin(), requests.end(), [&](const ChainRequest& r) {
        return r.kernel.base == kernel.base && r.kernel.source == kernel.source &&
               (doubled ? is_double(kernel.rate, r.kernel.rate) : r.kernel.rate == kernel.rate);
    });
}

}  // namespace

KernelSet::KernelSet(const Sample& sample, const std::vector<Program>& programs, bool squares,
                     Tails tails)
    : KernelSet(sample, sample, programs, squares, tails) {}

KernelSet::KernelSet(const Sample& sample, const Sample& others,
                     const std::vector<Program>& programs)
    : KernelSet(sample, others, programs, false,
                programs.size() == 1 ? Tails::exact : Tails::rounded) {}

KernelSet::KernelSet(const Sample& sample, const Sample& others,
                     const std::vector<Program>& programs, bool squares, Tails tails)
    : sample_(sample),
      others_(others),
      zero_from_(tails == Tails::exact ? simd::kExpLimit : simd::kNegligible),
      programs_(programs) {
    std::vector<ChainRequest> requests = add_candidates();
    candidate_outputs_ = outputs();
    if (squares) add_squares(requests);
    chains_ = make_chains(requests, sample, tails);
    for (const Chain& chain : chains_)
        for (const Link& link : chain.links)
            if (link.complement()) carry_complement(link.output);
    for (const General& kernel : general_) {
        if (is_wide(kernel.prepared.program))
            carry_complement(kernel.output);
        else if (&sample_ == &others_)  // what is nearly constant here need not be there
            outputs_[place(kernel.output)].shift = nearly_constant(kernel.prepared);
    }
}

int KernelSet::new_output(bool general) {
    outputs_.push_back({});
    outputs_.back().general = general;
    return static_cast<int>(outputs_.size()) - 1;
}

void KernelSet::carry_complement(int o) {
    outputs_[place(o)].complement = true;
    outputs_[place(o)].shift = 1.0;
}

std::vector<ChainRequest> KernelSet::add_candidates() {
    std::vector<ChainRequest> requests;
    for (const Program& program : programs_) {
        check_program(program, sample_.sources().size());
        Exponential kernel{};
        if (!as_exponential(program, kernel)) {
            output_of_.push_back(new_output(true));
            general_.push_back({prepare(program, sample_.sources(), sample_.size(),
                                        others_.sources(), others_.size()),
                                output_of_.back()});
            continue;
        }
        const auto known = find_request(requests, kernel, false);
        if (known != requests.end()) {
            output_of_.push_back(known->output);
        } else {
            output_of_.push_back(new_output(false));
            requests.push_back({kernel, output_of_.back()});
        }
    }
    return requests;
}

void KernelSet::add_squares(std::vector<ChainRequest>& requests) {
    const std::size_t wanted = requests.size();
    for (std::size_t k = 0; k < wanted; ++k) {
        const ChainRequest request = requests[k];
        const auto known = find_request(requests, request.kernel, true);
        int output = known != requests.end() ? known->output : -1;
        if (output < 0) {
            output = new_output(false);
            Exponential doubled = request.kernel;
            doubled.rate *= 2.0;
            requests.push_back({doubled, output});
        }
        outputs_[place(request.output)].square = output;
    }
}

bool KernelSet::is_wide(const Program& program) const {
    if (program.size() != 1) return false;
    const Node& node = program.front();
    const Operation& known = operation(node.op);
    if (known.complement == nullptr) return false;
    return typical_value(sample_, *known.base, node.source,
                         [&](double base) { return known.exponent(node, base); }) <= 1.0;
}

double KernelSet::nearly_constant(const PreparedProgram& kernel) const {
    TileValues values(sample_.sources(), sample_.sources());
    Buffer tile(place(kTileArea));
    double count = 0.0, mean = 0.0, squares = 0.0;
    for (const auto& [a, b] : sample_tiles(sample_)) {
        values.start(a, b);
        values.evaluate(kernel, tile.data());
        for (Index i = 0; i < a.size; ++i)
            for (Index j = 0; j < b.size; ++j) {
                const double v = tile[place(i * kTile + j)], old = mean;
                count += 1.0;
                mean += (v - old) / count;
                squares += (v - old) * (v - mean);
            }
    }
    const double deviation = std::sqrt(squares / count);
    return std::isfinite(mean) && deviation < kNearlyConstant * std::abs(mean) ? mean : 0.0;
}

void KernelSet::each(TileValues& values, Real* tile, const Block& a, const Block& b,
                     const std::function<void(int, const Real*)>& use) const {
    walk<1>(values, tile, a, b,
            [&](std::array<int, 1> outputs, const Real* in, Real* out, const auto& entry) {
                constexpr bool kWrites = std::decay_t<decltype(entry)>::writes;
                if constexpr (kWrites) map_tile(in, out, a.size, padded(b.size), entry);
                use(outputs[0], kWrites ? out : in);
            });
}

void KernelSet::subtract(Real* tile, const Block& a, const Block& b, double shift) {
    if (shift == 0.0) return;
    for (Index i = 0; i < a.size; ++i)
        for (Index j = 0; j < b.size; ++j) tile[i * kTile + j] -= shift;
}

}  // namespace kernelect
