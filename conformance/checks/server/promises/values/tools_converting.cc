// Whether what a tool converts from one unit into another, and back, is what it was, and by the
// factor that it states.
// No clause says so much.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/promises/values/stated_factors.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/tool_arguments.h"
#include "conformance/peer/name_words.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kConvertersMax = 4;
constexpr std::size_t kUnitsMax = 4;
constexpr double kAmount = 100;
// Of what was converted: two prices of one thing, for buying and for selling, are less apart.
constexpr double kSpread = 0.2;
constexpr double kRoundings = 4;
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kFromTo = {
    {{"from", "to"},
     {"fromUnit", "toUnit"},
     {"from_unit", "to_unit"},
     {"source", "target"},
     {"fromCurrency", "toCurrency"}}};
constexpr std::array<std::string_view, 6> kResults = {
    "result", "converted", "convertedAmount", "converted_amount", "output", "value"};
constexpr std::array<std::string_view, 7> kAtACost = {"fee",    "fees",   "spread", "commission",
                                                      "margin", "charge", "charges"};

// Converter is a tool that converts an amount.
struct Converter {
  Json params;
  std::string from;
  std::string to;
  std::string amount;
  std::vector<Json> units;
};

// amount_of returns the one parameter that is a number; empty: none, or there are more.
std::string amount_of(const Json& properties) {
  std::string found;
  for (const auto& [name, property] : properties.items()) {
    if (string_or(property, "type", "") != "number") continue;
    if (!found.empty()) return {};
    found = name;
  }
  return found;
}

// may_amount returns whether a property may be kAmount, for all that its schema says.
bool may_amount(const Json& property) {
  const auto bound = [&](const char* name, double usual) {
    const Json* const value = find(property, name);
    return value != nullptr && value->is_number() ? value->get<double>() : usual;
  };
  return bound("minimum", 0) <= kAmount && bound("maximum", kAmount) >= kAmount;
}

std::optional<Converter> converter_of(const Json& tool, const Json& params) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return std::nullopt;
  for (const Sentence& one : sentences_in(string_or(tool, "description", ""))) {
    if (says_word(one, kAtACost)) return std::nullopt;
  }
  for (const auto& [from, to] : kFromTo) {
    const Json* const units = choices_of(tool, from);
    const Json* const others = choices_of(tool, to);
    const std::string amount = amount_of(*properties);
    if (units == nullptr || others == nullptr || *units != *others || amount.empty()) continue;
    if (units->size() < 2 || !may_amount((*properties)[amount])) continue;
    Converter found{params, std::string(from), std::string(to), amount, {}};
    for (const Json& unit : *units) {
      if (found.units.size() < kUnitsMax) found.units.push_back(unit);
    }
    return found;
  }
  return std::nullopt;
}

void numbers_in(const Json& value, std::vector<std::pair<std::string, Json>>& found) {
  if (!value.is_structured()) return;
  for (const auto& [name, inside] : value.items()) {
    if (value.is_object() && inside.is_number()) found.emplace_back(name, inside);
    numbers_in(inside, found);
  }
}

// result_in returns what an answer says that an amount is: under a name that says so, or the only
// number in it.
std::optional<Json> result_in(const Reply& reply) {
  if (!has_gone_well(reply)) return std::nullopt;
  std::vector<std::pair<std::string, Json>> numbers;
  numbers_in(answer_in(reply), numbers);
  if (numbers.size() == 1) return numbers.front().second;
  for (const std::string_view name : kResults) {
    const auto of = [&](const auto& one) { return one.first == name; };
    if (std::ranges::count_if(numbers, of) == 1) return std::ranges::find_if(numbers, of)->second;
  }
  return std::nullopt;
}

Json asking(const Converter& tool, const Json& from, const Json& to, const Json& amount) {
  Json params = tool.params;
  params["arguments"][tool.from] = from;
  params["arguments"][tool.to] = to;
  params["arguments"][tool.amount] = amount;
  return params;
}

// there_and_back converts an amount into another unit, and what that gives back again.
Task<Finding> there_and_back(Client client, Converter tool, Json from, Json to) {
  const Json params = asking(tool, from, to, Json(kAmount));
  const Reply there = co_await client.request("tools/call", params);
  const std::optional<Json> made = result_in(there);
  if (!made) co_return not_for_it("");
  const double size = std::abs(made->get<double>());
  if (size < kRoundings * step_of(*made) / kSpread) co_return not_for_it("");
  const Reply back = co_await client.request("tools/call", asking(tool, to, from, *made));
  const std::optional<Json> again = result_in(back);
  if (!again) co_return not_for_it("");
  if (std::abs(again->get<double>() - kAmount) <= kSpread * kAmount) co_return passes();
  co_return about(
      broken(tool_in(params) + " makes " + dump_json(*made) + " " + shortened(dump_json(to)) +
             " of " + number_text(kAmount) + " " + shortened(dump_json(from)) + ", and of that " +
             dump_json(*again) + " " + shortened(dump_json(from)) + " again"),
      there, back);
}

Task<Finding> judge_converter(Client client, Converter tool) {
  std::size_t judged = 0;
  for (std::size_t i = 0; i + 1 < tool.units.size(); ++i) {
    Finding finding = co_await there_and_back(client, tool, tool.units[i], tool.units[i + 1]);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    if (finding.verdict == Verdict::kPass) ++judged;
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

Task<Finding> converts_back(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  std::vector<Converter> converters;
  for (const Json& params : reading_calls(probe, exercise, 8 * kConvertersMax)) {
    const Json* const tool = probe.survey().tool(string_or(params, "name", ""));
    auto converter = tool == nullptr ? std::nullopt : converter_of(*tool, params);
    if (converter && converters.size() < kConvertersMax) {
      converters.push_back(*std::move(converter));
    }
  }
  Client client = probe.client();
  std::size_t judged = 0;
  for (const Converter& converter : converters) {
    Finding finding = co_await judge_converter(client, converter);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    if (finding.verdict == Verdict::kPass) ++judged;
  }
  Finding stated = co_await converts_as_stated(probe);
  if (stated.verdict == Verdict::kFail) co_return std::move(stated);
  if (stated.verdict == Verdict::kPass) ++judged;
  co_return judged > 0 ? passes() : not_for_it("no tool converts there and back");
}

constexpr ServerCheck kToolsConvertingChecks[] = {
    {"tools.conversions-turn-back", Eras::kBoth, SessionUse::kShared, converts_back},
};

}  // namespace

ServerChecks tools_converting_checks() { return kToolsConvertingChecks; }

}  // namespace plumbline::conformance
