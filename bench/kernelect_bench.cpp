// Times the core alone, without Python: random two-class data, dyadic Gaussians, the criteria asked
// for. Prints one JSON object.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernelect/base/build.hpp"
#include "kernelect/moments/scoring.hpp"

namespace {

using namespace kernelect;

struct Options {
    Index n = 2000, d = 20;
    int candidates = 31, threads = 1, repeats = 5;
    std::string criteria = "sm";
};

const char* kUsage =
    "usage: kernelect-bench [--n ROWS] [--d FEATURES] [--candidates COUNT] [--threads COUNT]\n"
    "                       [--repeats COUNT] [--criteria sm,sm3,kta,ekta,ckta,fsm,kcsm,ncut,mmd,"
    "stability|all]\n";

long positive(const std::string& option, const std::string& text) {
    char* end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0' || value < 1)
        throw std::invalid_argument(option + " needs a positive whole number, not '" + text + "'");
    return value;
}

Options parse(int argc, char** argv) {
    Options o;
    for (int k = 1; k < argc; ++k) {
        const std::string option = argv[k];
        if (option == "--help" || option == "-h") {
            std::fputs(kUsage, stdout);
            std::exit(0);
        }
        if (k + 1 >= argc) throw std::invalid_argument(option + " needs a value");
        const std::string value = argv[++k];
        if (option == "--n")
            o.n = positive(option, value);
        else if (option == "--d")
            o.d = positive(option, value);
        else if (option == "--candidates")
            o.candidates = static_cast<int>(positive(option, value));
        else if (option == "--threads")
            o.threads = static_cast<int>(positive(option, value));
        else if (option == "--repeats")
            o.repeats = static_cast<int>(positive(option, value));
        else if (option == "--criteria")
            o.criteria = value;
        else
            throw std::invalid_argument("unknown option " + option);
    }
    if (o.n < 4) throw std::invalid_argument("--n must be at least 4, two rows in each class");
    return o;
}

std::vector<MomentCriterion> parse_criteria(const std::string& names) {
    std::vector<MomentCriterion> wanted;
    if (names == "all") {
        for (const CriterionEntry& entry : criterion_table())
            wanted.push_back(make_criterion(entry.name));
        wanted.push_back(make_criterion("sm", {3, false, false, false}));
        return wanted;
    }
    std::stringstream stream(names);
    for (std::string name; std::getline(stream, name, ',');)
        wanted.push_back(name == "sm3" ? make_criterion("sm", {3, false, false, false})
                                       : make_criterion(name));
    if (wanted.empty()) throw std::invalid_argument("--criteria names no criterion");
    return wanted;
}

void run(const Options& o) {
    std::mt19937_64 random(0);
    std::normal_distribution<double> normal;
    Matrix x(o.n, o.d);
    for (Index i = 0; i < x.size(); ++i) x.data()[i] = normal(random);
    std::vector<int> groups;
    for (Index i = 0; i < o.n; ++i)  // two rows of each class whatever the draw
        groups.push_back(i < 4 ? static_cast<int>(i % 2) : x(i, 0) > 0.3 * normal(random));
    std::vector<Program> programs;
    for (int k = 0; k < o.candidates; ++k)
        programs.push_back({{Op::gaussian, std::ldexp(0.5, o.candidates / 2 - k), 0.0, 0, 0}});
    const std::vector<MomentCriterion> wanted = parse_criteria(o.criteria);

    std::vector<double> seconds;
    for (int r = 0; r < o.repeats; ++r) {
        const auto start = std::chrono::steady_clock::now();
        Sample sample(groups, 2);
        sample.add_dense(x);
        Control control(o.threads);
        score_moments(sample, {Matrix(0, o.n), Vector(0)}, programs, wanted, 1e8, control);
        seconds.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(seconds.begin(), seconds.end());
    std::printf(
        "{\"version\": \"%s\", \"level\": \"%s\", \"simd\": \"%s\", \"n\": %lld, "
        "\"d\": %lld, \"candidates\": %d, \"threads\": %d, \"criteria\": \"%s\", \"repeats\": %d, "
        "\"best_seconds\": %.6f, \"median_seconds\": %.6f}\n",
        build::version(), build::level(), build::simd(), static_cast<long long>(o.n),
        static_cast<long long>(o.d), o.candidates, o.threads, o.criteria.c_str(), o.repeats,
        seconds.front(), seconds[seconds.size() / 2]);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(parse(argc, argv));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "kernelect-bench: %s\n%s", error.what(), kUsage);
        return 2;
    }
    return 0;
}
