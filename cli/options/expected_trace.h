// The end of a line that repeats a simulated run, --expect-trace VERSION:HASH: how it is written
// and read, and what is told of a run that is another one.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/events/check_result.h"
#include "scenarios/sweep/expected_trace.h"

namespace CLI {
class App;
}

namespace plumbline::cli {

// add_trace ends the line of `row`, if there is one, with our version and the trace of `scenario`
// under `seed`.
void add_trace(const scenarios::Scenario& scenario, std::uint64_t seed, CheckResult& row);

// add_expected_trace declares the option. `text` must outlive `app`.
void add_expected_trace(CLI::App& app, std::string& text);

// read_expected_trace reads it; without one, `expected` stays as it is.
Status read_expected_trace(const std::string& text,
                           std::optional<scenarios::ExpectedTrace>& expected);

// unlike_line returns what is told when `now` is not what a line expects; empty: it is.
std::string unlike_line(const scenarios::ExpectedTrace& expected,
                        const scenarios::ExpectedTrace& now);

}  // namespace plumbline::cli
