#include "scenarios/shrink/shrink_held.h"

#include <cstddef>
#include <string_view>
#include <utility>

namespace plumbline::scenarios {

namespace {

constexpr std::string_view kExpectation = "expect.";
constexpr std::string_view kProperty = "property.";

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

// place_of points to what of a scenario file says what has failed; empty: nothing does.
std::string place_of(const Json& document, const RunFailure& failure) {
  const std::string& check = failure.check;
  if (check.starts_with(kExpectation)) {
    const std::string user = failure.about.empty() ? "" : "/users/" + pointer_token(failure.about);
    const std::string place = user + "/expect/" + check.substr(kExpectation.size());
    return at_pointer(document, place) == nullptr ? "" : place;
  }
  const Json* const invariants = find(document, "invariants");
  for (std::size_t i = 0; invariants != nullptr && i < invariants->size(); ++i) {
    const std::string name = string_or((*invariants)[i], "name", "");
    if (check == std::string(kProperty) + name) return "/invariants/" + std::to_string(i);
  }
  return "";
}

}  // namespace

Json calm(Json document) {
  for (const char* const trouble : {"faults", "rare", "world"}) document.erase(trouble);
  return document;
}

HeldCheck::HeldCheck(Trials& trials, const Scenario& scenario, const RunFailure& failure)
    : trials_(trials), failure_(failure), place_(place_of(scenario.document, failure)) {
  holds_words_ = failure.check.starts_with(kExpectation) || failure.check == kNoAbort;
  if (!place_.empty()) passes_in_calm_ = !message_of(calm(scenario.document), 1);
}

std::optional<std::string> HeldCheck::fails(const Json& document, std::uint64_t seed) {
  std::optional<std::string> message = message_of(document, seed);
  if (message && passes_in_calm_ && message_of(calm(document), seed)) return std::nullopt;
  return message;
}

std::optional<std::string> HeldCheck::message_of(const Json& document, std::uint64_t seed) {
  std::optional<Trial> trial = trials_.of_document(document, seed);
  if (!trial) return std::nullopt;
  ++runs_;
  for (RunFailure& failure : trial->failures) {
    if (failure.check != failure_.check) continue;
    if (holds_words_ && without_numbers(failure.message) != without_numbers(failure_.message)) {
      continue;
    }
    return std::move(failure.message);
  }
  return std::nullopt;
}

}  // namespace plumbline::scenarios
