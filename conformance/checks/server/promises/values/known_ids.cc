#include "conformance/checks/server/promises/values/known_ids.h"

#include <algorithm>
#include <set>

#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kIdsMax = 6;

// ids_given returns the values of members that are called "id", or as the parameter.
std::set<std::string> ids_given(const Exercise& exercise, std::string_view parameter) {
  std::set<std::string> found;
  for (const Call* const call : exercise.completed("tools/call")) {
    if (!has_gone_well(call->reply)) continue;
    each_object(answer_in(call->reply), [&](const Json& object) {
      for (const std::string_view name : {std::string_view("id"), parameter}) {
        const auto id = find_string(object, name);
        if (id && !id->empty()) found.insert(std::string(*id));
      }
    });
  }
  return found;
}

}  // namespace

std::vector<KnownId> known_ids(Probe& probe, const Exercise& exercise, std::string_view parameter) {
  const std::vector<std::string> words = words_of(parameter);
  if (words.size() < 2 || words.back() != "id") return {};
  const std::set<std::string> given = ids_given(exercise, parameter);
  std::vector<KnownId> found;
  for (const Call* const call : exercise.completed("tools/call")) {
    const std::string name = string_or(call->params, "name", "");
    const Json* const tool = probe.survey().tool(name);
    const Json* const arguments = find(call->params, "arguments");
    if (tool == nullptr || arguments == nullptr || !has_gone_well(call->reply)) continue;
    const auto id = find_string(*arguments, parameter);
    if (!id || !says_hint(*tool, "readOnlyHint", true) || !given.contains(std::string(*id))) {
      continue;
    }
    const auto same = [&](const KnownId& one) { return one.id == *id; };
    if (found.size() < kIdsMax && std::ranges::none_of(found, same)) {
      found.push_back({std::string(*id), name});
    }
  }
  return found;
}

}  // namespace plumbline::conformance
