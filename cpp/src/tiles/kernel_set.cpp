#include "kernelect/tiles/kernel_set.hpp"

#include <algorithm>
#include <cmath>

namespace kernelect {

KernelSet::KernelSet(const Sample& sample, const std::vector<Program>& programs, bool squares,
                     Tails tails)
    : sample_(sample),
      zero_from_(tails == Tails::exact ? simd::kExpLimit : simd::kNegligible),
      programs_(programs) {
    std::vector<ChainRequest> requests;
    const auto request_for = [&](const Exponential& kernel, bool doubled) {
        return std::find_if(requests.begin(), requests.end(), [&](const ChainRequest& r) {
            return r.kernel.base == kernel.base && r.kernel.source == kernel.source &&
                   (doubled ? is_double(kernel.rate, r.kernel.rate) : r.kernel.rate == kernel.rate);
        });
    };
    const auto new_output = [&](bool general) {
        general_at_.push_back(general);
        return static_cast<int>(outputs_++);
    };
    for (const Program& program : programs_) {
        check_program(program, sample.sources().size());
        Exponential kernel{};
        if (as_exponential(program, kernel)) {
            const auto known = request_for(kernel, false);
            if (known != requests.end()) {
                output_of_.push_back(known->output);
            } else {
                output_of_.push_back(new_output(false));
                requests.push_back({kernel, output_of_.back()});
            }
        } else {
            output_of_.push_back(new_output(true));
            general_.push_back(
                prepare(program, sample.sources(), sample.size(), sample.sources(), sample.size()));
            general_outputs_.push_back(output_of_.back());
        }
    }
    candidate_outputs_ = outputs_;
    square_of_.assign(static_cast<std::size_t>(outputs_), -1);
    if (squares) {
        const std::size_t wanted = requests.size();
        for (std::size_t k = 0; k < wanted; ++k) {
            const ChainRequest request = requests[k];
            const auto known = request_for(request.kernel, true);
            int output = known != requests.end() ? known->output : -1;
            if (output < 0) {
                output = new_output(false);
                Exponential doubled = request.kernel;
                doubled.rate *= 2.0;
                requests.push_back({doubled, output});
                square_of_.push_back(-1);
            }
            square_of_[static_cast<std::size_t>(request.output)] = output;
        }
    }
    chains_ = make_chains(requests, sample, tails);
    complement_.assign(static_cast<std::size_t>(outputs_), false);
    shift_.assign(static_cast<std::size_t>(outputs_), 0.0);
    for (const Chain& chain : chains_)
        for (const Link& link : chain.links)
            if (link.complement()) {
                complement_[static_cast<std::size_t>(link.output)] = true;
                shift_[static_cast<std::size_t>(link.output)] = 1.0;
            }
    for (std::size_t k = 0; k < general_.size(); ++k) {
        const std::size_t o = static_cast<std::size_t>(general_outputs_[k]);
        complement_[o] = is_wide(general_[k].program);
        shift_[o] = complement_[o] ? 1.0 : nearly_constant(general_[k]);
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
    Buffer tile(static_cast<std::size_t>(kTileArea));
    double count = 0.0, mean = 0.0, squares = 0.0;
    for (const auto& [a, b] : sample_tiles(sample_)) {
        values.start(a, b);
        values.evaluate(kernel, tile.data());
        for (Index i = 0; i < a.size; ++i)
            for (Index j = 0; j < b.size; ++j) {
                const double v = tile[static_cast<std::size_t>(i * kTile + j)], old = mean;
                count += 1.0;
                mean += (v - old) / count;
                squares += (v - old) * (v - mean);
            }
    }
    const double deviation = std::sqrt(squares / count);
    return std::isfinite(mean) && deviation < 0.03 * std::abs(mean) ? mean : 0.0;
}

void KernelSet::subtract(double* tile, const Block& a, const Block& b, double shift) {
    if (shift == 0.0) return;
    for (Index i = 0; i < a.size; ++i)
        for (Index j = 0; j < b.size; ++j) tile[i * kTile + j] -= shift;
}

}  // namespace kernelect
