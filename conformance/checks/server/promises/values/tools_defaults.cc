// Whether what a tool does without an argument is what its schema says of it, and whether a trial
// run changes nothing. No clause says so much: defaults and descriptions are promises of the tool.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/values/said_defaults.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/tool_arguments.h"
#include "conformance/peer/name_words.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kDefaultsMax = 12;
constexpr std::size_t kTrialRunsMax = 4;
constexpr std::size_t kShowingCallsMax = 8;  // Calls that show what there is.
constexpr std::size_t kBroughtMax = 8;  // Calls that bring about something that can be changed.

// Names of a switch with which nothing is done, by their words.
constexpr std::array<std::string_view, 9> kTrials = {
    "dry run",    "dryrun",        "preview",       "simulate",    "what if",
    "check only", "validate only", "simulate only", "preview only"};
// Likewise, where a description says that nothing is done with it.
constexpr std::array<std::string_view, 8> kMaybeTrials = {"test", "trial", "validate", "check",
                                                          "plan", "noop",  "no op",    "test only"};
// Names of a switch without which nothing is done, where a description says so.
constexpr std::array<std::string_view, 6> kDoing = {"apply", "commit",  "execute",
                                                    "write", "persist", "save"};
constexpr std::array<std::string_view, 12> kNothingDone = {
    "nothing is ",    "without saving", "without storing", "without writing",
    "without chang",  "without making", "without apply",   "without execut",
    "does not store", "do not store",   "no changes",      "dry run"};

// means_something returns whether a default is a value that one would choose: neither null nor an
// empty text, which stand for none.
bool means_something(const Json& value) {
  return value.is_boolean() || value.is_number() || (value.is_string() && value != "");
}

// Stated is a call of a tool without a parameter that has a default, in its schema or in words.
struct Stated {
  Json params;
  std::string name;
  Json value;
  bool reads = false;
};

std::vector<Stated> stated_defaults(Probe& probe, const Exercise& exercise) {
  std::vector<Stated> found;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string called = string_or(tool, "name", "");
    const Json* const properties = properties_of(tool);
    const std::vector<const Call*> calls = good_calls(exercise, called);
    if (properties == nullptr || calls.empty() || probe.disturbs(called)) continue;
    for (const auto& [name, property] : properties->items()) {
      const Json* const declared = find(property, "default");
      const Json value = declared != nullptr ? *declared : default_in_words(tool, name, property);
      if (!means_something(value) || found.size() == kDefaultsMax) continue;
      Json params = calls.front()->params;
      if (!params.contains("arguments")) params["arguments"] = Json::object();
      params["arguments"].erase(name);
      found.push_back({std::move(params), name, value, says_hint(tool, "readOnlyHint", true)});
    }
  }
  return found;
}

// named_in_answer returns the first member of this name in an answer; nullptr: none has it.
const Json* named_in_answer(const Json& answer, const std::string& name) {
  if (!answer.is_structured()) return nullptr;
  if (const Json* const own = find(answer, name)) return own;
  for (const Json& inside : answer) {
    if (const Json* const found = named_in_answer(inside, name)) return found;
  }
  return nullptr;
}

// other_than_stated says how an answer without a parameter shows that another value was used than
// its default; empty: it does not.
std::string other_than_stated(const Stated& stated, const Json& without, const Json& with) {
  const Json* const used = named_in_answer(without, stated.name);
  const Json* const asked = named_in_answer(with, stated.name);
  if (used != nullptr && asked != nullptr && *asked == stated.value && *used != stated.value) {
    return "\"" + stated.name + "\" is " + shortened(dump_json(*used)) + " in its answer";
  }
  if (!stated.reads || without == with) return {};
  const FirstDifference difference = first_difference_of(without, with);
  return tells_of_time(difference) ? std::string() : "without it and with it " + shown(difference);
}

Task<Finding> judge_default(Client client, Stated stated) {
  Json given = stated.params;
  given["arguments"][stated.name] = stated.value;
  const Reply without = co_await client.request("tools/call", stated.params);
  const Reply with = co_await client.request("tools/call", given);
  if (!has_gone_well(without) || !has_gone_well(with)) co_return not_for_it("");
  const Json answer = answer_in(without);
  const std::string other = other_than_stated(stated, answer, answer_in(with));
  if (other.empty()) co_return passes();
  // What changes by itself is no sign of anything.
  const Reply again = co_await client.request("tools/call", stated.params);
  if (stated.reads && answer_in(again) != answer) co_return not_for_it("");
  co_return about(
      broken(tool_in(stated.params) + " says that \"" + shortened(stated.name) + "\" is " +
             shortened(dump_json(stated.value)) + " where it is left out, and " + other),
      without, with);
}

Task<Finding> keeps_its_defaults(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  const std::vector<Stated> all = stated_defaults(probe, exercise);
  if (all.empty()) co_return not_for_it("no tool that has answered has a default");
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  std::size_t judged = 0;
  for (const Stated& stated : all) {
    Finding finding = co_await judge_default(client, stated);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    if (finding.verdict == Verdict::kPass) ++judged;
  }
  co_return judged > 0 ? passes() : not_for_it("no tool answers with its default and without it");
}

// TrialRun is a call of a tool with its switch for nothing being done.
struct TrialRun {
  Json params;
  std::string name;
};

// says_nothing_is_done returns whether a text says so of a call.
bool says_nothing_is_done(const Json& tool, const Json& property) {
  std::string text = lower_case(string_or(property, "description", ""));
  text += " " + lower_case(string_or(tool, "description", ""));
  return mentions_any(text, kNothingDone);
}

// trial_value returns the value of a parameter with which nothing is to be done; null: it is no
// such switch.
Json trial_value(const Json& tool, const std::string& name, const Json& property) {
  const auto is_one_of = [](std::string_view words, const auto& all) {
    return std::ranges::find(all, words) != std::ranges::end(all);
  };
  const std::string words = spaced_words_of(name);
  if (string_or(property, "type", "") == "boolean") {
    if (is_one_of(words, kTrials)) return true;
    if (!says_nothing_is_done(tool, property)) return nullptr;
    if (is_one_of(words, kMaybeTrials)) return true;
    return is_one_of(words, kDoing) ? Json(false) : Json();
  }
  const Json* const choices = choices_of(tool, name);
  for (const Json& choice : choices == nullptr ? Json::array() : *choices) {
    const bool text = choice.is_string();
    if (text && is_one_of(spaced_words_of(choice.get<std::string>()), kTrials)) return choice;
  }
  return nullptr;
}

// value_called returns a text for a field of this name: one that a tool lists, or a made-up one.
std::string value_called(Probe& probe, const std::string& name) {
  for (const Json& tool : probe.survey().tools.items) {
    const Json* const properties = properties_of(tool);
    const Json* const property = properties == nullptr ? nullptr : find(*properties, name);
    if (property == nullptr) continue;
    const Json* const choices = choices_of(tool, name);
    if (choices != nullptr && choices->back().is_string()) return choices->back();
    const std::string type = string_or(*property, "type", "");
    if (type == "integer" || type == "number") return "1";
  }
  return "plumbline " + probe.revision();
}

// filled_form writes a line of a form that a description gives: "lines of the form name,lang,text";
// empty: it gives none.
std::string filled_form(Probe& probe, std::string_view description) {
  while (!description.empty()) {
    const std::size_t end = std::min(description.find_first_of(" \n\"'`()"), description.size());
    std::string_view form = description.substr(0, end);
    description.remove_prefix(std::min(end + 1, description.size()));
    while (form.ends_with('.') || form.ends_with(',') || form.ends_with(':')) form.remove_suffix(1);
    const std::size_t at = form.find_first_of(",;|");
    const bool plain = std::ranges::all_of(form, [&](char c) {
      return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0 ||
             (at != std::string_view::npos && c == form[at]);
    });
    if (at == std::string_view::npos || at == 0 || !plain) continue;
    const char separator = form[at];
    std::string line;
    while (!form.empty()) {
      const std::size_t next = std::min(form.find(separator), form.size());
      line += value_called(probe, std::string(form.substr(0, next)));
      if (next < form.size()) line += separator;
      form.remove_prefix(std::min(next + 1, form.size()));
    }
    return line;
  }
  return {};
}

// trial_params returns the params of a call that has gone well, or of one that may, with each text
// whose form is given written in that form.
Json trial_params(Probe& probe, const Exercise& exercise, const Json& tool) {
  Json params = known_params(probe, exercise, tool);
  if (params.is_null()) params = probe.call_params(tool);
  if (!params["arguments"].is_object()) params["arguments"] = Json::object();
  for (const auto& [name, value] : params["arguments"].items()) {
    const Json* const property = find(*properties_of(tool), name);
    if (!value.is_string() || property == nullptr || is_stated(*property)) continue;
    std::string line = filled_form(probe, string_or(*property, "description", ""));
    if (line.empty()) line = filled_form(probe, string_or(tool, "description", ""));
    if (!line.empty()) value = line;
  }
  return params;
}

std::vector<TrialRun> trials_of(Probe& probe, const Exercise& exercise) {
  std::vector<TrialRun> found;
  for (const Json& tool : probe.survey().tools.items) {
    const Json* const properties = properties_of(tool);
    if (properties == nullptr || says_hint(tool, "readOnlyHint", true)) continue;
    if (!probe.may_call(tool) || probe.disturbs(string_or(tool, "name", ""))) continue;
    for (const auto& [name, property] : properties->items()) {
      const Json value = trial_value(tool, name, property);
      if (value.is_null()) continue;
      if (found.size() == kTrialRunsMax) break;
      Json params = trial_params(probe, exercise, tool);
      params["arguments"][name] = value;
      found.push_back({std::move(params), name});
    }
  }
  return found;
}

std::string called_to_try(const TrialRun& trial) {
  return "a call of \"" + shortened(string_or(trial.params, "name", "")) + "\" with \"" +
         trial.name + "\": " + dump_json(trial.params["arguments"][trial.name]);
}

// judge_trial_again makes the same trial twice more: what nothing was done by is answered alike.
// Who answers otherwise each time counts, and proves nothing; nor does a limit of calls.
Task<Finding> judge_trial_again(Client client, TrialRun trial, Reply first) {
  const Reply second = co_await client.request("tools/call", trial.params);
  const Reply third = co_await client.request("tools/call", trial.params);
  const bool decided = has_gone_well(second) || is_refused(second);
  if (!decided || answer_in(second) != answer_in(third)) co_return not_for_it("");
  const FirstDifference difference = first_difference_of(answer_in(first), answer_in(second));
  if (!difference.any || tells_of_time(difference)) co_return passes();
  co_return about(broken(called_to_try(trial) + ", made again, is answered otherwise: " +
                         shown(difference) + "; the first has changed something"),
                  first, second);
}

// bring_about makes again the calls of tools that write, so that there is something to change.
Task<void> bring_about(Probe& probe, Client client) {
  const Exercise& exercise = *co_await probe.exercise();
  std::size_t made = 0;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const bool writes = !says_hint(tool, "readOnlyHint", true);
    if (!writes || says_hint(tool, "destructiveHint", true) || probe.disturbs(name)) continue;
    for (const Call* const call : good_calls(exercise, name)) {
      if (made++ == kBroughtMax) co_return;
      Json params = call->params;
      co_await client.request("tools/call", std::move(params));
    }
  }
}

Task<Finding> judge_trial(Client client, TrialRun trial, std::vector<Json> calls) {
  const std::vector<Json> earlier = co_await answers_to(client, calls);
  const std::vector<Json> before = co_await answers_to(client, calls);
  const Reply reply = co_await client.request("tools/call", trial.params);
  if (!has_gone_well(reply)) co_return not_for_it("");
  const std::vector<Json> after = co_await answers_to(client, calls);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const FirstDifference difference = first_difference_of(before[i], after[i]);
    if (!difference.any || earlier[i] != before[i] || tells_of_time(difference)) continue;
    co_return about(
        broken(called_to_try(trial) + " changed what \"" +
               shortened(string_or(calls[i], "name", "")) + "\" answers: " + shown(difference)),
        reply);
  }
  co_return co_await judge_trial_again(client, std::move(trial), reply);
}

Task<Finding> tries_and_changes_nothing(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  const std::vector<TrialRun> trials = trials_of(probe, exercise);
  if (trials.empty()) co_return not_for_it("no tool that may be called has a switch to try alone");
  const std::vector<Json> calls = reading_calls(probe, exercise, kShowingCallsMax);
  Client client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  co_await bring_about(probe, client);
  std::size_t judged = 0;
  for (const TrialRun& trial : trials) {
    Finding finding = co_await judge_trial(client, trial, calls);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    if (finding.verdict == Verdict::kPass) ++judged;
  }
  co_return judged > 0 ? passes() : not_for_it("no trial of a tool went well");
}

constexpr ServerCheck kToolsDefaultsChecks[] = {
    {"tools.defaults-as-declared", Eras::kBoth, SessionUse::kOpens, keeps_its_defaults},
    {"tools.trial-changes-nothing", Eras::kBoth, SessionUse::kOpens, tries_and_changes_nothing},
};

}  // namespace

ServerChecks tools_defaults_checks() { return kToolsDefaultsChecks; }

}  // namespace plumbline::conformance
