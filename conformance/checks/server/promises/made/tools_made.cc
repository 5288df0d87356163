// Whether what a tool has made can be read as it was made, changes only as it is told, and is gone
// once it was deleted. The judge reads, changes and deletes what it has made itself.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/learned_values.h"
#include "conformance/checks/server/promises/given_nothing.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/instants.h"
#include "conformance/checks/server/promises/kept_values.h"
#include "conformance/checks/server/promises/made/undone.h"
#include "conformance/checks/server/promises/made/undone_said.h"
#include "conformance/checks/server/promises/made_things.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/tool_arguments.h"
#include "conformance/peer/name_words.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kSearchersMax = 4;
constexpr std::size_t kChangesMax = 4;  // Of one updating tool: one for each parameter.
constexpr std::array<std::string_view, 6> kReadingVerbs = {"get",  "read",     "show",
                                                           "view", "describe", "fetch"};
constexpr std::array<std::string_view, 6> kDeletingVerbs = {"delete", "remove",     "destroy",
                                                            "drop",   "unregister", "erase"};
constexpr std::array<std::string_view, 4> kFindingVerbs = {"list", "search", "find", "query"};
constexpr std::array<std::string_view, 5> kUpdatingVerbs = {"update", "edit", "change", "modify",
                                                            "patch"};
constexpr std::array<std::string_view, 5> kHiddenWords = {"password", "secret", "token", "key",
                                                          "pin"};
// A server counts or stamps each change itself.
constexpr std::array<std::string_view, 5> kKeptByServers = {"version", "revision", "etag",
                                                            "updated", "modified"};
constexpr const char* kNothingMade = "no tool makes what another one takes";

bool is_reader(const Json& tool) {
  return starts_with_one_of(tool, kReadingVerbs) && !says_hint(tool, "readOnlyHint", false);
}

// has_reader returns whether any tool may read what has been made; else nothing is made at all.
bool has_reader(Probe& probe) {
  return std::ranges::any_of(probe.survey().tools.items, [&](const Json& tool) {
    return is_reader(tool) && probe.may_call(tool);
  });
}

// taker_among returns the first tool that takes what was made, of those that `fits`.
template <typename Fits>
const Json* taker_among(Probe& probe, const MadeThing& made, Fits fits) {
  for (const Json& tool : probe.survey().tools.items) {
    if (!fits(tool) || !probe.may_call(tool) || probe.disturbs(string_or(tool, "name", ""))) {
      continue;
    }
    if (!params_for(made, tool).is_null()) return &tool;
  }
  return nullptr;
}

// same_value returns whether a server may well say the one for the other: it trims texts, and
// writes a time in another way.
bool same_value(const Json& given, const Json& read) {
  if (given == read) return true;
  if (given.is_number() && read.is_number()) return false;
  if (!given.is_string() || !read.is_string()) return given.type() != read.type();
  const auto& one = given.get_ref<const std::string&>();
  const auto& other = read.get_ref<const std::string&>();
  if (lower_case(trimmed(one)) == lower_case(trimmed(other))) return true;
  return instant_of(one).has_value() || instant_of(other).has_value();
}

template <typename Words>
bool is_called(std::string_view name, const Words& words) {
  return std::ranges::any_of(words_of(name), [&words](const std::string& word) {
    return std::ranges::find(words, word) != std::ranges::end(words);
  });
}

// lost_in returns the name of the first argument that is read as another value; empty: none is.
std::string lost_in(const Json& read, const Json& params, const Json& told) {
  const Json* const arguments = find(params, "arguments");
  if (arguments == nullptr || !arguments->is_object() || !read.is_object()) return {};
  for (const auto& [name, value] : arguments->items()) {
    const Json* const now = find(read, name);
    if (now == nullptr || value.is_structured() || value.is_null() || is_called(name, kHiddenWords))
      continue;
    // Where the maker has answered with the other value, it has said what it made of it.
    const Json* const said = told.is_object() ? find(told, name) : nullptr;
    if (!same_value(value, *now) && (said == nullptr || *said != *now)) return name;
  }
  return {};
}

// ReadThing is a thing that was made, the call that reads it, and what that gave.
struct ReadThing {
  MadeThing thing;
  Json id;
  Json reading;
  Reply reply;
  bool there = false;
};

Task<ReadThing> make_and_read(Probe& probe, Client client, MadeThing maker) {
  ReadThing made;
  made.thing = co_await make_again(client, std::move(maker));
  if (made.thing.maker == nullptr) co_return std::move(made);
  const Json* const reader = taker_among(probe, made.thing, is_reader);
  if (reader == nullptr) co_return std::move(made);
  made.id = id_for(made.thing, *reader).value;
  made.reading = params_for(made.thing, *reader);
  made.reply = co_await client.request("tools/call", made.reading);
  made.there = has_gone_well(made.reply);
  co_return std::move(made);
}

Json read_of(const ReadThing& made, const Reply& reply) {
  return object_about(answer_in(reply), made.id);
}

// told_of_each makes one thing with each maker and has it judged, in a session of its own.
using Judge = Task<Finding> (*)(Probe& probe, Client client, ReadThing made);

Task<Finding> told_of_each(Probe& probe, Judge judge) {
  if (!has_reader(probe)) co_return not_for_it(kNothingMade);
  const Exercise& exercise = *co_await probe.exercise();
  const std::vector<MadeThing> all = makers(probe, exercise);
  if (all.empty()) co_return not_for_it(kNothingMade);
  Client client = co_await probe.open_in_turn("made things", probe.usual());
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  std::size_t judged = 0;
  for (const MadeThing& maker : all) {
    ReadThing made = co_await make_and_read(probe, client, maker);
    if (!made.there) continue;
    Finding finding = co_await judge(probe, client, std::move(made));
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    if (finding.verdict == Verdict::kPass) ++judged;
  }
  co_return judged > 0 ? passes() : not_for_it(kNothingMade);
}

Task<Finding> judge_as_given(Probe& /*probe*/, Client client, ReadThing made) {
  const Json read = read_of(made, made.reply);
  const Json& told = object_about(made.thing.answer, made.id);
  const std::string lost = lost_in(read, made.thing.params, told);
  if (lost.empty()) co_return passes();
  const Reply again = co_await client.request("tools/call", made.reading);
  if (!has_gone_well(again) || read_of(made, again) != read) co_return passes();
  co_return about(
      broken(tool_in(made.thing.params) + " was given \"" + shortened(lost) +
             "\": " + shortened(dump_json(made.thing.params["arguments"][lost])) + ", and " +
             tool_in(made.reading) + " reads that as " + shortened(dump_json(read[lost]))),
      again);
}

// finder_of returns the call of a tool that lists or searches by which something that was made may
// be found: by all that there is, or by a text that it was made with. Null: it is no such tool.
Json finder_of(Probe& probe, const MadeThing& made, const Json& tool) {
  const Json* const properties = properties_of(tool);
  if (!starts_with_one_of(tool, kFindingVerbs) || !probe.may_call(tool) || properties == nullptr)
    return nullptr;
  const Json* const required = at_pointer(tool, "/inputSchema/required");
  Json params = {{"name", string_or(tool, "name", "")}, {"arguments", Json::object()}};
  if (required == nullptr || required->empty()) return params;
  if (required->size() > 1 || !required->front().is_string()) return nullptr;
  const auto& parameter = required->front().get_ref<const std::string&>();
  const Json* const given = find(made.params, "arguments");
  if (!searches_by(parameter) || given == nullptr) return nullptr;
  for (const Json& value : *given) {
    if (!value.is_string()) continue;
    params["arguments"][parameter] = value;
    return params;
  }
  return nullptr;
}

// FoundBy is a call that finds what was made, and how it tells of it.
struct FoundBy {
  Json params;
  Json told;
};

Json told_by(const Reply& reply, const Json& id) {
  const Json answer = answer_in(reply);
  const Json& object = object_about(answer, id);
  return &object == &answer ? Json() : object;
}

Task<std::vector<FoundBy>> finders_of(Probe& probe, Client client, const ReadThing* made) {
  std::vector<FoundBy> found;
  for (const Json& tool : probe.survey().tools.items) {
    const Json params = finder_of(probe, made->thing, tool);
    if (params.is_null() || found.size() == kSearchersMax) continue;
    const Reply reply = co_await client.request("tools/call", params);
    Json told = has_gone_well(reply) ? told_by(reply, made->id) : Json();
    if (!told.is_null()) found.push_back({params, std::move(told)});
  }
  co_return found;
}

Task<Finding> judge_gone(Probe& probe, Client client, ReadThing made) {
  const auto deletes = [](const Json& tool) { return starts_with_one_of(tool, kDeletingVerbs); };
  const Json* const deleter = taker_among(probe, made.thing, deletes);
  if (deleter == nullptr) co_return not_for_it("");
  const std::vector<FoundBy> finders = co_await finders_of(probe, client, &made);
  const Reply deleted = co_await client.request("tools/call", params_for(made.thing, *deleter));
  if (!has_gone_well(deleted)) co_return not_for_it("");
  const Reply after = co_await client.request("tools/call", made.reading);
  // What is told otherwise may be told as deleted.
  for (const FoundBy& one : finders) {
    const Reply listed = co_await client.request("tools/call", one.params);
    if (!has_gone_well(listed) || told_by(listed, made.id) != one.told) continue;
    co_return about(broken(tool_in(one.params) + ", called with " + given_in(one.params) +
                           ", finds " + shortened(dump_json(made.id)) + " as before, when " +
                           quoted_name(*deleter) + " has deleted that"),
                    deleted, listed);
  }
  if (says_ids_once(*made.thing.maker)) {
    const ReadThing next = co_await make_and_read(probe, client, made.thing);
    if (!next.id.is_null() && next.id == made.id) {
      co_return broken(quoted_name(*made.thing.maker) + " says that it gives no id again, and " +
                       "gave " + shortened(dump_json(made.id)) + " once more, when " +
                       quoted_name(*deleter) + " had deleted that");
    }
  }
  if (!has_gone_well(after) || answer_in(after) != answer_in(made.reply)) co_return passes();
  co_return about(broken(tool_in(made.reading) + " answers a call of " + given_in(made.reading) +
                         " as before, when " + quoted_name(*deleter) +
                         " has deleted that; it is not deleted, or read from elsewhere"),
                  deleted, after);
}

Task<Finding> is_gone_when_deleted(Probe& probe) {
  Finding gone = co_await told_of_each(probe, judge_gone);
  if (gone.verdict == Verdict::kFail) co_return std::move(gone);
  Finding once = co_await gives_ids_once(probe);
  co_return once.verdict == Verdict::kSkip ? std::move(gone) : std::move(once);
}

// changed_value returns another value for a parameter than it has; null: none is known.
Json changed_value(const Json& tool, const std::string& name, const Json& now) {
  if (const Json* const choices = choices_of(tool, name)) {
    const auto other = std::ranges::find_if(*choices, [&](const Json& one) { return one != now; });
    return other == choices->end() ? Json() : *other;
  }
  const Json* const property = find(*properties_of(tool), name);
  if (property == nullptr || is_stated(*property)) return nullptr;
  const std::string type = string_or(*property, "type", "");
  if (type == "boolean" && now.is_boolean()) return !now.get<bool>();
  if (type == "string" && now.is_string()) return now.get<std::string>() + " again";
  const bool counts = type == "integer" || type == "number";
  if (counts && now.is_number_integer()) return now.get<std::int64_t>() + 1;
  return nullptr;
}

// changed_besides returns the other parameter of an updating tool whose value has changed though a
// call did not name it; empty: none has.
std::string changed_besides(const Json& tool, const std::string& told, const Json& before,
                            const Json& after) {
  for (const auto& [name, property] : properties_of(tool)->items()) {
    const Json* const was = find(before, name);
    const Json* const is = find(after, name);
    if (name == told || was == nullptr || was->is_null() || is_called(name, kKeptByServers))
      continue;
    if (is != nullptr && *is == *was) continue;
    if (is != nullptr || after.is_object()) return name;
  }
  return {};
}

Task<Finding> judge_change(Client client, ReadThing made, Json params, const Json* tool,
                           std::string name) {
  const Reply earlier = co_await client.request("tools/call", made.reading);
  const Reply changed = co_await client.request("tools/call", params);
  const Reply later = co_await client.request("tools/call", made.reading);
  if (!has_gone_well(earlier) || !has_gone_well(changed) || !has_gone_well(later)) {
    co_return not_for_it("");
  }
  const Json before = read_of(made, earlier);
  const Json after = read_of(made, later);
  if (!before.is_object() || !after.is_object()) co_return not_for_it("");
  const std::string besides = changed_besides(*tool, name, before, after);
  const std::string call = "a call of " + quoted_name(*tool) + " with " + given_in(params);
  if (!besides.empty()) {
    const Json* const is = find(after, besides);
    co_return about(broken(call + " names no \"" + besides + "\", and changed it from " +
                           shortened(dump_json(before[besides])) + " to " +
                           (is == nullptr ? "nothing" : shortened(dump_json(*is)))),
                    changed, later);
  }
  const Json* const now = find(after, name);
  if (now == nullptr || *now != before[name]) co_return passes();
  // What the tool says to have done is something else than what it was asked.
  const Json* const said = find(object_about(answer_in(changed), made.id), name);
  if (said != nullptr && *said == *now) co_return passes();
  co_return about(broken(call + " went well, and \"" + name + "\" is " +
                         shortened(dump_json(*now)) + " as before"),
                  changed, later);
}

// fill_lists puts a text into each list of texts that is empty: what is empty cannot be emptied.
Task<ReadThing> fill_lists(Client client, ReadThing made, const Json* tool) {
  const Json read = read_of(made, made.reply);
  Json params = params_for(made.thing, *tool);
  bool fills = false;
  for (const auto& [name, property] : properties_of(*tool)->items()) {
    const Json* const now = find(read, name);
    const Json* const type = at_pointer(property, "/items/type");
    if (now == nullptr || *now != Json::array() || type == nullptr || *type != "string") continue;
    params["arguments"][name] = Json::array({"sample"});
    fills = true;
  }
  if (!fills) co_return std::move(made);
  const Reply filled = co_await client.request("tools/call", params);
  if (!has_gone_well(filled)) co_return std::move(made);
  Reply again = co_await client.request("tools/call", made.reading);
  if (has_gone_well(again)) made.reply = std::move(again);
  co_return std::move(made);
}

Task<Finding> judge_updates(Probe& probe, Client client, ReadThing made) {
  const auto updates = [](const Json& tool) { return starts_with_one_of(tool, kUpdatingVerbs); };
  const Json* const tool = taker_among(probe, made.thing, updates);
  if (tool == nullptr || properties_of(*tool) == nullptr) co_return not_for_it("");
  made = co_await fill_lists(client, std::move(made), tool);
  const Json read = read_of(made, made.reply);
  if (!read.is_object()) co_return not_for_it("");
  std::size_t judged = 0;
  for (const auto& [name, property] : properties_of(*tool)->items()) {
    const Json* const now = find(read, name);
    Json params = params_for(made.thing, *tool);
    if (now == nullptr || params["arguments"].contains(name) || judged == kChangesMax) continue;
    Json value = changed_value(*tool, name, *now);
    if (value.is_null()) continue;
    params["arguments"][name] = std::move(value);
    Finding finding = co_await judge_change(client, made, std::move(params), tool, name);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    if (finding.verdict == Verdict::kPass) ++judged;
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

Task<Finding> changes_as_told(Probe& probe) {
  Finding made = co_await told_of_each(probe, judge_updates);
  if (made.verdict == Verdict::kFail) co_return std::move(made);
  Finding kept = co_await keeps_what_is_left_out(probe);
  if (kept.verdict == Verdict::kFail) co_return std::move(kept);
  Finding back = co_await brings_back_what_was(probe);
  if (back.verdict == Verdict::kFail) co_return std::move(back);
  Finding freed = co_await frees_what_was_taken(probe);
  if (freed.verdict == Verdict::kFail) co_return std::move(freed);
  if (back.verdict == Verdict::kSkip) back = std::move(freed);
  if (kept.verdict == Verdict::kSkip) kept = std::move(back);
  co_return kept.verdict == Verdict::kSkip ? std::move(made) : std::move(kept);
}

constexpr ServerCheck kToolsMadeChecks[] = {
    {"tools.changed-as-told", Eras::kBoth, SessionUse::kOpens, changes_as_told},
    {"tools.deleted-is-unknown", Eras::kBoth, SessionUse::kOpens, is_gone_when_deleted},
};

}  // namespace

Task<Finding> is_made_as_given(Probe& probe) {
  Finding read = co_await told_of_each(probe, judge_as_given);
  if (read.verdict == Verdict::kFail) co_return std::move(read);
  Finding nothing = co_await keeps_given_nothing(probe);
  co_return nothing.verdict == Verdict::kSkip ? std::move(read) : std::move(nothing);
}

ServerChecks tools_made_checks() { return kToolsMadeChecks; }

}  // namespace plumbline::conformance
