#include "kernelect/spectrum/kernel_spectra.hpp"

#include <limits>
#include <stdexcept>

#include "kernelect/spectrum/kernel_operator.hpp"
#include "kernelect/spectrum/spectrum.hpp"
#include "kernelect/tiles/gram.hpp"

namespace kernelect {
namespace {

LeadingSpectrum spectrum_of(const Program& program, const Sample& sample,
                            const SpectrumOptions& options, bool store, Control& control,
                            const linalg::ColMatrix& warm) {
    if (!store) return leading_spectrum(KernelOperator(sample, program), options, control, warm);
    Matrix k(sample.size(), sample.size());
    gram(program, sample.sources(), sample.blocks(), sample.sources(), sample.blocks(), k, control);
    return leading_spectrum(k, options, control, warm);
}

}  // namespace

KernelSpectra kernel_spectra(const Sample& sample, const std::vector<Program>& programs,
                             const KernelSpectraOptions& options, Control& control) {
    for (const Program& program : programs) check_program(program, sample.sources().size());
    check_count(options.count, sample.size());
    SpectrumOptions each;
    each.count = options.count;
    each.tolerance = options.tolerance;
    each.vectors = true;  // for the next candidate to start from

    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    const auto candidates = static_cast<Index>(programs.size());
    KernelSpectra spectra{Matrix::Constant(candidates, options.count + 1, kNothing),
                          Vector::Constant(candidates, kNothing),
                          Vector::Constant(candidates, kNothing),
                          std::vector<bool>(programs.size(), true)};
    linalg::ColMatrix warm;
    for (Index k = 0; k < candidates; ++k) {
        const auto at = place(k);
        try {
            LeadingSpectrum found =
                spectrum_of(programs[at], sample, each, options.store, control, warm);
            spectra.values.row(k) = found.values.transpose();
            spectra.trace(k) = found.trace;
            spectra.smallest(k) = found.smallest;
            spectra.converged[at] = found.converged;
            warm = std::move(found.vectors);
        } catch (const std::domain_error&) {  // entries that are not finite, of this kernel only
            warm.resize(0, 0);
        }
    }
    return spectra;
}

}  // namespace kernelect
