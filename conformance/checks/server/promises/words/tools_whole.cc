// Whether a call of several things that says "all or nothing" does nothing where it is refused. No
// clause says so much.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/tool_arguments.h"
#include "conformance/peer/name_words.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kWholesMax = 3;
constexpr std::size_t kViewsMax = 6;
constexpr std::array<std::string_view, 4> kWholeOrNot = {"all or nothing", "all-or-nothing",
                                                         "atomically", "either all"};
constexpr std::array<std::string_view, 7> kChoosing = {
    "atomic", "atomically", "partial", "partially", "continue", "nothing", "mode"};
constexpr std::array<std::string_view, 15> kSometimes = {
    "not",  "no",   "never", "isn",     "unless", "if",  "when",    "with",
    "once", "than", "may",   "instead", "unlike", "can", "optional"};

// may_do_parts returns whether a parameter has the caller choose.
bool may_do_parts(const Json& tool) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return false;
  for (const auto& [name, property] : properties->items()) {
    if (has_word(words_of(name), kChoosing)) return true;
  }
  return false;
}

// says_whole returns the sentence in which a tool says that it does all or nothing: always, as what
// stands before that says.
std::string says_whole(const Json& tool) {
  if (may_do_parts(tool)) return {};
  for (const Sentence& one : sentences_in(string_or(tool, "description", ""))) {
    for (const std::string_view words : kWholeOrNot) {
      const std::size_t at = one.low.find(words);
      if (at == std::string::npos) continue;
      const std::vector<Sentence> before = sentences_in(std::string_view(one.low).substr(0, at));
      const bool always = std::ranges::none_of(
          before, [](const Sentence& part) { return says_word(part, kSometimes); });
      if (always) return one.text;
    }
  }
  return {};
}

// list_parameter returns the parameter that is a list of objects; empty: none is.
std::string list_parameter(const Json& tool) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return {};
  for (const auto& [name, property] : properties->items()) {
    const Json* const type = at_pointer(property, "/items/type");
    if (type != nullptr && *type == "object") return name;
  }
  return {};
}

// What is called so shows what was asked for, taken or not.
constexpr std::array<std::string_view, 8> kOfAttempts = {
    "attempts", "errors", "failures", "failed", "rejected", "refused", "drafts", "calls"};

// fresh_item returns an item like `first` with texts that nobody has used before, where any will
// do; null: it has none of those.
Json fresh_item(const Json& first, const Json& schema, const std::string& text) {
  Json item = first;
  bool changed = false;
  if (!item.is_object()) return nullptr;
  for (auto& [name, value] : item.items()) {
    const Json* const property = at_pointer(schema, "/properties/" + name);
    const bool any = property != nullptr && value.is_string() && !is_stated(*property) &&
                     !property->contains("pattern") && !property->contains("format");
    if (!any) continue;
    value = text;
    changed = true;
  }
  return changed ? item : Json();
}

// largest returns an item with each whole number at its most.
Json largest(Json item, const Json& schema) {
  for (auto& [name, value] : item.items()) {
    const Json* const most = at_pointer(schema, "/properties/" + name + "/maximum");
    if (value.is_number_integer() && most != nullptr && most->is_number_integer()) value = *most;
  }
  return item;
}

// views_for returns calls of tools that only read, with nothing or with what the call names too.
std::vector<Json> views_for(Probe& probe, const Json& params) {
  std::vector<Json> found;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const bool reads = says_hint(tool, "readOnlyHint", true) && probe.may_call(tool);
    if (keeps_a_record(name) || has_word(words_of(name), kOfAttempts)) continue;
    if (!reads || probe.disturbs(name) || found.size() == kViewsMax) continue;
    Json view = {{"name", name}, {"arguments", Json::object()}};
    const Json* const required = at_pointer(tool, "/inputSchema/required");
    bool knows = true;
    for (const Json& one : required == nullptr ? Json::array() : *required) {
      const std::string parameter = one.is_string() ? one.get<std::string>() : "";
      const Json* const value = at_pointer(params, "/arguments/" + parameter);
      knows = knows && value != nullptr && !value->is_structured();
      if (knows) view["arguments"][parameter] = *value;
    }
    if (knows) found.push_back(std::move(view));
  }
  return found;
}

// view_with_text returns the first of the calls whose answer has a text, which is `shown`; null:
// none has.
Task<Json> view_with_text(Client client, std::vector<Json> views, std::string text, Reply* shown) {
  for (const Json& view : views) {
    Reply reply = co_await client.request("tools/call", view);
    if (!has_gone_well(reply) || !mentions(dump_json(answer_in(reply)), text)) continue;
    *shown = std::move(reply);
    co_return view;
  }
  co_return nullptr;
}

Task<Finding> judge_whole(Probe& probe, Client client, const Json* tool, Json params) {
  const std::string name = list_parameter(*tool);
  const Json* const schema = at_pointer(*tool, "/inputSchema/properties/" + name + "/items");
  const Json* const given = at_pointer(params, "/arguments/" + name);
  if (schema == nullptr || given == nullptr || !given->is_array() || given->empty()) {
    co_return not_for_it("");
  }
  const Json first = given->front();
  const std::vector<Json> views = views_for(probe, params);
  std::size_t judged = 0;
  for (int i = 0; i < 3; ++i) {
    const std::string text = "Plumbline whole " + std::to_string(probe.check()) + std::to_string(i);
    const Json good = fresh_item(first, *schema, text);
    if (good.is_null()) break;
    const Json other = fresh_item(first, *schema, text + " more");
    const Json bad = i == 0 ? good : i == 1 ? largest(other, *schema) : Json::object();
    params["arguments"][name] = Json::array({good, bad, bad});
    Reply shown;
    if (!(co_await view_with_text(client, views, text, &shown)).is_null()) continue;
    const Reply refused = co_await client.request("tools/call", params);
    if (!is_refused(refused)) continue;
    const Json view = co_await view_with_text(client, views, text, &shown);
    ++judged;
    if (view.is_null()) continue;
    co_return about(broken("the tool \"" + shortened(string_or(*tool, "name", "")) +
                           "\" refused a call with several of \"" + name +
                           "\", and kept the first of them, as " + tool_in(view) +
                           " shows; it says \"" + shortened(says_whole(*tool)) + "\""),
                    refused, shown);
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

Task<Finding> keeps_all_or_nothing(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  std::size_t tried = 0;
  std::size_t judged = 0;
  for (const Json& tool : probe.survey().tools.items) {
    const bool whole = !says_whole(tool).empty() && !list_parameter(tool).empty();
    if (!whole || says_hint(tool, "readOnlyHint", true) || !probe.may_call(tool)) continue;
    const Json params = known_params(probe, exercise, tool);
    if (params.is_null() || probe.disturbs(string_or(tool, "name", ""))) continue;
    if (tried++ == kWholesMax) break;
    Client client = co_await probe.open(probe.usual());
    if (!client.session().usable()) continue;
    Finding finding = co_await judge_whole(probe, client, &tool, params);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    judged += finding.verdict == Verdict::kPass ? 1 : 0;
  }
  co_return judged > 0 ? passes() : not_for_it("no tool says that it does all or nothing");
}

constexpr ServerCheck kToolsWholeChecks[] = {
    {"tools.all-or-nothing", Eras::kBoth, SessionUse::kOpens, keeps_all_or_nothing},
};

}  // namespace

ServerChecks tools_whole_checks() { return kToolsWholeChecks; }

}  // namespace plumbline::conformance
