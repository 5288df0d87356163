#include "scenarios/shrink_held.h"

#include <utility>

#include "scenarios/format.h"

namespace plumbline::scenarios {

namespace {

// without_numbers returns `text` with each number made one sign: two failures of one kind differ in
// how much and how long.
std::string without_numbers(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) out += c;
    if (digit && !out.ends_with('#')) out += '#';
  }
  return out;
}

}  // namespace

Json calm(Json document) {
  document.erase("faults");
  document.erase("world");
  return document;
}

HeldCheck::HeldCheck(const Scenario& scenario, const RunFailure& failure)
    : failure_(failure),
      file_(scenario.id + ".json"),
      expects_(failure.check.starts_with("expect.")) {
  if (expects_) passes_in_calm_ = !message_of(calm(scenario.document), 1);
}

std::optional<std::string> HeldCheck::fails(const Json& document, std::uint64_t seed) {
  std::optional<std::string> message = message_of(document, seed);
  if (message && passes_in_calm_ && message_of(calm(document), seed)) return std::nullopt;
  return message;
}

std::optional<std::string> HeldCheck::message_of(const Json& document, std::uint64_t seed) {
  const Result<Scenario> scenario = read_scenario(document, file_);
  if (!scenario.ok()) return std::nullopt;
  ++runs_;
  RunOptions options;
  options.seed = seed;
  for (RunFailure& failure : run_scenario(scenario.value(), options).failures) {
    if (failure.check != failure_.check) continue;
    if (expects_ && without_numbers(failure.message) != without_numbers(failure_.message)) continue;
    return std::move(failure.message);
  }
  return std::nullopt;
}

}  // namespace plumbline::scenarios
