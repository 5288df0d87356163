// Whether what a tool lists can be used: the tool that gets one thing knows the ids of the list,
// and its whole numbers are none that readers round.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/reasons.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/listed.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr int kExactBits = 53;  // Of the whole numbers that a double holds.
constexpr std::size_t kReadersListedMax = 16;
constexpr std::size_t kIdsTriedMax = 3;
constexpr std::size_t kIdsTriedMin = 2;
constexpr std::size_t kRoundedDigitsMin = 16;
constexpr std::array<std::string_view, 5> kGetting = {"get", "read", "show", "fetch", "describe"};
constexpr std::array<std::string_view, 8> kNotKnown = {
    "not found", "unknown", "no such", "not exist", "n't exist", "there is no", "not known", "no "};

// is_rounded returns whether no double is this whole number.
bool is_rounded(const Json& number) {
  auto magnitude = number.get<std::uint64_t>();
  if (!number.is_number_unsigned() && number.get<std::int64_t>() < 0) magnitude = 0 - magnitude;
  return static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude) > kExactBits;
}

// big_in returns the first whole number in a value that a double does not hold; nullptr: none is.
const Json* big_in(const Json& value) {
  if (value.is_number_integer()) return is_rounded(value) ? &value : nullptr;
  if (!value.is_structured()) return nullptr;
  for (const Json& inside : value) {
    if (const Json* const found = big_in(inside)) return found;
  }
  return nullptr;
}

Task<Finding> numbers_are_exact(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("tools/call")) {
    const Json* const structured = find(*call->complete(), "structuredContent");
    if (structured == nullptr) continue;
    tally.saw();
    const Json* const big = big_in(*structured);
    if (big == nullptr) continue;
    tally.wrong(tool_in(call->params) + " answers with the number " + dump_json(*big) +
                    ", beyond 2^53: clients on JavaScript round it",
                call->evidence);
    break;
  }
  co_return tally.finding("no tool has answered with structured content");
}

// Getter is a tool that only reads and takes one id of a thing.
struct Getter {
  const Json* tool;
  std::string parameter;
  std::string type;
  std::string thing;
};

std::optional<Getter> getter_of(const Json& tool) {
  const Json* const properties = properties_of(tool);
  const Json* const required = at_pointer(tool, "/inputSchema/required");
  if (properties == nullptr || required == nullptr || !required->is_array()) return std::nullopt;
  if (required->size() != 1 || !required->front().is_string()) return std::nullopt;
  const auto parameter = required->front().get<std::string>();
  const Json* const property = find(*properties, parameter);
  const std::vector<std::string> words = words_of(parameter);
  const std::vector<std::string> name = words_of(string_or(tool, "name", ""));
  if (property == nullptr || words.empty() || words.back() != "id" || name.size() < 2) {
    return std::nullopt;
  }
  const bool gets = std::ranges::find(kGetting, name.front()) != kGetting.end();
  const std::string thing = words.size() == 1 ? name.back() : words[words.size() - 2];
  if (!gets || name.size() != 2 || name.back() != thing) return std::nullopt;
  return Getter{&tool, parameter, string_or(*property, "type", ""), thing};
}

// ids_listed returns the ids of the things of this kind that an answer lists.
std::vector<Json> ids_listed(const Json& answer, const Getter& getter) {
  std::vector<Json> found;
  if (!answer.is_object()) return found;
  for (const auto& [name, list] : answer.items()) {
    if (lower_case(singular(name)) != getter.thing || !is_objects(list)) continue;
    for (const Json& item : list) {
      const Json* id = find(item, getter.parameter);
      if (id == nullptr) id = find(item, "id");
      const bool fits = id != nullptr && (getter.type == "string"    ? id->is_string()
                                          : getter.type == "integer" ? id->is_number_integer()
                                                                     : false);
      if (fits && found.size() < kIdsTriedMax) found.push_back(*id);
    }
  }
  return found;
}

// is_unknown returns whether a tool says that there is nothing with this id.
bool is_unknown(const Reply& reply, const Json& id) {
  const std::string text = lower_case(text_of_failure(reply));
  const std::string shown = id.is_string() ? lower_case(id.get<std::string>()) : dump_json(id);
  return is_refused(reply) && mentions_any(text, kNotKnown) && mentions(text, shown);
}

// is_rounded_alike returns whether an id is a whole number of so many digits that ends as rounded
// ones do.
bool is_rounded_alike(const Json& id) {
  const std::string digits = id.is_string() ? id.get<std::string>() : dump_json(id);
  const bool number = digits.find_first_not_of("0123456789") == std::string::npos;
  return number && digits.size() > kRoundedDigitsMin && digits.ends_with("00");
}

// judge_ids gives a getter what a tool lists: it has to know some, or not say that it knows none.
Task<Finding> judge_ids(Client client, Json params, Getter getter) {
  const Reply listed = co_await client.request("tools/call", params);
  const std::vector<Json> ids =
      has_gone_well(listed) ? ids_listed(answer_in(listed), getter) : std::vector<Json>();
  if (ids.size() < kIdsTriedMin) co_return not_for_it("");
  Reply last;
  for (const Json& id : ids) {
    Json asked = {{"name", string_or(*getter.tool, "name", "")}, {"arguments", Json::object()}};
    asked["arguments"][getter.parameter] = id;
    last = co_await client.request("tools/call", std::move(asked));
    if (!is_unknown(last, id)) co_return passes();
  }
  const Reply again = co_await client.request("tools/call", params);
  const bool stays = has_gone_well(again) && ids_listed(answer_in(again), getter) == ids;
  if (!stays) co_return not_for_it("");
  const bool rounded = std::ranges::all_of(ids, is_rounded_alike);
  co_return about(
      broken(tool_in(params) + " lists the ids " + shortened(dump_json(Json(ids))) +
             ", and the tool \"" + shortened(string_or(*getter.tool, "name", "")) +
             "\" knows none of them: \"" + shortened(trimmed(text_of_failure(last))) + "\"" +
             (rounded ? "; they look rounded, as whole numbers beyond 2^53 are" : "")),
      listed, last);
}

Task<Finding> listed_ids_are_known(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Client client = probe.client();
  std::size_t judged = 0;
  for (const Json& tool : probe.survey().tools.items) {
    const std::optional<Getter> getter = getter_of(tool);
    const bool reads = says_hint(tool, "readOnlyHint", true) && probe.may_call(tool);
    if (!getter || !reads || probe.disturbs(string_or(tool, "name", ""))) continue;
    for (const Json& params : reading_calls(probe, exercise, kReadersListedMax)) {
      if (params["name"] == tool["name"]) continue;
      Finding finding = co_await judge_ids(client, params, *getter);
      if (finding.verdict == Verdict::kFail) co_return std::move(finding);
      if (finding.verdict != Verdict::kPass) continue;
      ++judged;
      break;
    }
  }
  co_return judged > 0 ? passes() : not_for_it("no tool gets one of what another lists by its id");
}

constexpr ServerCheck kToolsIdsChecks[] = {
    {"tools.listed-ids-known", Eras::kBoth, SessionUse::kShared, listed_ids_are_known},
    {"tools.numbers-exact", Eras::kBoth, SessionUse::kOpens, numbers_are_exact},
};

}  // namespace

ServerChecks tools_ids_checks() { return kToolsIdsChecks; }

}  // namespace plumbline::conformance
