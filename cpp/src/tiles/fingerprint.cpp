#include "tiles/fingerprint.hpp"

#include "kernelect/base/digest.hpp"

namespace kernelect {

std::uint64_t fingerprint(const KernelSet& set, const SumsRequest& request) {
    const Sample& sample = set.sample();
    Digest digest;
#if defined(__FMA__)
    digest.add(1);
#else
    digest.add(0);
#endif
    digest.add(sample.size());
    digest.add(sample.class_sizes().data(), sample.class_sizes().size());
    for (const Rows& rows : sample.sources()) rows.add_to(digest);
    for (Index k = 0; k < set.candidates(); ++k) {
        digest.add(set.program(k).size());
        for (const Node& node : set.program(k)) {
            digest.add(node.op);
            digest.add(node.a);
            digest.add(node.b);
            digest.add(node.count);
            digest.add(node.source);
        }
    }
    digest.add(set.outputs());
    for (Index o = 0; o < set.outputs(); ++o) digest.add(set.shift(o));
    digest.add(request.squares);
    digest.add(request.vectors.rows());
    digest.add(request.vectors.data(), place(request.vectors.size()));
    return digest.value();
}

}  // namespace kernelect
