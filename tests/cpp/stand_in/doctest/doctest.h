// A stand-in for doctest, so that the C++ tests run where doctest is not installed. It has the few
// macros these tests use, with doctest's meaning; nothing here is taken from doctest. Command-line
// arguments are accepted and ignored: every test runs, ordered by file and line.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <iostream>
#include <limits>
#include <mutex>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__clang__)
// CHECK(a == b) expands to Left() << a == b on purpose; the macro expands in the including file.
#pragma clang diagnostic ignored "-Woverloaded-shift-op-parentheses"
#endif

namespace doctest {

// Equal means |a - b| < epsilon (scale + max(|a|, |b|)), doctest's rule and its default epsilon.
class Approx {
  public:
    template <class T, class = std::enable_if_t<std::is_convertible_v<T, double>>>
    explicit Approx(const T& value) : value_(static_cast<double>(value)) {}

    Approx& epsilon(double value) {
        epsilon_ = value;
        return *this;
    }
    Approx& scale(double value) {
        scale_ = value;
        return *this;
    }

    bool matches(double other) const {
        const double largest = std::max(std::fabs(other), std::fabs(value_));
        return std::fabs(other - value_) < epsilon_ * (scale_ + largest);
    }
    double value() const { return value_; }

    friend bool operator==(double a, const Approx& b) { return b.matches(a); }
    friend bool operator==(const Approx& a, double b) { return a.matches(b); }
    friend bool operator!=(double a, const Approx& b) { return !b.matches(a); }
    friend bool operator!=(const Approx& a, double b) { return !a.matches(b); }
    friend bool operator<=(double a, const Approx& b) { return a < b.value_ || b.matches(a); }
    friend bool operator>=(double a, const Approx& b) { return a > b.value_ || b.matches(a); }
    friend bool operator<(double a, const Approx& b) { return a < b.value_ && !b.matches(a); }
    friend bool operator>(double a, const Approx& b) { return a > b.value_ && !b.matches(a); }
    friend std::ostream& operator<<(std::ostream& out, const Approx& a) {
        return out << "Approx(" << a.value_ << ")";
    }

  private:
    double value_;
    double epsilon_ = static_cast<double>(std::numeric_limits<float>::epsilon()) * 100.0;
    double scale_ = 1.0;
};

namespace detail {

template <class T, class = void>
struct Printable : std::false_type {};
template <class T>
struct Printable<T,
                 std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>>
    : std::true_type {};

template <class T>
std::string text(const T& value) {
    std::ostringstream out;
    out.precision(17);
    if constexpr (std::is_same_v<T, bool>) {
        out << (value ? "true" : "false");
    } else if constexpr (Printable<T>::value) {
        out << value;
    } else {
        out << "{?}";
    }
    return out.str();
}

template <class... Parts>
std::string joined(const Parts&... parts) {
    return (std::string() + ... + text(parts));
}

// Thrown by a failed REQUIRE to leave the test case; the failure is reported before.
struct Stop {};

// What an expression came to: whether it holds, and its operands as text.
struct Outcome {
    bool holds;
    std::string values;
};

// The tests, the running counts, and the path through the subcases of the current test.
//
// A test body with subcases is a tree of choices; each run of the body takes one branch at every
// depth, and the runs go through all branches in order, as an odometer does.
class Runner {
  public:
    static Runner& get() {
        static Runner runner;
        return runner;
    }

    bool add(const char* file, int line, const char* name, void (*body)()) {
        tests_.push_back({file, line, name, body});
        return true;
    }

    int run() {
        std::sort(tests_.begin(), tests_.end(), [](const Test& a, const Test& b) {
            const int order = std::strcmp(a.file, b.file);
            return order != 0 ? order < 0 : a.line < b.line;
        });
        int failed_tests = 0;
        for (const Test& test : tests_) {
            current_ = &test;
            const int before = failures_;
            branch_.clear();
            do {
                run_once(test);
            } while (next_branch());
            if (failures_ != before) ++failed_tests;
        }
        std::cout << "[stand-in for doctest] test cases: " << tests_.size() << " | "
                  << tests_.size() - static_cast<std::size_t>(failed_tests) << " passed | "
                  << failed_tests << " failed; assertions: " << checks_ << " | "
                  << checks_ - failures_ << " passed | " << failures_ << " failed" << std::endl;
        return failed_tests == 0 ? 0 : 1;
    }

    bool enter_subcase(const char* name) {
        if (seen_.size() <= path_.size()) seen_.resize(path_.size() + 1, 0);
        if (branch_.size() <= path_.size()) branch_.resize(path_.size() + 1, 0);
        if (seen_[path_.size()]++ != branch_[path_.size()]) return false;
        path_.push_back(name);
        deepest_ = path_;
        return true;
    }
    void leave_subcase() { path_.pop_back(); }

    void push_info(const std::function<std::string()>* info) { infos().push_back(info); }
    void pop_info() { infos().pop_back(); }

    void report(const char* file, int line, const std::string& expression, const Outcome& outcome) {
        ++checks_;
        if (outcome.holds) return;
        ++failures_;
        const std::lock_guard<std::mutex> lock(printing_);
        std::cout << file << ":" << line << ": FAILED in \"" << current_->name << "\"";
        for (const char* name : deepest_) std::cout << " / \"" << name << "\"";
        std::cout << "\n  " << expression << "\n";
        if (!outcome.values.empty()) std::cout << "  values: " << outcome.values << "\n";
        for (const auto* info : infos()) std::cout << "  with: " << (*info)() << "\n";
        std::cout << std::endl;
    }

  private:
    struct Test {
        const char* file;
        int line;
        const char* name;
        void (*body)();
    };

    // Each thread has its own INFO lines, as a check may be made by a worker.
    static std::vector<const std::function<std::string()>*>& infos() {
        thread_local std::vector<const std::function<std::string()>*> lines;
        return lines;
    }

    void run_once(const Test& test) {
        seen_.clear();
        path_.clear();
        deepest_.clear();
        try {
            test.body();
        } catch (const Stop&) {
        } catch (const std::exception& error) {
            report(test.file, test.line, joined("threw: ", error.what()), {false, ""});
        } catch (...) {
            report(test.file, test.line, "threw something that is no std::exception", {false, ""});
        }
    }

    // Moves to the next branch at the deepest level that has one left; false when all were run.
    bool next_branch() {
        branch_.resize(seen_.size());
        while (!branch_.empty() && branch_.back() + 1 >= seen_[branch_.size() - 1]) {
            branch_.pop_back();
        }
        if (branch_.empty()) return false;
        ++branch_.back();
        return true;
    }

    std::vector<Test> tests_;
    const Test* current_ = nullptr;
    std::atomic<int> checks_{0};
    std::atomic<int> failures_{0};
    std::mutex printing_;
    std::vector<std::size_t> branch_;   // which subcase to enter at each depth of this run
    std::vector<std::size_t> seen_;     // how many subcases this run has met at each depth
    std::vector<const char*> path_;     // the subcases the run is in
    std::vector<const char*> deepest_;  // the same, kept after they are left
};

class Subcase {
  public:
    explicit Subcase(const char* name) : entered_(Runner::get().enter_subcase(name)) {}
    ~Subcase() {
        if (entered_) Runner::get().leave_subcase();
    }
    Subcase(const Subcase&) = delete;
    Subcase& operator=(const Subcase&) = delete;
    explicit operator bool() const { return entered_; }

  private:
    bool entered_;
};

// A line that failures print while it is in scope; made only when it is needed.
class Info {
  public:
    explicit Info(std::function<std::string()> line) : line_(std::move(line)) {
        Runner::get().push_info(&line_);
    }
    ~Info() { Runner::get().pop_info(); }
    Info(const Info&) = delete;
    Info& operator=(const Info&) = delete;

  private:
    std::function<std::string()> line_;
};

// Inside the templates below a literal is no longer a constant, so `size() == 3` would warn.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wfloat-equal"
#endif

// The left operand of the outermost comparison, so that a failure can print both sides.
template <class T>
class Operand {
  public:
    explicit Operand(const T& value) : value_(value) {}

    Outcome outcome() const { return {static_cast<bool>(value_), text(value_)}; }

#define KERNELECT_STAND_IN_COMPARE(op)                                                   \
    template <class U>                                                                   \
    Outcome operator op(const U& other) const {                                          \
        return {static_cast<bool>(value_ op other), joined(value_, " " #op " ", other)}; \
    }
    KERNELECT_STAND_IN_COMPARE(==)
    KERNELECT_STAND_IN_COMPARE(!=)
    KERNELECT_STAND_IN_COMPARE(<)
    KERNELECT_STAND_IN_COMPARE(<=)
    KERNELECT_STAND_IN_COMPARE(>)
    KERNELECT_STAND_IN_COMPARE(>=)
#undef KERNELECT_STAND_IN_COMPARE

  private:
    const T& value_;
};

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

struct Left {
    template <class T>
    Operand<T> operator<<(const T& value) const {
        return Operand<T>(value);
    }
};

template <class T>
Outcome outcome_of(const Operand<T>& operand) {
    return operand.outcome();
}
inline Outcome outcome_of(Outcome outcome) { return outcome; }

inline Outcome negated(Outcome outcome) { return {!outcome.holds, std::move(outcome.values)}; }

// Evaluates one assertion; an exception out of it is a failure. True when it holds.
template <class Evaluate>
bool check(const char* file, int line, const char* expression, const Evaluate& evaluate) {
    Outcome outcome{false, ""};
    try {
        outcome = evaluate();
    } catch (const std::exception& error) {
        outcome.values = joined("threw: ", error.what());
    } catch (...) {
        outcome.values = "threw something that is no std::exception";
    }
    Runner::get().report(file, line, expression, outcome);
    return outcome.holds;
}

inline void require(bool holds) {
    if (!holds) throw Stop();
}

// Whether `call` throws an Error, and what it says if `message` is given.
template <class Error, class Call>
Outcome throws_as(const Call& call, const char* message) {
    try {
        call();
    } catch (const Error& error) {
        if constexpr (std::is_base_of_v<std::exception, Error>) {
            return {message == nullptr || std::strcmp(error.what(), message) == 0,
                    joined("threw: ", error.what())};
        } else {
            return {message == nullptr, "threw"};
        }
    }
    return {false, "nothing was thrown"};
}

template <class Call>
Outcome throws_anything(const Call& call) {
    try {
        call();
    } catch (...) {
        return {true, ""};
    }
    return {false, "nothing was thrown"};
}

}  // namespace detail

class Context {
  public:
    Context(int, const char* const*) {}
    int run() { return detail::Runner::get().run(); }
};

}  // namespace doctest

#define KERNELECT_STAND_IN_JOIN_(a, b) a##b
#define KERNELECT_STAND_IN_JOIN(a, b) KERNELECT_STAND_IN_JOIN_(a, b)
#define KERNELECT_STAND_IN_NAME(prefix) KERNELECT_STAND_IN_JOIN(prefix, __LINE__)

#define KERNELECT_STAND_IN_CHECK(label, ...)            \
    ::doctest::detail::check(__FILE__, __LINE__, label, \
                             [&]() -> ::doctest::detail::Outcome { return __VA_ARGS__; })
#define KERNELECT_STAND_IN_VALUE(...) \
    ::doctest::detail::outcome_of(::doctest::detail::Left() << __VA_ARGS__)

#define TEST_CASE(name)                                                             \
    static void KERNELECT_STAND_IN_NAME(test_case_)();                              \
    static const bool KERNELECT_STAND_IN_NAME(test_case_added_) =                   \
        ::doctest::detail::Runner::get().add(__FILE__, __LINE__, name,              \
                                             &KERNELECT_STAND_IN_NAME(test_case_)); \
    static void KERNELECT_STAND_IN_NAME(test_case_)()

#define SUBCASE(name)                                                             \
    if (const ::doctest::detail::Subcase KERNELECT_STAND_IN_NAME(subcase_){name}; \
        KERNELECT_STAND_IN_NAME(subcase_))

#define INFO(...)                                                 \
    const ::doctest::detail::Info KERNELECT_STAND_IN_NAME(info_)( \
        [&] { return ::doctest::detail::joined(__VA_ARGS__); })
#define CAPTURE(value) INFO(#value " = ", value)

#define CHECK(...) \
    KERNELECT_STAND_IN_CHECK("CHECK( " #__VA_ARGS__ " )", KERNELECT_STAND_IN_VALUE(__VA_ARGS__))
#define CHECK_FALSE(...)                                        \
    KERNELECT_STAND_IN_CHECK("CHECK_FALSE( " #__VA_ARGS__ " )", \
                             ::doctest::detail::negated(KERNELECT_STAND_IN_VALUE(__VA_ARGS__)))
#define CHECK_MESSAGE(condition, ...) \
    [&] {                             \
        INFO(__VA_ARGS__);            \
        CHECK(condition);             \
    }()
#define CHECK_THROWS(expression)           \
    KERNELECT_STAND_IN_CHECK(              \
        "CHECK_THROWS( " #expression " )", \
        ::doctest::detail::throws_anything([&] { static_cast<void>(expression); }))
#define CHECK_THROWS_AS(expression, ...)                                             \
    KERNELECT_STAND_IN_CHECK("CHECK_THROWS_AS( " #expression ", " #__VA_ARGS__ " )", \
                             ::doctest::detail::throws_as<__VA_ARGS__>(              \
                                 [&] { static_cast<void>(expression); }, nullptr))
#define CHECK_THROWS_WITH_AS(expression, message, ...)                                            \
    KERNELECT_STAND_IN_CHECK("CHECK_THROWS_WITH_AS( " #expression ", " #message ", " #__VA_ARGS__ \
                             " )",                                                                \
                             ::doctest::detail::throws_as<__VA_ARGS__>(                           \
                                 [&] { static_cast<void>(expression); }, message))
#define CHECK_NOTHROW(expression)                                      \
    KERNELECT_STAND_IN_CHECK("CHECK_NOTHROW( " #expression " )", [&] { \
        static_cast<void>(expression);                                 \
        return ::doctest::detail::Outcome{true, ""};                   \
    }())

#define REQUIRE(...)                                                                   \
    ::doctest::detail::require(KERNELECT_STAND_IN_CHECK("REQUIRE( " #__VA_ARGS__ " )", \
                                                        KERNELECT_STAND_IN_VALUE(__VA_ARGS__)))
#define REQUIRE_FALSE(...)                               \
    ::doctest::detail::require(KERNELECT_STAND_IN_CHECK( \
        "REQUIRE_FALSE( " #__VA_ARGS__ " )",             \
        ::doctest::detail::negated(KERNELECT_STAND_IN_VALUE(__VA_ARGS__))))
