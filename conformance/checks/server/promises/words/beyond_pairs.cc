#include "conformance/checks/server/promises/words/beyond_pairs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "conformance/checks/server/tool_arguments.h"

namespace plumbline::conformance {

namespace {

constexpr std::int64_t kBeyond = 7;
constexpr double kPart = 0.25;  // Of a step: rounded as well it is the value below.
// A bound that no schema means: those of a type.
constexpr double kLargestMeant = 1e12;
constexpr std::size_t kLongestMade = 20'000;
constexpr std::size_t kMostMade = 200;

std::optional<double> bound_in(const Json& property, const char* name) {
  const Json* const bound = find(property, name);
  if (bound == nullptr || !bound->is_number()) return std::nullopt;
  const auto value = bound->get<double>();
  return std::fabs(value) > kLargestMeant ? std::nullopt : std::optional(value);
}

Json bound_number(double value) {
  const bool whole = std::floor(value) == value;
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

void beyond_numbers(const Json& property, std::vector<BeyondPair>& pairs) {
  for (const bool most : {true, false}) {
    const char* const named = most ? "maximum" : "minimum";
    const std::optional<double> bound = bound_in(property, named);
    if (!bound) continue;
    const Json other = bound_number(*bound + static_cast<double>(most ? kBeyond : -kBeyond));
    pairs.push_back({bound_number(*bound), other,
                     "the " + std::string(named) + " " + dump_json(bound_number(*bound)), true});
  }
}

// beyond_ends adds numbers beyond bounds that are not allowed themselves.
void beyond_ends(const Json& property, const Json& good, std::vector<BeyondPair>& pairs) {
  for (const bool most : {true, false}) {
    const char* const named = most ? "exclusiveMaximum" : "exclusiveMinimum";
    const std::optional<double> bound = bound_in(property, named);
    if (!bound || !good.is_number()) continue;
    const Json other = bound_number(*bound + static_cast<double>(most ? kBeyond : -kBeyond));
    pairs.push_back(
        {good, other, "the " + std::string(named) + " " + dump_json(bound_number(*bound))});
  }
}

// wants_whole returns whether numbers have to be integers.
bool wants_whole(const Json& property) {
  bool whole = false;
  bool any = false;
  const auto look = [&](const Json& type) {
    whole = whole || type == "integer";
    any = any || type == "number";
  };
  const Json* const type = find(property, "type");
  for (const Json& one : type != nullptr && type->is_array() ? *type : Json::array()) look(one);
  if (type != nullptr) look(*type);
  for (const char* const name : {"anyOf", "oneOf"}) {
    const Json* const forms = find(property, name);
    for (const Json& one : forms != nullptr && forms->is_array() ? *forms : Json::array()) {
      look(string_or(one, "type", ""));
    }
  }
  return whole && !any;
}

// beyond_steps adds numbers between two that are allowed.
void beyond_steps(const Json& property, const Json& good, std::vector<BeyondPair>& pairs) {
  if (!good.is_number() || std::fabs(good.get<double>()) > kLargestMeant) return;
  const auto value = good.get<double>();
  const bool whole = wants_whole(property);
  if (whole) pairs.push_back({good, value + kPart, "the type integer", false, false, true});
  const double step = bound_in(property, "multipleOf").value_or(0);
  if (step <= 0) return;
  const double part = whole ? std::max(1.0, std::floor(step * kPart)) : step * kPart;
  const Json other = bound_number(value + part);
  pairs.push_back(
      {good, other, "the multipleOf " + dump_json(property["multipleOf"]), false, false, true});
}

void beyond_texts(const Json& property, const Json& good, std::vector<BeyondPair>& pairs) {
  const auto* const text = good.get_ptr<const std::string*>();
  if (text == nullptr) return;
  const std::int64_t most = int_or(property, "maxLength", -1);
  if (most >= 0 && most < static_cast<std::int64_t>(kLongestMade)) {
    pairs.push_back({good, std::string(static_cast<std::size_t>(most) + kBeyond, 'x'),
                     "the maxLength " + std::to_string(most), false});
  }
  const std::int64_t least = int_or(property, "minLength", 0);
  if (least > 1) pairs.push_back({good, "x", "the minLength " + std::to_string(least), false});
  const std::string pattern = string_or(property, "pattern", "");
  if (!pattern.empty()) pairs.push_back({good, *text + " !", "the pattern " + pattern, false});
}

void beyond_lists(const Json& property, const Json& good, std::vector<BeyondPair>& pairs) {
  if (!good.is_array() || good.empty()) return;
  const Json* const items = find(property, "items");
  const std::string type = items == nullptr ? "" : string_or(*items, "type", "");
  if (!type.empty()) {
    Json more = good;
    more.push_back(type == "string" ? Json::object() : Json("plumbline"));
    pairs.push_back({good, more, "the type of its items, " + type, false, false, true});
  }
  const std::int64_t most = int_or(property, "maxItems", -1);
  if (most > 0 && most < static_cast<std::int64_t>(kMostMade)) {
    Json many = good;
    while (many.size() <= static_cast<std::size_t>(most)) many.push_back(good.front());
    pairs.push_back({good, many, "the maxItems " + std::to_string(most), false});
  }
  if (int_or(property, "minItems", 0) > 0) {
    pairs.push_back(
        {good, Json::array(), "the minItems " + dump_json(property["minItems"]), false});
  }
}

}  // namespace

std::vector<BeyondPair> beyond_pairs(const Json& tool, const std::string& name,
                                     const Json& property, const Json* good) {
  std::vector<BeyondPair> pairs;
  beyond_numbers(property, pairs);
  const Json* const choices = choices_of(tool, name);
  if (choices != nullptr && choices->front().is_string()) {
    pairs.push_back({choices->front(), "plumbline", "its enum", false, true});
  }
  if (good == nullptr || choices != nullptr) return pairs;
  beyond_ends(property, *good, pairs);
  beyond_steps(property, *good, pairs);
  beyond_texts(property, *good, pairs);
  beyond_lists(property, *good, pairs);
  return pairs;
}

}  // namespace plumbline::conformance
