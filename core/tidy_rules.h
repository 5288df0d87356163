// The house rules that no compiler checks, as functions from text to findings. tidy_test.cc runs
// them over the source tree; tidy_rules_test.cc shows each of them a bad line and a good one.
//
// They read formatted code (.clang-format) and know no C++ grammar beyond brackets and words. A
// rule may therefore refuse a line that would be fine; it is then written differently.

#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::tidy {

constexpr std::size_t kColumnsMax = 100;
constexpr std::size_t kFileLinesMax = 400;
constexpr std::size_t kTestLinesMax = 500;
constexpr std::size_t kFunctionLinesMax = 60;

// Finding is one broken rule. `line` counts from 1.
struct Finding {
  std::size_t line = 0;
  std::string what;

  auto operator<=>(const Finding&) const = default;
};
using Findings = std::vector<Finding>;

// Include is one #include line; `angled` tells <target> from "target".
struct Include {
  std::size_t line = 0;
  std::string target;
  bool angled = false;
};

// code_of returns `text` with every comment and the inside of every literal blanked. Same length,
// same line ends.
std::string code_of(const std::string& text);

// includes_of returns the #include lines of `text`.
std::vector<Include> includes_of(std::string_view text);

// find_word returns where `word` stands in `code` at or after `from`, npos when nowhere. Where it
// begins or ends in a letter or digit, its neighbour must be neither nor '_'.
std::size_t find_word(std::string_view code, std::string_view word, std::size_t from = 0);

// check_bans reports calls, types and includes that `path` may not use, with what to use instead.
void check_bans(const std::string& path, const std::string& text, const std::string& code,
                Findings& out);

// check_clocks reports a test that measures how long something takes on this machine, which may be
// busy: where tests have the real Loop, the difference of two of its times as well.
void check_clocks(const std::string& path, const std::string& code, Findings& out);

// check_waits reports, outside of tests, a wait by until() and a loop that sleeps less than 10 ms
// at a time, as far as the file says how long: what comes of this process is told, not looked for.
void check_waits(const std::string& path, const std::string& code, Findings& out);

// check_coroutines reports what g++ 12 miscompiles and what dangles at the first suspension.
void check_coroutines(const std::string& code, Findings& out);

// check_properties reports a RapidCheck assertion with a bare && or ||, of which both sides are
// looked at: `RC_ASSERT(list.empty() || list.front() > 0)` reads what is not there.
void check_properties(const std::string& code, Findings& out);

// check_messages reports what decides by the words of a message: code that searches in one, or
// compares it with a text.
void check_messages(const std::string& path, const std::string& code, Findings& out);

// check_sizes reports long lines, long files and long functions.
void check_sizes(const std::string& path, const std::string& text, const std::string& code,
                 Findings& out);

// check_names reports a file name that is not snake_case and a header without #pragma once.
void check_names(const std::string& path, const std::string& text, Findings& out);

// check_machine_paths reports a path of the machine it was written on. For files of every kind.
void check_machine_paths(std::string_view text, Findings& out);

// check_package_names reports what installs or imports, from npm or PyPI, a package of our program
// by another name than `name`: the bare one is somebody else's. For files of every kind.
void check_package_names(const std::string& name, std::string_view text, Findings& out);

// check_source runs the checks of sources over one .h or .cc file.
Findings check_source(const std::string& path, const std::string& text);

// local_names returns what `code` defines in its unnamed namespaces: functions with their
// parameters, types, constants.
std::vector<std::string> local_names(const std::string& code);

// line_at returns the line of a byte, counting from 1.
std::size_t line_at(std::string_view text, std::size_t byte);

}  // namespace plumbline::tidy
