#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "explicit_kernels.hpp"
#include "kernelect/tiles/chains.hpp"

using namespace kernelect;
using namespace explicit_kernels;

namespace {

std::vector<Chain> chains_for(const Sample& sample, const std::vector<double>& rates,
                              Base base = Base::squared_distance, Tails tails = Tails::rounded) {
    std::vector<ChainRequest> requests;
    for (std::size_t k = 0; k < rates.size(); ++k)
        requests.push_back({{base, 0, rates[k]}, static_cast<int>(k)});
    return make_chains(requests, sample, tails);
}

std::vector<double> dyadic(int low, int high, double factor = 1.0) {
    std::vector<double> rates;
    for (int k = low; k <= high; ++k) rates.push_back(std::ldexp(factor, k));
    return rates;
}

// Every output once; each link follows from the one before as its step says.
void check_links(const std::vector<Chain>& chains, const std::vector<double>& rates) {
    std::set<int> outputs;
    for (const Chain& chain : chains) {
        int squarings = 0;
        for (std::size_t k = 0; k < chain.links.size(); ++k) {
            const Link& link = chain.links[k];
            CHECK(outputs.insert(link.output).second);
            CHECK(link.rate == rates[static_cast<std::size_t>(link.output)]);
            const bool anchor = link.step == Step::anchor || link.step == Step::anchor_complement;
            if (k == 0) CHECK(anchor);
            if (anchor) {
                squarings = 0;
                continue;
            }
            const Link& before = chain.links[k - 1];
            CHECK(link.rate > before.rate);
            CHECK(std::abs(std::ldexp(before.rate, link.times) - link.rate) <= 4e-16 * link.rate);
            // 1 - K is continued as K once, K never as 1 - K.
            const bool leaves = link.step == Step::leave_complement;
            CHECK(link.complement() == (before.complement() && !leaves));
            if (!link.complement()) squarings += link.times;
            if (leaves) squarings += 2;
            CHECK(squarings <= 12);
        }
    }
    CHECK(outputs.size() == rates.size());
}

}  // namespace

TEST_CASE("a dyadic grid is one chain, widest kernel first") {
    const Setting setting({90}, 4);
    const std::vector<double> rates = dyadic(-16, 14);
    const auto chains = chains_for(setting.sample, rates);
    CHECK(chains.size() == 1);
    check_links(chains, rates);
    int anchors = 0;
    for (const Link& link : chains[0].links)
        anchors += link.step == Step::anchor || link.step == Step::anchor_complement;
    CHECK(anchors <= 3);  // of 31 kernels
}

TEST_CASE("exact tails take a fresh exponential where 1 - K ends") {
    const Setting setting({90}, 4);
    const std::vector<double> rates = dyadic(-16, 14);
    const auto chains = chains_for(setting.sample, rates, Base::squared_distance, Tails::exact);
    check_links(chains, rates);
    for (const Link& link : chains[0].links) CHECK(link.step != Step::leave_complement);
}

TEST_CASE("the order of the candidates does not matter to the chains") {
    const Setting setting({90}, 4);
    std::vector<double> rates = dyadic(-5, 5);
    std::reverse(rates.begin(), rates.end());
    std::swap(rates[2], rates[7]);
    const auto chains = chains_for(setting.sample, rates);
    CHECK(chains.size() == 1);
    check_links(chains, rates);
}

TEST_CASE("grids of other ratios split into dyadic chains") {
    const Setting setting({90}, 4);
    std::vector<double> rates = dyadic(-6, 6);
    for (const double rate : dyadic(-6, 6, std::sqrt(2.0))) rates.push_back(rate);
    const auto halves = chains_for(setting.sample, rates);
    CHECK(halves.size() == 2);
    check_links(halves, rates);
    const std::vector<double> quarters = {1.0, 4.0, 16.0, 64.0};
    CHECK(chains_for(setting.sample, quarters).size() == 1);
    check_links(chains_for(setting.sample, quarters), quarters);
    const std::vector<double> thirds = {1.0, 3.0, 9.0, 27.0};
    CHECK(chains_for(setting.sample, thirds).size() == 4);
    check_links(chains_for(setting.sample, thirds), thirds);
}

TEST_CASE("wide kernels are carried as 1 - K, narrow ones as K") {
    const Setting setting({90}, 4);
    const double typical = typical_base(setting.sample, Base::squared_distance, 0);
    for (const Chain& chain : chains_for(setting.sample, dyadic(-20, 20)))
        for (const Link& link : chain.links)
            CHECK(link.complement() == (link.rate * typical <= 1.0));
}

TEST_CASE("kernels of different bases and tables share no chain") {
    Setting setting({90}, 4);
    setting.sample.add_dense(noise(90, 2, 5));
    const std::vector<ChainRequest> requests = {{{Base::squared_distance, 0, 1.0}, 0},
                                                {{Base::l1_distance, 0, 2.0}, 1},
                                                {{Base::squared_distance, 1, 2.0}, 2},
                                                {{Base::distance, 0, 2.0}, 3}};
    const auto chains = make_chains(requests, setting.sample, Tails::exact);
    CHECK(chains.size() == 4);
    for (const Chain& chain : chains) CHECK(chain.links.size() == 1);
}

TEST_CASE("the typical base is a high quantile of the pairs") {
    const Setting setting({90}, 4);
    const Matrix x = noise(90, 4);
    std::vector<double> all;
    for (Index i = 0; i < 90; ++i)
        for (Index j = 0; j < i; ++j) all.push_back((x.row(i) - x.row(j)).squaredNorm());
    std::sort(all.begin(), all.end());
    const double typical = typical_base(setting.sample, Base::squared_distance, 0);
    CHECK(typical > all[all.size() * 90 / 100]);
    CHECK(typical < all[all.size() * 99 / 100]);
    Sample pair({0, 1}, 2);
    pair.add_dense(noise(2, 3));
    CHECK(typical_base(pair, Base::squared_distance, 0) >= 0.0);
}

TEST_CASE("doubles up to the last bits") {
    CHECK(is_double(0.1, 0.2));
    CHECK(is_double(1e-300, 2e-300));
    CHECK(!is_double(1.0, 2.0000001));
    CHECK(!is_double(1.0, 4.0));
    CHECK(!is_double(1e308, 1e308));
}
