#include "conformance/checks/server/promises/given_nothing.h"

#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/made_things.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kNothingsMax = 6;  // Of one tool.

// nothing_for returns 0 where a schema says in so many words that it may be, and the description
// does not speak of it; false where true is the default; null: neither.
Json nothing_for(const Json& property) {
  const std::string type = string_or(property, "type", "");
  const Json* const otherwise = find(property, "default");
  if (type == "boolean" && otherwise != nullptr && *otherwise == Json(true)) return false;
  const Json* const least = find(property, "minimum");
  const bool silent = string_or(property, "description", "").find('0') == std::string::npos;
  const bool number = type == "integer" || type == "number";
  return number && silent && least != nullptr && *least == Json(0) ? Json(0) : Json();
}

Task<Finding> judge_nothing(Client client, MadeThing maker, std::string name, Json nothing) {
  maker.params["arguments"][name] = nothing;
  const MadeThing made = co_await make_again(client, std::move(maker));
  if (made.maker == nullptr || made.params["arguments"][name] != nothing) co_return not_for_it("");
  const Json* const told = scalar_called(made.answer, name);
  if (told == nullptr || told->is_boolean() != nothing.is_boolean()) co_return not_for_it("");
  if (*told == nothing) co_return passes();
  const Reply again = co_await client.request("tools/call", made.params);
  const Json answer = answer_in(again);
  const Json* const same = has_gone_well(again) ? scalar_called(answer, name) : nullptr;
  if (same == nullptr || *same != *told) co_return not_for_it("");
  co_return about(broken(tool_in(made.params) + " was given \"" + shortened(name) +
                         "\": " + dump_json(nothing) + ", which its inputSchema allows, and made " +
                         "it with " + shortened(dump_json(*told)) + ": " + dump_json(nothing) +
                         " is no argument that was left out"),
                  again);
}

}  // namespace

Task<Finding> keeps_given_nothing(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  const std::vector<MadeThing> all = makers(probe, exercise);
  if (all.empty()) co_return not_for_it("");
  // The check has its turn at making things until it ends.
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return not_for_it("");
  std::size_t held = 0;
  for (const MadeThing& maker : all) {
    const Json* const properties = properties_of(*maker.maker);
    if (properties == nullptr) continue;
    std::size_t tried = 0;
    for (const auto& [name, property] : properties->items()) {
      Json nothing = nothing_for(property);
      if (nothing.is_null() || tried == kNothingsMax) continue;
      ++tried;
      Finding finding = co_await judge_nothing(client, maker, name, std::move(nothing));
      if (finding.verdict == Verdict::kFail) co_return std::move(finding);
      held += finding.verdict == Verdict::kPass ? 1 : 0;
    }
  }
  co_return held > 0 ? passes() : not_for_it("");
}

}  // namespace plumbline::conformance
