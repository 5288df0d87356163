// Whether what tools say of themselves in "annotations" holds: schema, ToolAnnotations. Lists of
// the server, and what its tools list, are compared around calls.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/listings.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/tools_deleting.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kTrialsMax = 12;
constexpr std::size_t kListersMax = 3;
constexpr std::size_t kArgumentBytesMin = 2;  // A shorter text stands in anything.
constexpr std::size_t kNamingBytesMin = 4;    // Of a text that tells which one was meant.

constexpr const char* kNoPromise = "no tool that was called promises anything";

// Sight is what one list gave at one time: the items of a list, or what a tool has answered.
struct Sight {
  std::string name;  // "resources/list", or of a tool.
  bool whole = false;
  bool chooses = false;                  // Whether it gives a part alone, by what it is asked for.
  std::vector<Json> items;               // Of a list.
  std::vector<std::string> ids;          // Theirs.
  std::string text;                      // What the tool answered.
  std::size_t objects = 0;               // In that.
  std::vector<std::size_t> places = {};  // In the log: of how it came.
  bool paged = false;                    // On several pages.
};

using Sights = std::vector<Sight>;

// Trial is a call, and what is said of its tool.
struct Trial {
  std::string tool;
  Json params;
  bool reads_only = false;
  bool only_adds = false;  // destructiveHint: false
  bool repeats = false;    // idempotentHint: true
};

std::size_t objects_in(const Json& value) {
  std::size_t count = 0;
  if (!value.is_structured()) return count;
  for (const Json& member : value) count += objects_in(member) + (member.is_object() ? 1 : 0);
  return count;
}

std::string between_quotes(std::string_view text) { return "\"" + shortened(text) + "\""; }

// trials returns the calls whose tools promise something, at most kTrialsMax.
std::vector<Trial> trials(Probe& probe, const Exercise& exercise) {
  std::vector<Trial> found;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    if (probe.disturbs(name) || !probe.may_call(tool)) continue;
    Trial trial{name, {}, says_hint(tool, "readOnlyHint", true)};
    trial.only_adds = !trial.reads_only && says_hint(tool, "destructiveHint", false);
    trial.repeats = !trial.reads_only && says_hint(tool, "idempotentHint", true);
    if (!trial.reads_only && !trial.only_adds && !trial.repeats) continue;
    for (const Call* const call : good_calls(exercise, name)) {
      if (found.size() == kTrialsMax) return found;
      found.push_back(trial);
      found.back().params = call->params;
    }
  }
  return found;
}

// listers returns calls of tools that read and need no arguments: what they give is a list as well.
std::vector<Json> listers(Probe& probe, const Exercise& exercise) {
  std::vector<Json> found;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const bool reads = says_hint(tool, "readOnlyHint", true) && probe.may_call(tool);
    if (!reads || keeps_a_record(name)) continue;
    const Json* const required = at_pointer(tool, "/inputSchema/required");
    const std::vector<const Call*> calls = good_calls(exercise, name);
    if (calls.empty() || found.size() == kListersMax) continue;
    if (required == nullptr || required->empty()) found.push_back(calls.front()->params);
  }
  return found;
}

// chooses returns whether a tool has a parameter by which it may leave something out unasked: what
// is closed is not gone, and no longer among what is open.
bool chooses(const Json* tool) {
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return false;
  return std::ranges::any_of(*properties, [](const Json& property) {
    return find(property, "enum") != nullptr || string_or(property, "type", "") == "boolean";
  });
}

Sight sight_of(const Json* tool, const std::string& name, const Reply& reply) {
  Sight sight{name, reply.result() != nullptr, chooses(tool), {}, {}, {}, 0, reply.places};
  if (!sight.whole) return sight;
  const Json& result = *reply.result();
  sight.text = dump_json(result);
  sight.objects = objects_in(result);
  const Json* const content = find(result, "content");
  if (content == nullptr || !content->is_array()) return sight;
  for (const Json& block : *content) {
    const Result<Json> inside = parse_json(string_or(block, "text", ""));
    if (inside.ok()) sight.objects += objects_in(inside.value());
  }
  return sight;
}

// look returns what all lists of the server give now.
Task<Sights> look(Probe& probe, Client client, std::vector<Json> listers) {
  Sights sights;
  for (const char* const feature : {"resources", "prompts"}) {
    if (!probe.survey().declares("/" + std::string(feature))) continue;
    const std::string method = std::string(feature) + "/list";
    Listing list = co_await list_all(client.session(), probe.check(), method, feature);
    const bool resources = std::string_view(feature) == "resources";
    Sight sight{method,
                list.whole,
                false,
                list.items,
                values_of(list, resources ? "uri" : "name"),
                {},
                0,
                list.pages.empty() ? std::vector<std::size_t>() : list.pages.back().places};
    sight.paged = list.pages.size() > 1;
    sights.push_back(std::move(sight));
  }
  for (Json& lister : listers) {
    const std::string tool = string_or(lister, "name", "");
    const Reply reply = co_await client.request("tools/call", std::move(lister));
    sights.push_back(sight_of(probe.survey().tool(tool), tool, reply));
  }
  co_return sights;
}

bool same(const Sight& one, const Sight& other) {
  return one.ids == other.ids && one.text == other.text;
}

// texts_of returns the texts that a tool was called with.
std::vector<std::string> texts_of(const Json& params) {
  std::vector<std::string> texts;
  const Json* const arguments = find(params, "arguments");
  if (arguments == nullptr || !arguments->is_object()) return texts;
  for (const Json& value : *arguments) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text != nullptr && text->size() >= kArgumentBytesMin) texts.push_back(*text);
  }
  return texts;
}

bool names_one(std::string_view text, const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [&](const std::string& word) { return mentions(text, word); });
}

// added_again returns what the same call has added once more; empty: nothing.
std::string added_again(const Sight& before, const Sight& after) {
  for (const std::string& id : after.ids) {
    if (std::ranges::find(before.ids, id) == before.ids.end()) return between_quotes(id);
  }
  return after.objects > before.objects ? "one more" : "";
}

constexpr std::string_view kSomething = "something";

// taken_off returns what a list has no longer, kSomething where only its number tells; empty:
// nothing.
std::string taken_off(const Sight& before, const Sight& after,
                      const std::vector<std::string>& texts) {
  // Of pages, what has come may have moved something out of sight.
  if (before.paged && !added_again(before, after).empty()) return {};
  for (const std::string& id : before.ids) {
    if (std::ranges::find(after.ids, id) == after.ids.end()) return id;
  }
  if (before.chooses) return {};
  for (const std::string& text : texts) {
    if (mentions(before.text, text) && !mentions(after.text, text)) return text;
  }
  return std::string(after.objects < before.objects ? kSomething : "");
}

// added returns what a list has besides, of those that the arguments name; empty: nothing. What the
// call itself hands out is its result, kept to be read.
std::string added(const Sight& before, const Sight& after, const std::vector<std::string>& texts,
                  std::string_view result) {
  for (std::size_t i = 0; i < std::min(after.ids.size(), after.items.size()); ++i) {
    const bool there = std::ranges::find(before.ids, after.ids[i]) != before.ids.end();
    if (!there && !mentions(result, after.ids[i]) && names_one(dump_json(after.items[i]), texts))
      return between_quotes(after.ids[i]);
  }
  for (const std::string& text : texts) {
    if (!mentions(before.text, text) && mentions(after.text, text)) return between_quotes(text);
  }
  return {};
}

// stands_elsewhere returns whether a list still has what another has no longer: what was filled up
// is not gone, and no longer among what is low.
bool stands_elsewhere(const std::string& gone, const Sights& all) {
  return std::ranges::any_of(all, [&](const Sight& sight) {
    return mentions(sight.text, gone) || std::ranges::find(sight.ids, gone) != sight.ids.end();
  });
}

// told returns which of its hints a call of a tool gives the lie, by one list and `all` that there
// are after it; empty: none.
std::string told(const Trial& trial, const Sight& before, const Sight& after, const Sights& all,
                 bool apart, std::string_view result) {
  const std::vector<std::string> texts = texts_of(trial.params);
  const std::string gone = taken_off(before, after, texts);
  const std::string come = trial.reads_only ? added(before, after, texts, result) : "";
  // Where others use the server as well, they may have done what the call does not name.
  const bool known = apart || names_one(gone, texts);
  const char* const hint = trial.reads_only ? "readOnlyHint: true" : "destructiveHint: false";
  if (!trial.reads_only && !trial.only_adds) return {};
  const bool destroyed = trial.reads_only || !stands_elsewhere(gone, all);
  if (!gone.empty() && known && destroyed) {
    const std::string what = gone == kSomething ? gone : between_quotes(gone);
    return std::string("says ") + hint + ", and a call of it took " + what + " off " + before.name;
  }
  if (come.empty()) return {};
  return std::string("says ") + hint + ", and a call of it added " + come + " to " + before.name;
}

// unlike tells of the first that stood still before a call, and of which `lie` tells something.
template <typename Lie>
Finding unlike(const Sights& earlier, const Sights& before, const Sights& after, Lie lie) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool whole = earlier[i].whole && before[i].whole && after[i].whole;
    if (!whole || !same(earlier[i], before[i]) || same(before[i], after[i])) continue;
    const std::string what = lie(before[i], after[i]);
    if (what.empty()) continue;
    Finding finding = broken(what);
    finding.about = after[i].places;
    return finding;
  }
  return passes();
}

// called_again makes a call that may be repeated once more: what it has done it does not do again.
Task<Finding> called_again(Probe& probe, Client client, Trial trial, std::vector<Json> listers,
                           Sights after) {
  const Reply again = co_await client.request("tools/call", trial.params);
  if (again.result() == nullptr) co_return passes();
  const Sights then = co_await look(probe, client, std::move(listers));
  co_return unlike(after, after, then, [&](const Sight& one, const Sight& other) {
    const std::string more = added_again(one, other);
    if (more.empty()) return more;
    return "the tool " + between_quotes(trial.tool) +
           " says idempotentHint: true, and the same call of it again added " + more + " to " +
           one.name;
  });
}

// judge_trial makes one call and looks at all lists before and after it.
Task<Finding> judge_trial(Probe& probe, Client client, Trial trial, std::vector<Json> listers) {
  const bool apart = probe.over_stdio();
  const Sights earlier = co_await look(probe, client, listers);
  const Sights before = co_await look(probe, client, listers);
  const Reply reply = co_await client.request("tools/call", trial.params);
  if (reply.result() == nullptr) co_return passes();
  const Sights after = co_await look(probe, client, listers);
  const std::string result = dump_json(*reply.result());
  Finding finding = unlike(earlier, before, after, [&](const Sight& one, const Sight& other) {
    const std::string what = told(trial, one, other, after, apart, result);
    return what.empty() ? what : "the tool " + between_quotes(trial.tool) + " " + what;
  });
  if (finding.verdict != Verdict::kPass) {
    finding.about.insert(finding.about.begin(), reply.places.begin(), reply.places.end());
  } else if (trial.repeats && apart) {
    finding = co_await called_again(probe, client, std::move(trial), std::move(listers), after);
  }
  co_return std::move(finding);
}

// stands_still calls all tools that only read, and returns whether no list has changed with that.
Task<bool> stands_still(Probe& probe, Client client, std::vector<Trial> trials,
                        std::vector<Json> listers) {
  const Sights before = co_await look(probe, client, listers);
  for (Trial& trial : trials) {
    co_await client.request("tools/call", std::move(trial.params));
  }
  const Sights after = co_await look(probe, client, listers);
  co_return std::ranges::equal(before, after, same);
}

// names_it returns whether a call named `id`.
bool names_it(const Call& call, std::string_view id) {
  return std::ranges::any_of(texts_of(call.params), [&](const std::string& text) {
    return text.size() >= kNamingBytesMin && mentions(id, text);
  });
}

// taker_of returns the call of a tool that only reads which alone named what is gone; nullptr:
// there is none, or another tool named it as well. The call itself may have failed: that of another
// revision has come before it.
const Call* taker_of(Probe& probe, const Exercise& exercise, const std::string& id) {
  const Call* taker = nullptr;
  for (const Call& call : exercise.calls) {
    const bool calls = call.method == "tools/call" && names_it(call, id);
    const Json* const tool =
        calls ? probe.survey().tool(string_or(call.params, "name", "")) : nullptr;
    if (tool == nullptr) continue;
    const std::string before = taker == nullptr ? "" : string_or(taker->params, "name", "");
    const bool another = taker != nullptr && before != string_or(*tool, "name", "");
    if (another || !says_hint(*tool, "readOnlyHint", true)) return nullptr;
    taker = &call;
  }
  return taker;
}

// Where all connections see the same, what a tool takes off its lists is off them before this check
// begins: what was listed first is compared with what is listed now.
Task<Finding> took_nothing_off(Probe& probe, Client client, const Exercise* exercise) {
  const Survey& survey = probe.survey();
  if (!survey.declares("/resources") || !survey.resources.whole) co_return passes();
  const Listing now =
      co_await list_all(client.session(), probe.check(), "resources/list", "resources");
  if (!now.whole) co_return passes();
  const std::vector<std::string> left = values_of(now, "uri");
  for (const std::string& uri : values_of(survey.resources, "uri")) {
    if (std::ranges::find(left, uri) != left.end()) continue;
    const Call* const taker = taker_of(probe, *exercise, uri);
    if (taker == nullptr) continue;
    const std::string tool = string_or(taker->params, "name", "");
    co_return about(broken("the tool " + between_quotes(tool) +
                           " says readOnlyHint: true, and since a call of it " +
                           between_quotes(uri) + " is no longer in resources/list"),
                    now.pages.back());
  }
  co_return passes();
}

// A process of its own, over stdio, has everything that others have taken off already.
Task<Finding> lists_are_as_it_says(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  const std::vector<Trial> all = trials(probe, exercise);
  const std::vector<Json> lists = listers(probe, exercise);
  const bool listed = probe.survey().declares("/resources") || probe.survey().declares("/prompts");
  if (lists.empty() && !listed) co_return not_for_it("it has no list that could change");
  if (all.empty() && probe.over_stdio()) co_return not_for_it(kNoPromise);
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  if (!probe.over_stdio()) {
    Finding taken = co_await took_nothing_off(probe, client, &exercise);
    if (taken.verdict != Verdict::kPass) co_return std::move(taken);
    if (all.empty()) co_return not_for_it(kNoPromise);
  }
  const bool read = std::ranges::all_of(all, [](const Trial& one) { return one.reads_only; });
  if (read) {
    const bool still = co_await stands_still(probe, client, all, lists);
    if (still) co_return passes();
    client = co_await probe.open(probe.usual());
    if (!client.session().usable()) co_return undecided("it could not be opened again");
  }
  for (const Trial& trial : all) {
    Finding finding = co_await judge_trial(probe, client, trial, lists);
    if (finding.verdict != Verdict::kPass) co_return std::move(finding);
  }
  co_return passes();
}

Task<Finding> is_as_it_says(Probe& probe) {
  Finding listed = co_await lists_are_as_it_says(probe);
  if (listed.verdict == Verdict::kFail) co_return std::move(listed);
  Finding destroyed = co_await destroys_nothing(probe);
  co_return destroyed.verdict == Verdict::kSkip ? std::move(listed) : std::move(destroyed);
}

constexpr ServerCheck kToolsHintsChecks[] = {
    {"tools.annotations-hold", Eras::kBoth, SessionUse::kOpens, is_as_it_says},
};

}  // namespace

ServerChecks tools_hints_checks() { return kToolsHintsChecks; }

}  // namespace plumbline::conformance
