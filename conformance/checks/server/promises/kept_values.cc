#include "conformance/checks/server/promises/kept_values.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/exercise.h"
#include "conformance/checks/server/learned_values.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/made_things.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/tool_arguments.h"
#include "conformance/peer/name_words.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kUpdatersMax = 6;
constexpr std::size_t kKeptReadersMax = 12;
constexpr std::size_t kPartsMax = 3;  // Of one thing, that are told alone.
constexpr int kKeptDepthMax = 6;
constexpr std::array<std::string_view, 7> kPatchingVerbs = {"update", "edit", "change", "modify",
                                                            "patch",  "set",  "adjust"};
constexpr std::array<std::string_view, 8> kShowingVerbs = {"get",      "read",  "show", "view",
                                                           "describe", "fetch", "list", "find"};
// Of a tool that puts something else in the place of all that there is, or empties it.
constexpr std::array<std::string_view, 10> kReplacing = {
    "replac", "overwrit", "reset", "clear", "upsert", "remov", "left out", "omit", "empt", "unset"};

// What is put away, and what brings it back.
constexpr std::array<std::string_view, 6> kPuttingAway = {"discard", "delete",  "remove",
                                                          "trash",   "archive", "retire"};
constexpr std::array<std::string_view, 4> kRestoring = {"restore", "recover", "undelete",
                                                        "reinstate"};
constexpr std::size_t kPutAwayMax = 3;

// KeptThing is something that one tool updates and another reads.
struct KeptThing {
  const Json* updater = nullptr;
  Json base;     // Of a call of the updater that tells nothing.
  Json full;     // Of one that has gone well: with as much as is known.
  Json id;       // Null: there is one such thing alone.
  Json reading;  // Of a call of the reader.
};

bool needs_part(const Json& tool, const std::string& name) {
  const Json* const required = at_pointer(tool, "/inputSchema/required");
  return required != nullptr && required->is_array() &&
         std::ranges::find(*required, Json(name)) != required->end();
}

// told_parts returns what may be told to an updating tool of one thing.
std::vector<std::string> told_parts(const Json& tool) {
  std::vector<std::string> parts;
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return parts;
  for (const auto& [name, property] : properties->items()) {
    if (!needs_part(tool, name) && !is_id_like(words_of(name))) parts.push_back(name);
  }
  return parts;
}

bool has_parts(const Json& value, const std::vector<std::string>& parts) {
  return value.is_object() && std::ranges::count_if(parts, [&](const std::string& name) {
                                return find(value, name) != nullptr;
                              }) > 1;
}

// object_with returns the first object in an answer that has two of these members.
const Json* object_with(const Json& value, const std::vector<std::string>& parts,
                        int depth_max = kKeptDepthMax) {
  if (!value.is_structured() || depth_max == 0) return nullptr;
  if (has_parts(value, parts)) return &value;
  for (const Json& inside : value) {
    if (const Json* const found = object_with(inside, parts, depth_max - 1)) return found;
  }
  return nullptr;
}

// thing_in returns the thing as an answer tells of it; null: it does not.
Json thing_in(const KeptThing& thing, const Reply& reply) {
  if (!has_gone_well(reply)) return nullptr;
  const Json answer = answer_in(reply);
  const std::vector<std::string> parts = told_parts(*thing.updater);
  const Json* const found =
      thing.id.is_null() ? object_with(answer, parts) : &object_about(answer, thing.id);
  // Where nothing is known by that id, the answer is about something else.
  const bool named = thing.id.is_null() || std::ranges::find(*found, thing.id) != found->end();
  return found != nullptr && named && has_parts(*found, parts) ? *found : Json();
}

// replaces returns whether a tool says, of itself or of a parameter, that it puts something else in
// the place of what is there.
bool replaces(const Json& tool) {
  if (mentions_any(lower_case(string_or(tool, "description", "")), kReplacing)) return true;
  const Json* const properties = properties_of(tool);
  return properties != nullptr && std::ranges::any_of(*properties, [](const Json& property) {
           return mentions_any(lower_case(string_or(property, "description", "")), kReplacing);
         });
}

// updaters returns tools that change a part of something, with calls that went well.
std::vector<KeptThing> updaters(Probe& probe, const Exercise& exercise) {
  std::vector<KeptThing> found;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    if (!starts_with_one_of(tool, kPatchingVerbs) || replaces(tool)) continue;
    if (!probe.may_call(tool) || probe.disturbs(name) || told_parts(tool).size() < 2) continue;
    if (found.size() == kUpdatersMax) break;
    const Json known = known_params(probe, exercise, tool);
    if (known.is_null() || !known["arguments"].is_object()) continue;
    KeptThing thing{&tool, known, known, nullptr, nullptr};
    for (const std::string& part : told_parts(tool)) thing.base["arguments"].erase(part);
    for (const auto& [parameter, value] : thing.base["arguments"].items()) {
      if (is_id_like(words_of(parameter))) thing.id = value;
    }
    // One that needs more than an id, and names none, is about something else than a thing.
    const bool alone = thing.base["arguments"].empty();
    if (!thing.id.is_null() || alone) found.push_back(std::move(thing));
  }
  return found;
}

// kept_readers returns calls of tools that read, which have gone well; first those of one thing.
std::vector<Json> kept_readers(Probe& probe, const Exercise& exercise) {
  std::vector<Json> found;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const bool reads =
        says_hint(tool, "readOnlyHint", true) ||
        (starts_with_one_of(tool, kShowingVerbs) && !says_hint(tool, "readOnlyHint", false));
    if (!reads || !probe.may_call(tool) || probe.disturbs(name) || keeps_a_record(name)) continue;
    for (const Call* const call : good_calls(exercise, name)) {
      if (found.size() < kKeptReadersMax) found.push_back(call->params);
    }
  }
  return found;
}

// about_that returns a call about another thing, where it is about one.
Json about_that(Json reading, const Json& id) {
  const Json* const arguments = find(reading, "arguments");
  if (id.is_null() || arguments == nullptr || arguments->size() != 1) return reading;
  const std::string only = arguments->items().begin().key();
  if (is_id_like(words_of(only))) reading["arguments"][only] = id;
  return reading;
}

Task<KeptThing> find_reader(Client client, KeptThing thing, std::vector<Json> calls) {
  for (Json& call : calls) {
    Json reading = about_that(std::move(call), thing.id);
    const Reply reply = co_await client.request("tools/call", reading);
    if (thing_in(thing, reply).is_null()) continue;
    thing.reading = std::move(reading);
    co_return std::move(thing);
  }
  co_return std::move(thing);
}

bool is_nothing(const Json* value) {
  if (value == nullptr || value->is_null()) return true;
  return *value == "" || *value == Json::array() || *value == Json::object() || *value == 0 ||
         *value == false || *value == "undefined" || *value == "null" || *value == "None";
}

// emptied returns the part that a call did not name and that is empty now; empty: none is. One with
// a default is that, by its own schema, where it is left out.
std::string emptied(const KeptThing& thing, const std::string& told, const Json& before,
                    const Json& after) {
  const Json& properties = *properties_of(*thing.updater);
  for (const std::string& part : told_parts(*thing.updater)) {
    const Json* const was = find(before, part);
    const bool stated = find(properties[part], "default") != nullptr;
    if (part == told || stated || is_nothing(was) || was->is_structured()) continue;
    if (is_nothing(find(after, part))) return part;
  }
  return {};
}

// written returns a call that tells all that a thing has of what may be told.
Json written(const KeptThing& thing, const Json& before) {
  Json params = thing.base;
  for (const std::string& part : told_parts(*thing.updater)) {
    const Json* const was = find(before, part);
    if (!is_nothing(was) && !was->is_structured()) params["arguments"][part] = *was;
  }
  return params;
}

// judge_part tells one part alone, and what it has already: nothing is to change at all.
Task<Finding> judge_part(Client client, KeptThing thing, Json before, std::string part) {
  Json params = thing.base;
  params["arguments"][part] = before[part];
  Finding finding = passes();
  std::string lost;
  for (int i = 0; i < 2; ++i) {
    const Reply changed = co_await client.request("tools/call", params);
    const Reply later = co_await client.request("tools/call", thing.reading);
    const Json after = thing_in(thing, later);
    const std::string now = after.is_null() ? "" : emptied(thing, part, before, after);
    co_await client.request("tools/call", written(thing, before));
    const Reply restored = co_await client.request("tools/call", thing.reading);
    if (!has_gone_well(changed) || after.is_null()) co_return not_for_it("");
    if (now.empty() || (i > 0 && now != lost)) co_return passes();
    if (emptied(thing, part, before, thing_in(thing, restored)) == now) co_return not_for_it("");
    lost = now;
    const Json* const is = find(after, lost);
    finding = about(broken("a call of \"" + shortened(string_or(*thing.updater, "name", "")) +
                           "\" with " + given_in(params) + " names no \"" + shortened(lost) +
                           "\", and changed it from " + shortened(dump_json(before[lost])) +
                           " to " + (is == nullptr ? "nothing" : shortened(dump_json(*is)))),
                    changed, later);
  }
  co_return std::move(finding);
}

Task<Finding> judge_kept(Client client, KeptThing thing) {
  const Reply first = co_await client.request("tools/call", thing.reading);
  Json before = thing_in(thing, first);
  if (before.is_null()) co_return not_for_it("");
  const std::vector<std::string> parts = told_parts(*thing.updater);
  const auto is_full = [&](const std::string& part) { return !is_nothing(find(before, part)); };
  if (std::ranges::count_if(parts, is_full) < 2) {
    // What is empty cannot be emptied.
    co_await client.request("tools/call", thing.full);
    const Reply filled = co_await client.request("tools/call", thing.reading);
    before = thing_in(thing, filled);
    if (before.is_null() || std::ranges::count_if(parts, is_full) < 2) co_return not_for_it("");
  }
  std::size_t tried = 0;
  for (const std::string& part : parts) {
    const Json* const was = find(before, part);
    if (is_nothing(was) || was->is_structured() || tried++ == kPartsMax) continue;
    Finding finding = co_await judge_part(client, thing, before, part);
    if (finding.verdict != Verdict::kPass) co_return std::move(finding);
  }
  co_return tried > 0 ? passes() : not_for_it("");
}

// BackAndForth is a tool, and the one that takes back what it does.
struct BackAndForth {
  const Json* doing = nullptr;
  const Json* undoing = nullptr;
  std::string by;  // The one parameter that both need.
};

bool takes_back(const std::vector<std::string>& doing, const std::vector<std::string>& undoing) {
  if (doing.size() != undoing.size() || doing.size() < 2) return false;
  if (!std::equal(doing.begin() + 1, doing.end(), undoing.begin() + 1)) return false;
  if (undoing.front() == "un" + doing.front()) return true;
  const bool restores = std::ranges::find(kRestoring, undoing.front()) != kRestoring.end();
  return restores && std::ranges::find(kPuttingAway, doing.front()) != kPuttingAway.end();
}

std::vector<BackAndForth> backs_and_forths(Probe& probe) {
  std::vector<BackAndForth> found;
  const auto may = [&](const Json& tool) {
    return probe.may_call(tool) && !probe.disturbs(string_or(tool, "name", ""));
  };
  for (const Json& doing : probe.survey().tools.items) {
    for (const Json& undoing : probe.survey().tools.items) {
      const Json* const needs = at_pointer(doing, "/inputSchema/required");
      const Json* const its = at_pointer(undoing, "/inputSchema/required");
      const bool one = needs != nullptr && its != nullptr && *needs == *its && needs->size() == 1;
      if (!one || !needs->front().is_string() || !may(doing) || !may(undoing)) continue;
      if (!takes_back(words_of(string_or(doing, "name", "")),
                      words_of(string_or(undoing, "name", "")))) {
        continue;
      }
      found.push_back({&doing, &undoing, needs->front().get<std::string>()});
    }
  }
  return found;
}

// lost_on_the_way says what has not come back; empty: all has. What is counted goes on being
// counted, or comes back to where it was.
std::string lost_on_the_way(const Json& before, const Json& between, const Json& after) {
  for (const auto& [name, was] : before.items()) {
    const Json* const is = find(after, name);
    const FirstDifference difference{name, was, is == nullptr ? Json() : *is, true};
    if (is_nothing(&was) || tells_of_time(difference) || (is != nullptr && *is == was)) continue;
    if (was.is_boolean()) continue;
    if (is_nothing(is)) return shown(difference);
    const Json* const then = between.is_object() ? find(between, name) : nullptr;
    const bool counted = then != nullptr && was.is_number_integer() && then->is_number_integer() &&
                         is->is_number_integer();
    if (!counted) continue;
    const auto there = then->get<std::int64_t>() - was.get<std::int64_t>();
    const auto beyond = is->get<std::int64_t>() - was.get<std::int64_t>();
    if ((there > 0 && beyond < 0) || (there < 0 && beyond > 0)) return shown(difference);
  }
  return {};
}

// told_of returns how the calls that read tell of what has this id; null: they do not.
Json told_of(const std::vector<Json>& answers, const Json& id) {
  for (const Json& answer : answers) {
    const Json& object = object_about(answer, id);
    if (&object != &answer && object.size() > 2) return object;
    if (answer.is_object() && std::ranges::find(answer, id) != answer.end()) return answer;
  }
  return nullptr;
}

Task<Finding> judge_back(Client client, BackAndForth pair, Json id, std::vector<Json> reads) {
  Json doing = {{"name", string_or(*pair.doing, "name", "")}};
  doing["arguments"][pair.by] = id;
  Json undoing = doing;
  undoing["name"] = string_or(*pair.undoing, "name", "");
  Json before;
  Json same;
  Reply done;
  for (int i = 0; i < 2 && !has_gone_well(done); ++i) {
    // It may have been put away before.
    if (i > 0) co_await client.request("tools/call", undoing);
    before = told_of(co_await answers_to(client, reads), id);
    same = told_of(co_await answers_to(client, reads), id);
    done = co_await client.request("tools/call", doing);
  }
  const Json between = told_of(co_await answers_to(client, reads), id);
  const Reply undone = co_await client.request("tools/call", undoing);
  const Json after = told_of(co_await answers_to(client, reads), id);
  if (!has_gone_well(done) || !has_gone_well(undone)) co_return not_for_it("");
  if (!before.is_object() || !after.is_object() || before != same) co_return not_for_it("");
  const std::string lost = lost_on_the_way(before, between, after);
  if (lost.empty()) co_return passes();
  co_return about(broken("a call of \"" + string_or(undoing, "name", "") + "\" takes back what \"" +
                         string_or(doing, "name", "") + "\" did to " + shortened(dump_json(id)) +
                         ", and does not bring back what was there: " + lost),
                  done, undone);
}

}  // namespace

Task<Finding> brings_back_what_was(Probe& probe) {
  const std::vector<BackAndForth> pairs = backs_and_forths(probe);
  if (pairs.empty()) co_return not_for_it("");
  const Exercise& exercise = *co_await probe.exercise();
  LearnedValues values;
  values.learn(probe.survey(), exercise);
  const std::vector<Json> reads = kept_readers(probe, exercise);
  Client client = co_await probe.open(probe.usual());
  if (reads.empty() || !client.session().usable()) co_return not_for_it("");
  std::size_t held = 0;
  for (const BackAndForth& pair : pairs) {
    Json ids = Json::array();
    const Json* const choices = choices_of(*pair.doing, pair.by);
    if (choices != nullptr) ids = *choices;
    for (const Call* const call : good_calls(exercise, string_or(*pair.doing, "name", ""))) {
      const Json* const given = find(call->params, "arguments");
      const Json* const id = given == nullptr ? nullptr : find(*given, pair.by);
      if (id != nullptr && ids.size() < kPutAwayMax) ids.push_back(*id);
    }
    for (const Json& value : values.of(pair.by)) ids.push_back(value);
    std::size_t tried = 0;
    for (const Json& id : ids) {
      if (id.is_null() || id.is_structured() || tried++ == kPutAwayMax) continue;
      Finding finding = co_await judge_back(client, pair, id, reads);
      if (finding.verdict == Verdict::kFail) co_return std::move(finding);
      held += finding.verdict == Verdict::kPass ? 1 : 0;
    }
  }
  co_return held > 0 ? passes() : not_for_it("");
}

Task<Finding> keeps_what_is_left_out(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  const std::vector<KeptThing> all = updaters(probe, exercise);
  const std::vector<Json> calls = kept_readers(probe, exercise);
  if (all.empty() || calls.empty()) co_return not_for_it("");
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return not_for_it("");
  std::size_t held = 0;
  for (const KeptThing& one : all) {
    const KeptThing thing = co_await find_reader(client, one, calls);
    if (thing.reading.is_null()) continue;
    Finding finding = co_await judge_kept(client, thing);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    held += finding.verdict == Verdict::kPass ? 1 : 0;
  }
  co_return held > 0 ? passes() : not_for_it("");
}

}  // namespace plumbline::conformance
