// A stand-in for doctest, so that the C++ tests run where doctest is not installed. It has the few
// macros these tests use, with doctest's meaning; nothing here is taken from doctest. Command-line
// arguments are accepted and ignored: every test runs, ordered by file and line.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
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

    friend bool operator==(double a, const Approx& b) { return b.matches(a); }
    friend bool operator!=(double a, const Approx& b) { return !b.matches(a); }
    friend std::ostream& operator<<(std::ostream& out, const Approx& a) {
        return out << "Approx(" << a.value_ << ")";
    }

  private:
    bool matches(double other) const {
        const double largest = std::max(std::fabs(other), std::fabs(value_));
        return std::fabs(other - value_) < epsilon_ * (scale_ + largest);
    }

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

// What an expression came to: whether it holds, and its operands as text for when it does not.
struct Outcome {
    bool holds = false;
    std::string values = {};
};

// The outcome of an expression that threw what is being handled.
Outcome thrown();

// Counts an assertion and prints it if it failed. True when it holds.
bool report(const char* file, int line, const char* expression, const Outcome& outcome);

// Thrown by a failed REQUIRE to leave the test case; the failure is reported before.
struct Stop {};

inline void require(bool holds) {
    if (!holds) throw Stop();
}

bool add_test(const char* file, int line, const char* name, void (*body)());

class Subcase {
  public:
    explicit Subcase(const char* name);
    ~Subcase();
    Subcase(const Subcase&) = delete;
    Subcase& operator=(const Subcase&) = delete;
    explicit operator bool() const { return entered_; }

  private:
    bool entered_;
};

// A line that failures print while it is in scope.
class Captured {
  public:
    explicit Captured(std::string line);
    ~Captured();
    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;
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

#define KERNELECT_STAND_IN_COMPARE(op)                            \
    template <class U>                                            \
    Outcome operator op(const U& other) const {                   \
        const bool holds = static_cast<bool>(value_ op other);    \
        if (holds) return {true};                                 \
        return {false, text(value_) + " " #op " " + text(other)}; \
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

}  // namespace detail

class Context {
  public:
    Context(int, const char* const*) {}
    int run();
};

}  // namespace doctest

#define KERNELECT_STAND_IN_JOIN_(a, b) a##b
#define KERNELECT_STAND_IN_JOIN(a, b) KERNELECT_STAND_IN_JOIN_(a, b)
#define KERNELECT_STAND_IN_NAME(prefix) KERNELECT_STAND_IN_JOIN(prefix, __LINE__)

// Evaluates one assertion; an exception out of it is a failure. True when it holds.
#define KERNELECT_STAND_IN_CHECK(label, ...)                                           \
    [&] {                                                                              \
        ::doctest::detail::Outcome stand_in_outcome;                                   \
        try {                                                                          \
            stand_in_outcome = __VA_ARGS__;                                            \
        } catch (...) {                                                                \
            stand_in_outcome = ::doctest::detail::thrown();                            \
        }                                                                              \
        return ::doctest::detail::report(__FILE__, __LINE__, label, stand_in_outcome); \
    }()
#define KERNELECT_STAND_IN_VALUE(...) \
    ::doctest::detail::outcome_of(::doctest::detail::Left() << __VA_ARGS__)

#define TEST_CASE(name)                                                                        \
    static void KERNELECT_STAND_IN_NAME(test_case_)();                                         \
    static const bool KERNELECT_STAND_IN_NAME(test_case_added_) = ::doctest::detail::add_test( \
        __FILE__, __LINE__, name, &KERNELECT_STAND_IN_NAME(test_case_));                       \
    static void KERNELECT_STAND_IN_NAME(test_case_)()

#define SUBCASE(name)                                                             \
    if (const ::doctest::detail::Subcase KERNELECT_STAND_IN_NAME(subcase_){name}; \
        KERNELECT_STAND_IN_NAME(subcase_))

#define CAPTURE(value)                                                    \
    const ::doctest::detail::Captured KERNELECT_STAND_IN_NAME(captured_)( \
        #value " = " + ::doctest::detail::text(value))

#define CHECK(...) \
    KERNELECT_STAND_IN_CHECK("CHECK( " #__VA_ARGS__ " )", KERNELECT_STAND_IN_VALUE(__VA_ARGS__))
#define CHECK_FALSE(...)                                        \
    KERNELECT_STAND_IN_CHECK("CHECK_FALSE( " #__VA_ARGS__ " )", \
                             ::doctest::detail::negated(KERNELECT_STAND_IN_VALUE(__VA_ARGS__)))
#define CHECK_THROWS_AS(expression, ...)                                             \
    KERNELECT_STAND_IN_CHECK("CHECK_THROWS_AS( " #expression ", " #__VA_ARGS__ " )", \
                             [&]() -> ::doctest::detail::Outcome {                   \
                                 try {                                               \
                                     static_cast<void>(expression);                  \
                                 } catch (const __VA_ARGS__&) {                      \
                                     return {true};                                  \
                                 }                                                   \
                                 return {false, "nothing was thrown"};               \
                             }())
#define REQUIRE(...)                                                                   \
    ::doctest::detail::require(KERNELECT_STAND_IN_CHECK("REQUIRE( " #__VA_ARGS__ " )", \
                                                        KERNELECT_STAND_IN_VALUE(__VA_ARGS__)))

#ifdef DOCTEST_CONFIG_IMPLEMENT
#include "run.h"
#endif
