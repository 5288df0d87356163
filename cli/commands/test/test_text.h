// What `test` prints.

#pragma once

#include <string>

#include "core/events/report.h"

namespace plumbline::cli {

struct TestText {
  bool color = false;
  bool quiet = false;    // Only what fails, and the last line.
  bool verbose = false;  // What passed or was skipped as well.
};

// The members of a report's target that tell of its tools.
inline constexpr const char* kToolsListed = "tools";
inline constexpr const char* kToolsTested = "tools_tested";
inline constexpr const char* kUntested = "untested";

// test_text returns a block for each test that needs a look, then one line: what passed, how long
// it took, and how many of the tools were tested.
std::string test_text(const Report& report, const TestText& how);

}  // namespace plumbline::cli
