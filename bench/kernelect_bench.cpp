// Times the core alone, without Python: random two-class data, dyadic Gaussians, the criteria asked
// for. Prints one JSON object. With --roofline also what the pass needs at least, what this machine
// does at best, and the share of that which is reached.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernelect/base/build.hpp"
#include "kernelect/moments/scoring.hpp"
#include "machine_speeds.hpp"
#include "roofline.hpp"

namespace {

using namespace kernelect;

struct Options {
    Index n = 2000, d = 20;
    int candidates = 31, threads = 1, repeats = 5;
    std::string criteria = "sm";
    bool roofline = false;
};

const char* kUsage =
    "usage: kernelect-bench [--n ROWS] [--d FEATURES] [--candidates COUNT] [--threads COUNT]\n"
    "                       [--repeats COUNT] [--criteria sm,sm3,kta,ekta,ckta,fsm,kcsm,ncut,mmd,"
    "stability|all]\n"
    "                       [--roofline]\n";

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
        if (option == "--roofline") {
            o.roofline = true;
            continue;
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
    if (o.roofline && (o.threads > 1 || o.criteria != "sm"))
        throw std::invalid_argument("--roofline is that of sm on one thread");
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

// Seconds of each repeat, by the clock on the wall and of the process.
struct Times {
    std::vector<double> elapsed, cpu;
};

void print_roofline(const LeastWork& least, const MachineSpeeds& machine, double seconds) {
    const double exponents = least.by_series ? machine.series : machine.exponents;
    std::printf(
        ", \"pairs\": %.6g, \"least\": {\"products\": %.6g, \"squarings\": %.6g, \"doublings\": "
        "%.6g, \"%s\": %.6g, \"bytes\": %.6g}, \"per_second\": {\"products\": %.6g, "
        "\"squarings\": %.6g, \"doublings\": %.6g, \"%s\": %.6g, \"bytes\": %.6g}, "
        "\"least_seconds\": %.6f, \"reached\": %.4f",
        least.pairs, least.products, least.squarings, least.doublings,
        least.by_series ? "series" : "exponents", least.exponents, least.bytes, machine.products,
        machine.squarings, machine.doublings, least.by_series ? "series" : "exponents", exponents,
        machine.bytes, least.seconds(machine), least.seconds(machine) / seconds);
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
    std::vector<double> rates;
    for (int k = 0; k < o.candidates; ++k) {
        rates.push_back(std::ldexp(0.5, o.candidates / 2 - k));
        programs.push_back({{Op::gaussian, rates.back(), 0.0, 0, 0}});
    }
    const std::vector<MomentCriterion> wanted = parse_criteria(o.criteria);

    Times times;
    MachineSpeeds machine{};
    for (int r = 0; r < o.repeats; ++r) {
        if (o.roofline) measure_speeds(machine);
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t cpu_start = std::clock();
        Sample sample(groups, 2);
        sample.add_dense(x);
        Control control(o.threads);
        score_moments(sample, {Matrix(0, o.n), Vector(0)}, programs, wanted, 1e8, control);
        times.cpu.push_back(static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC);
        times.elapsed.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.elapsed.begin(), times.elapsed.end());
    std::sort(times.cpu.begin(), times.cpu.end());
    std::printf(
        "{\"version\": \"%s\", \"level\": \"%s\", \"simd\": \"%s\", \"compiler\": \"%s\", "
        "\"n\": %lld, \"d\": %lld, \"candidates\": %d, \"threads\": %d, \"criteria\": \"%s\", "
        "\"repeats\": %d, \"best_seconds\": %.6f, \"median_seconds\": %.6f, \"best_cpu_seconds\": "
        "%.6f",
        build::version(), build::level(), build::simd(), build::compiler(),
        static_cast<long long>(o.n), static_cast<long long>(o.d), o.candidates, o.threads,
        o.criteria.c_str(), o.repeats, times.elapsed.front(),
        times.elapsed[times.elapsed.size() / 2], times.cpu.front());
    if (o.roofline) print_roofline(LeastWork(x, rates), machine, times.cpu.front());
    std::printf("}\n");
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
