#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "kernelect/base/digest.hpp"

using namespace kernelect;

namespace {

std::uint64_t digest_of(const std::vector<double>& numbers) {
    Digest digest;
    digest.add(numbers.data(), numbers.size());
    return digest.value();
}

}  // namespace

TEST_CASE("equal lists have one digest, lists that differ in a bit or in order have others") {
    const std::vector<double> numbers = {0.0, 1.0, 2.0, 3.0};
    CHECK(digest_of(numbers) == digest_of(numbers));
    std::set<std::uint64_t> seen = {digest_of(numbers), digest_of({}), digest_of({0.0})};
    CHECK(seen.insert(digest_of({0.0, 1.0, 3.0, 2.0})).second);
    CHECK(seen.insert(digest_of({0.0, 1.0, 2.0})).second);
    CHECK(seen.insert(digest_of({-0.0, 1.0, 2.0, 3.0})).second);
    for (int k = 0; k < 4000; ++k) {
        std::vector<double> other = numbers;
        other[static_cast<std::size_t>(k % 4)] += 1e-12 * (k + 1);
        CHECK(seen.insert(digest_of(other)).second);
    }
    Digest one, several;
    several.add(numbers.data(), numbers.size());
    for (const double number : numbers) one.add(number);
    CHECK(one.value() == several.value());
}
