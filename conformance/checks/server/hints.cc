#include "conformance/checks/server/hints.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plumbline::conformance {

namespace {

struct Named {
  Shows what;
  std::string_view name;
  std::string_view does;  // "no tool is known to ..."
};

constexpr std::array kNames = {
    Named{Shows::kTime, "time", "take a while"},
    Named{Shows::kProgress, "progress", "report progress"},
    Named{Shows::kLogs, "logs", "log"},
    Named{Shows::kFailure, "failure", "fail whatever it is given"},
    Named{Shows::kNeedsCapability, "needs-capability", "need a capability of the client"},
    Named{Shows::kToolsChange, "tools-change", "change the list of tools"},
    Named{Shows::kPromptsChange, "prompts-change", "change the list of prompts"},
    Named{Shows::kResourcesChange, "resources-change", "change the list of resources"},
    Named{Shows::kResourceUpdate, "resource-update", "change a resource"},
    Named{Shows::kStreamEnd, "stream-end", "end its stream of events before the answer"},
    Named{Shows::kTask, "task", "become a task"},
    Named{Shows::kGuardedState, "guarded-state", "depend on its requestState"},
    Named{Shows::kQuestion, "question", "ask its client for something"},
    Named{Shows::kPrivate, "private", "be the first user's alone"},
    Named{Shows::kUser, "user", "say who its user is"},
    Named{Shows::kSecret, "secret", "need a secret of its user"},
    Named{Shows::kOnce, "once", "do something that may be done only once"},
    Named{Shows::kTaskBreaks, "task-breaks", "become a task about which nothing can be asked"},
};

// Fixture is a tool of the official suite, which many servers have to be tested by it.
struct Fixture {
  std::string_view tool;
  std::array<std::optional<Shows>, 2> shows;
  std::string_view resource = {};
};

constexpr std::array kFixtures = {
    Fixture{"test_tool_with_progress", {Shows::kProgress, Shows::kTime}},
    Fixture{"test_tool_with_logging", {Shows::kLogs}},
    Fixture{"test_error_handling", {Shows::kFailure}},
    Fixture{"test_missing_capability", {Shows::kNeedsCapability}},
    Fixture{"test_trigger_tool_change", {Shows::kToolsChange}},
    Fixture{"test_trigger_prompt_change", {Shows::kPromptsChange}},
    Fixture{"test_trigger_resource_list_change", {Shows::kResourcesChange}},
    Fixture{"test_trigger_resource_change", {Shows::kResourceUpdate}, "test://watched-resource"},
    Fixture{"test_slow_resource_change",
            {Shows::kResourceUpdate, Shows::kTime},
            "test://watched-resource"},
    Fixture{"test_reconnection", {Shows::kStreamEnd}},
    Fixture{"slow_compute", {Shows::kTask}},
    Fixture{"test_tool_with_task", {Shows::kTask}},
    Fixture{"test_input_required_result_tampered_state", {Shows::kGuardedState}},
};

const Named& row_of(Shows what) {
  return *std::ranges::find(kNames, what, [](const Named& each) { return each.what; });
}

std::string all_names() {
  std::string names;
  for (const Named& each : kNames) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

Error wrong(std::string where, std::string expected) {
  return Error{ErrorCode::kInvalidInput, std::move(where) + ": expected " + std::move(expected)};
}

Status read_shows(const std::string& where, const Json& list, std::set<Shows>& into) {
  if (!list.is_array()) return wrong(where, "an array of " + all_names());
  for (const Json& item : list) {
    const auto found = std::ranges::find_if(
        kNames, [&](const Named& each) { return item == Json(std::string(each.name)); });
    if (found == kNames.end()) return wrong(where, "one of " + all_names());
    into.insert(found->what);
  }
  return Done{};
}

Status read_member(const std::string& where, const std::string& key, const Json& value,
                   Hint& into) {
  if (key == "call") {
    if (!value.is_boolean()) return wrong(where, "true or false");
    into.call = value.get<bool>();
  } else if (key == "arguments") {
    if (!value.is_object()) return wrong(where, "an object");
    into.arguments = value;
  } else if (key == "shows") {
    return read_shows(where, value, into.shows);
  } else if (key == "resource") {
    if (!value.is_string()) return wrong(where, "a URI");
    into.resource = value.get<std::string>();
  } else {
    return wrong(where, "one of call, arguments, shows, resource");
  }
  return Done{};
}

Status read_tools(const Json& tools, std::vector<Hints::Named>& named) {
  if (!tools.is_object()) return wrong("/tools", "an object, a tool's name for each key");
  for (const auto& [tool, members] : tools.items()) {
    const std::string where = "/tools/" + tool;
    if (!members.is_object()) return wrong(where, "an object");
    named.push_back({tool, {}});
    for (const auto& [member, value] : members.items()) {
      const Status read = read_member(where + "/" + member, member, value, named.back().hint);
      if (!read.ok()) return read.error();
    }
    const Hint& hint = named.back().hint;
    if (hint.shows.contains(Shows::kResourceUpdate) && hint.resource.empty()) {
      return wrong(where, "\"resource\", the URI of what it updates");
    }
  }
  return Done{};
}

Status read_completions(const Json& list, std::vector<PrivateCompletion>& into) {
  if (!list.is_array()) return wrong("/completions", "an array");
  for (const Json& item : list) {
    const std::string where = "/completions/" + std::to_string(into.size());
    const Json* const ref = find(item, "ref");
    const Json* const argument = find(item, "argument");
    const Json* const values = find(item, "private");
    if (ref == nullptr || argument == nullptr || values == nullptr || !values->is_array() ||
        values->empty()) {
      return wrong(where, "ref, argument and private, an array of values");
    }
    PrivateCompletion completion;
    completion.params["ref"] = *ref;
    completion.params["argument"] = *argument;
    for (const Json& value : *values) {
      if (!value.is_string()) return wrong(where + "/private", "an array of strings");
      completion.values.push_back(value.get<std::string>());
    }
    into.push_back(std::move(completion));
  }
  return Done{};
}

}  // namespace

std::string_view name_of(Shows what) { return row_of(what).name; }

Hints::Hints() {
  for (const Fixture& fixture : kFixtures) {
    Hint hint;
    for (const std::optional<Shows>& what : fixture.shows) {
      if (what) hint.shows.insert(*what);
    }
    hint.resource = fixture.resource;
    all_.push_back({std::string(fixture.tool), std::move(hint)});
  }
}

Result<Hints> Hints::read(const Json& file) {
  if (!file.is_object()) return wrong("the file", "an object with \"tools\"");
  Hints hints;
  std::vector<Named> named;
  for (const auto& [key, value] : file.items()) {
    Status read = Done{};
    if (key == "tools") {
      read = read_tools(value, named);
    } else if (key == "completions") {
      read = read_completions(value, hints.completions_);
    } else {
      return wrong("/" + key, "\"tools\" or \"completions\"");
    }
    if (!read.ok()) return read.error();
  }
  hints.all_.insert(hints.all_.begin(), named.begin(), named.end());
  return hints;
}

const Hint* Hints::of(std::string_view tool) const {
  const auto found = std::ranges::find(all_, tool, &Named::tool);
  return found == all_.end() ? nullptr : &found->hint;
}

bool Hints::disturbs(std::string_view tool) const {
  static constexpr std::array kDisturbing = {Shows::kToolsChange, Shows::kPromptsChange,
                                             Shows::kResourcesChange, Shows::kResourceUpdate,
                                             Shows::kStreamEnd};
  const Hint* const hint = of(tool);
  return hint != nullptr &&
         std::ranges::any_of(kDisturbing, [&](Shows what) { return hint->shows.contains(what); });
}

Finding needs(Shows what) {
  Finding finding =
      not_for_it("no tool is known to " + std::string(row_of(what).does) + "; --hint names one");
  finding.reason = kWantsHint;
  return finding;
}

}  // namespace plumbline::conformance
