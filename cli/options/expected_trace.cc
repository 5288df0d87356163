#include "cli/options/expected_trace.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/options/version.h"
#include "core/base/errors/errors.h"

namespace plumbline::cli {

void add_trace(const scenarios::Scenario& scenario, std::uint64_t seed, CheckResult& row) {
  if (row.reproduce.empty()) return;
  row.reproduce += scenarios::expect_trace(scenarios::trace_of(scenario, seed, kVersion));
}

void add_expected_trace(CLI::App& app, std::string& text) {
  app.add_option("--expect-trace", text,
                 "Say where the run differs from the trace of a \"reproduce:\" line")
      ->type_name("VERSION:HASH");
}

Status read_expected_trace(const std::string& text,
                           std::optional<scenarios::ExpectedTrace>& expected) {
  if (text.empty()) return Done{};
  expected = scenarios::parse_expected_trace(text);
  if (expected) return Done{};
  return the_error("world.expected-trace", text);
}

std::string unlike_line(const scenarios::ExpectedTrace& expected,
                        const scenarios::ExpectedTrace& now) {
  const std::optional<std::string> difference = scenarios::unlike(expected, now);
  return difference ? "--expect-trace: " + *difference : "";
}

}  // namespace plumbline::cli
