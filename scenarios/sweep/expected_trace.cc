#include "scenarios/sweep/expected_trace.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "scenarios/world/runner.h"

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kDigitsShown = 16;
constexpr std::size_t kDigitsMin = 8;
constexpr std::size_t kDigitsMax = 64;
constexpr std::string_view kNone = "none";

std::string shown(const std::string& hash) {
  return hash.empty() ? std::string(kNone) : hash.substr(0, kDigitsShown);
}

// same_trace compares the digits that both have.
bool same_trace(const std::string& one, const std::string& other) {
  if (one.empty() != other.empty()) return false;
  const std::size_t digits = std::min(one.size(), other.size());
  return one.compare(0, digits, other, 0, digits) == 0;
}

bool is_hash(std::string_view text) {
  return text.size() >= kDigitsMin && text.size() <= kDigitsMax &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

ExpectedTrace trace_of(const Scenario& scenario, std::uint64_t seed, std::string version) {
  RunOptions run;
  run.seed = seed;
  run.want.trace_hash = true;
  return {std::move(version), run_scenario(scenario, run).trace_hash};
}

std::string expect_trace(const ExpectedTrace& trace) {
  return " --expect-trace " + trace.version + ":" + shown(trace.hash);
}

std::optional<ExpectedTrace> parse_expected_trace(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::string_view hash = text.substr(colon + 1);
  if (hash != kNone && !is_hash(hash)) return std::nullopt;
  return ExpectedTrace{std::string(text.substr(0, colon)), std::string(hash == kNone ? "" : hash)};
}

std::optional<std::string> unlike(const ExpectedTrace& expected, const ExpectedTrace& now) {
  const bool same = same_trace(expected.hash, now.hash);
  const std::string traces = "(" + shown(expected.hash) + " then, " + shown(now.hash) + " now)";
  if (expected.version == now.version) {
    if (same) return std::nullopt;
    return "the run is not the one of the line " + traces + ", by the same version, " +
           now.version + ": a file has changed, or the program was built from other sources";
  }
  std::string line = "the line is of plumbline " + expected.version + ", this is " + now.version;
  if (!same) {
    return line + "; the run is another one " + traces + ": what failed then may not fail now";
  }
  return line + (now.hash.empty() ? "; neither run has a trace"
                                  : "; the run is the same, to the byte of its trace");
}

}  // namespace plumbline::scenarios
