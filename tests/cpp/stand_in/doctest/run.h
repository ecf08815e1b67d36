// The running and counting part of the stand-in, for the one file that has main().
#pragma once

#include <atomic>
#include <cstring>
#include <exception>
#include <iostream>
#include <mutex>

namespace doctest::detail {

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

    // Each thread has its own captured lines, as a check may be made by a worker.
    static std::vector<std::string>& captured() {
        thread_local std::vector<std::string> lines;
        return lines;
    }

    bool report(const char* file, int line, const std::string& expression, const Outcome& outcome) {
        ++checks_;
        if (outcome.holds) return true;
        ++failures_;
        const std::lock_guard<std::mutex> lock(printing_);
        std::cout << file << ":" << line << ": FAILED in \"" << current_->name << "\"";
        for (const char* name : deepest_) std::cout << " / \"" << name << "\"";
        std::cout << "\n  " << expression << "\n";
        if (!outcome.values.empty()) std::cout << "  values: " << outcome.values << "\n";
        for (const std::string& captured_line : captured())
            std::cout << "  with: " << captured_line << "\n";
        std::cout << std::endl;
        return false;
    }

  private:
    struct Test {
        const char* file;
        int line;
        const char* name;
        void (*body)();
    };

    void run_once(const Test& test) {
        seen_.clear();
        path_.clear();
        deepest_.clear();
        try {
            test.body();
        } catch (const Stop&) {
        } catch (...) {
            report(test.file, test.line, thrown().values, {});
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

Outcome thrown() {
    try {
        throw;
    } catch (const std::exception& error) {
        return {false, std::string("threw: ") + error.what()};
    } catch (...) {
        return {false, "threw something that is no std::exception"};
    }
}

bool report(const char* file, int line, const char* expression, const Outcome& outcome) {
    return Runner::get().report(file, line, expression, outcome);
}

bool add_test(const char* file, int line, const char* name, void (*body)()) {
    return Runner::get().add(file, line, name, body);
}

Subcase::Subcase(const char* name) : entered_(Runner::get().enter_subcase(name)) {}
Subcase::~Subcase() {
    if (entered_) Runner::get().leave_subcase();
}

Captured::Captured(std::string line) { Runner::captured().push_back(std::move(line)); }
Captured::~Captured() { Runner::captured().pop_back(); }

}  // namespace doctest::detail

namespace doctest {

int Context::run() { return detail::Runner::get().run(); }

}  // namespace doctest
