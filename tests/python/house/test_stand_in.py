"""The header that stands in for doctest: what passes, what fails, and how it says so."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

STAND_IN = Path(__file__).parents[2] / "cpp" / "stand_in"
FLAGS = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]

HEAD = """\
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <stdexcept>
#include <string>
#include <vector>
int main(int argc, char** argv) { return doctest::Context(argc, argv).run(); }
"""

PASSING = """
static std::string path;
enum class Colour { red, blue };
TEST_CASE("subcases run one branch at a time") {
    path += "(";
    SUBCASE("a") {
        path += "a";
        SUBCASE("1") { path += "1"; }
        SUBCASE("2") { path += "2"; }
    }
    SUBCASE("b") { path += "b"; }
    path += ")";
}
TEST_CASE("every branch was run once, in order") { CHECK(path == "(a1)(a2)(b)"); }
TEST_CASE("expressions of all kinds") {
    const std::vector<int> v{1, 2, 3};
    CHECK(v.size() == 3);
    CHECK(v.size() + 1 == 4);
    CHECK(!v.empty());
    CHECK(Colour::red != Colour::blue);
    CHECK(0 < v[0]);
    CHECK(v[0] <= 1);
    CHECK(2.5 > v[0]);
    CHECK(v[2] >= 3);
    CHECK((v[0] == 1 && v[1] == 2));
    CHECK_FALSE(v.empty());
    CAPTURE(v[0]);
    REQUIRE(v.data() != nullptr);
}
TEST_CASE("nearly equal") {
    CHECK(1.0 == doctest::Approx(1.0 + 1e-9));
    CHECK(1.0 != doctest::Approx(1.0 + 1e-9).epsilon(1e-10));
    CHECK(3.0 == doctest::Approx(3));
    CHECK(1.0 == doctest::Approx(1.5).scale(1e6));
    CHECK_FALSE(1.0 == doctest::Approx(1.1));
}
TEST_CASE("exceptions") {
    const std::vector<int> v{1};
    CHECK_THROWS_AS(v.at(7), std::out_of_range);
    CHECK_THROWS_AS(throw std::invalid_argument("no"), std::exception);
}
"""

FAILING = """
TEST_CASE("fails") {
    const int i = 3;
    CAPTURE(i);
    SUBCASE("first") { CHECK(i == 4); }
    SUBCASE("second") {
        REQUIRE(0.5 == doctest::Approx(0.25));
        CHECK(false);
    }
}
TEST_CASE("throws") { throw std::runtime_error("boom"); }
TEST_CASE("another type") { CHECK_THROWS_AS(throw std::runtime_error("x"), std::logic_error); }
TEST_CASE("nothing thrown") { CHECK_THROWS_AS(static_cast<void>(1), std::exception); }
TEST_CASE("thrown inside") { CHECK_FALSE([]() -> bool { throw std::runtime_error("in"); }()); }
TEST_CASE("throws no exception") { throw 1; }
TEST_CASE("passes") { CHECK(true); }
"""


def run(folder: Path, tests: str) -> tuple[int, str]:
    compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no C++ compiler here")
    (folder / "tests.cpp").write_text(HEAD + tests)
    program = folder / "tests"
    subprocess.run(
        [compiler, *FLAGS, f"-I{STAND_IN}", str(folder / "tests.cpp"), "-o", str(program)],
        check=True,
    )
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_passing(tmp_path):
    code, output = run(tmp_path, PASSING)
    assert code == 0, output
    assert output.count("\n") == 1
    assert "test cases: 5 | 5 passed | 0 failed" in output


def test_failing(tmp_path):
    code, output = run(tmp_path, FAILING)
    assert code == 1
    summary = output.splitlines()[-1]
    assert "test cases: 7 | 1 passed | 6 failed" in summary
    assert "assertions: 8 | 1 passed | 7 failed" in summary
    for said in [
        '"fails" / "first"\n  CHECK( i == 4 )\n  values: 3 == 4\n  with: i = 3',
        (
            '"fails" / "second"\n  REQUIRE( 0.5 == doctest::Approx(0.25) )\n  values: 0.5 == '
            "Approx(0.25)"
        ),
        '"throws"\n  threw: boom',
        "CHECK_THROWS_AS( ",
        "values: threw: x",
        "values: nothing was thrown",
        "values: threw: in",
        "threw something that is no std::exception",
    ]:
        assert said in output
    assert not re.search(r"CHECK\( false \)", output)  # a failed REQUIRE leaves the test case
