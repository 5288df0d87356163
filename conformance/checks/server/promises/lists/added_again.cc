#include "conformance/checks/server/promises/lists/added_again.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/listed.h"
#include "conformance/checks/server/promises/made_things.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kReadersOfCallMax = 3;

bool is_other_each_time(const std::string& member) {
  return is_id_like(words_of(member)) || tells_of_time({member, nullptr, nullptr, true});
}

// without_what_changes returns an entry without its ids and times.
Json without_what_changes(Json entry) {
  if (!entry.is_object()) return entry;
  for (auto member = entry.begin(); member != entry.end();) {
    member = is_other_each_time(member.key()) ? entry.erase(member) : std::next(member);
  }
  return entry;
}

// says_given returns whether an entry has a value of the arguments that is a text.
bool says_given(const Json& entry, const Json& params) {
  const Json* const arguments = find(params, "arguments");
  if (arguments == nullptr || !entry.is_object()) return false;
  return std::ranges::any_of(entry, [arguments](const Json& value) {
    return value.is_string() && std::ranges::find(*arguments, value) != arguments->end();
  });
}

std::size_t count_like(const Json& list, const Json& like) {
  return static_cast<std::size_t>(std::ranges::count_if(
      list, [&like](const Json& entry) { return without_what_changes(entry) == like; }));
}

}  // namespace

std::string counts_up(const std::array<Json, 3>& answers) {
  const auto& [one, two, three] = answers;
  if (!one.is_object() || !two.is_object() || !three.is_object()) return "";
  bool other_thing = false;
  std::string counted;
  for (const auto& [name, value] : one.items()) {
    const Json* const next = find(two, name);
    const Json* const last = find(three, name);
    if (next == nullptr || last == nullptr || value == *next || *next == *last) continue;
    if (is_id_like(words_of(name))) other_thing = true;
    if (is_other_each_time(name) || !value.is_number_integer() || !next->is_number_integer()) {
      continue;
    }
    const auto step = next->get<std::int64_t>() - value.get<std::int64_t>();
    if (step <= 0 || *last != Json(next->get<std::int64_t>() + step)) continue;
    counted = "\"" + name + "\" is " + dump_json(value) + ", then " + dump_json(*next) + ", then " +
              dump_json(*last);
  }
  return other_thing ? counted : "";
}

std::vector<Json> readers_of(Probe& probe, const Json& params) {
  std::vector<Json> found;
  const Json* const given = find(params, "arguments");
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const bool reads = says_hint(tool, "readOnlyHint", true) && probe.may_call(tool) &&
                       !probe.disturbs(name) && !keeps_a_record(name);
    if (!reads || found.size() == kReadersOfCallMax) continue;
    Json arguments = Json::object();
    bool known = true;
    const Json* const required = at_pointer(tool, "/inputSchema/required");
    for (const Json& each : required == nullptr ? Json::array() : *required) {
      const Json* const value =
          given == nullptr || !each.is_string() ? nullptr : find(*given, each.get<std::string>());
      known = known && value != nullptr;
      if (value != nullptr) arguments[each.get<std::string>()] = *value;
    }
    if (known) found.push_back({{"name", name}, {"arguments", std::move(arguments)}});
  }
  return found;
}

std::string lists_more(const std::array<Json, 3>& answers, const Json& params) {
  const Json before = listed_in(answers[0]);
  const Json between = listed_in(answers[1]);
  const Json after = listed_in(answers[2]);
  if (between.size() != before.size() + 1 || after.size() != between.size() + 1) return "";
  for (const Json& entry : after) {
    const Json like = without_what_changes(entry);
    if (!says_given(like, params) || count_like(before, like) == 0) continue;
    const std::size_t grown = count_like(between, like);
    if (grown != count_like(before, like) + 1 || count_like(after, like) != grown + 1) continue;
    return std::to_string(grown - 1) + " like " + dump_json(entry) + ", then " +
           std::to_string(grown) + ", then " + std::to_string(grown + 1);
  }
  return "";
}

}  // namespace plumbline::conformance
