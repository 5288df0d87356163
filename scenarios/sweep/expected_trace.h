// What a line that repeats a run says of it, so that whoever repeats it is told when it is not the
// same: which version of the program wrote the line, and which trace came of the run.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/format/scenario.h"

namespace plumbline::scenarios {

struct ExpectedTrace {
  std::string version;
  std::string hash;  // As many of its first digits as are known; none where there is no trace.
};

// trace_of runs `scenario` once more under `seed`, for its trace. Of another version or of a file
// that was changed it is another one.
ExpectedTrace trace_of(const Scenario& scenario, std::uint64_t seed, std::string version);

// expect_trace returns " --expect-trace VERSION:HASH", for the end of a line. HASH is its first 16
// digits, or "none".
std::string expect_trace(const ExpectedTrace& trace);

// parse_expected_trace reads "VERSION:HASH", with 8 to 64 digits of the hash, or "none".
std::optional<ExpectedTrace> parse_expected_trace(std::string_view text);

// unlike says in one line in what a run that was repeated is not the one of the line: another
// version, another trace. Nothing where neither is.
std::optional<std::string> unlike(const ExpectedTrace& expected, const ExpectedTrace& now);

}  // namespace plumbline::scenarios
