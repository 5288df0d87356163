#include "conformance/checks/server/exercise.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/exercise_run.h"
#include "conformance/peer/answers.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kToolsMax = 60;
constexpr std::size_t kPromptsMax = 30;
constexpr std::size_t kResourcesMax = 30;
constexpr Duration kBusy = std::chrono::milliseconds(30);
constexpr std::size_t kLanesMax = 10;
constexpr std::size_t kLanesSlow = 3;  // Processes that take their time to start.

Json prompt_params(const Json& prompt) {
  Json params(Json::value_t::object);
  params["name"] = string_or(prompt, "name", "");
  const Json* const arguments = find(prompt, "arguments");
  if (arguments == nullptr || !arguments->is_array()) return params;
  for (const Json& argument : *arguments) {
    if (!bool_or(argument, "required", false)) continue;
    const std::string name = string_or(argument, "name", "");
    // An argument that is called so in every example of embedded resources.
    params["arguments"][name] = name == "resourceUri" ? "test://example-resource" : "plumbline";
  }
  return params;
}

Call fresh(std::string method, Json params) {
  Call call;
  call.method = std::move(method);
  call.params = std::move(params);
  return call;
}

// everything returns a call of each tool that may be called, each prompt and each resource.
std::vector<Call> everything(const Survey& survey, const ProbeOptions& options) {
  std::vector<Call> calls;
  for (const bool hinted : {true, false}) {
    for (const Json& tool : survey.tools.items) {
      const std::string name = string_or(tool, "name", "");
      if (calls.size() == kToolsMax) break;
      const Hint* const hint = options.hints.of(name);
      if ((hint != nullptr && hint->arguments) != hinted || options.hints.disturbs(name)) continue;
      if (!may_call_tool(tool, options)) continue;
      calls.push_back(fresh("tools/call", call_params(tool, options.hints)));
    }
  }
  std::size_t prompts = 0;
  for (const Json& prompt : survey.prompts.items) {
    if (prompts++ == kPromptsMax) break;
    calls.push_back(fresh("prompts/get", prompt_params(prompt)));
  }
  std::size_t resources = 0;
  for (const Json& resource : survey.resources.items) {
    if (resources++ == kResourcesMax) break;
    Json params = Json::object();
    params["uri"] = string_or(resource, "uri", "");
    calls.push_back(fresh("resources/read", std::move(params)));
  }
  return calls;
}

// what_asks returns those calls of an exercise again that want something of the client.
std::vector<Call> what_asks(const Exercise& exercise, const Hints& hints) {
  std::vector<Call> calls;
  for (const Call& call : exercise.calls) {
    const Hint* const hint = hints.of(string_or(call.params, "name", ""));
    const bool needs = hint != nullptr && hint->shows.contains(Shows::kNeedsCapability);
    if (!call.first || !call.reply.answered() || (call.wants.empty() && !needs)) continue;
    calls.push_back(fresh(call.method, call.params));
  }
  return calls;
}

}  // namespace

Json capabilities_of(Declared declared, const std::string& revision) {
  if (declared == Declared::kAll) return all_capabilities(revision);
  Json some = Json::object();
  if (declared == Declared::kBare) {
    some["roots"] = some["sampling"] = Json::object();
    if (knows_elicitation(revision)) some["elicitation"] = Json::object();
  }
  if (declared == Declared::kUrlOnly) some["elicitation"]["url"] = Json::object();
  return some;
}

const Json* Call::complete() const {
  const Json* const result = reply.result();
  if (result == nullptr || string_or(*result, "resultType", "complete") != "complete") {
    return nullptr;
  }
  const bool of_task = find(*result, "task") != nullptr && find(*result, "content") == nullptr;
  return of_task ? nullptr : result;
}

Json ServerAsked::params() const {
  const Json* const found = find(request, "params");
  return found != nullptr && found->is_object() ? *found : Json::object();
}

std::vector<const ServerAsked*> Exercise::asked_by(std::string_view method) const {
  std::vector<const ServerAsked*> found;
  for (const ServerAsked& each : asked) {
    if (each.method() == method) found.push_back(&each);
  }
  return found;
}

std::vector<const Call*> Exercise::asking(std::string_view method) const {
  std::vector<const Call*> found;
  for (const Call& call : calls) {
    const bool wanted = std::ranges::find(call.wants, method) != call.wants.end();
    if (call.first && wanted) found.push_back(&call);
  }
  return found;
}

std::vector<const Call*> Exercise::completed(std::string_view method) const {
  std::vector<const Call*> found;
  for (const Call& call : calls) {
    if (call.method == method && call.complete() != nullptr) found.push_back(&call);
  }
  return found;
}

Task<const Exercise*> Exercises::of(Declared declared) {
  if (declared != Declared::kAll) co_await of(Declared::kAll);
  Entry& entry = entries_[declared];
  if (!entry.begun) {
    entry.begun = true;
    tasks_.spawn(make(declared));
  }
  const auto is_done = [&entry] { return entry.done; };
  ++entry.callers;
  co_await until(subject_.loop(), kNever, is_done);
  --entry.callers;
  co_return &entry.plan.exercise;
}

int Exercises::waiting() const {
  int waiting = 0;
  for (const auto& [declared, entry] : entries_) waiting += std::max(0, entry.callers - 1);
  return waiting;
}

Task<void> Exercises::make(Declared declared) {
  Entry& entry = entries_[declared];
  entry.plan.calls = declared == Declared::kAll
                         ? everything(survey_, options_)
                         : what_asks(entries_.at(Declared::kAll).plan.exercise, options_.hints);
  // While those that call are busy and something is left to call, there comes one more.
  std::vector<std::unique_ptr<ExerciseRun>> runs;
  TaskGroup lanes;
  const auto all_called = [&entry] { return entry.plan.next >= entry.plan.calls.size(); };
  const std::size_t lanes_max = subject_.starts().slow ? kLanesSlow : kLanesMax;
  for (std::size_t i = 0; !all_called() && i < lanes_max; ++i) {
    runs.push_back(std::make_unique<ExerciseRun>(subject_, survey_, declared, entry.plan, i));
    lanes.spawn(runs.back()->run());
    const auto is_open = [&newest = *runs.back()] { return newest.opened(); };
    if (subject_.starts().slow) co_await until(subject_.loop(), kNever, is_open);
    if (co_await until(subject_.loop(), after(subject_.loop().now(), kBusy), all_called)) break;
  }
  co_await lanes.join(subject_.loop());
  entry.done = true;
}

Json hint_file(const Survey& survey, const Exercise& exercise, const ProbeOptions& options) {
  Json file = Json::object();
  Json& tools = file["tools"] = Json::object();
  for (const Json& tool : survey.tools.items) {
    const std::string name = string_or(tool, "name", "");
    Hint found;
    if (const Hint* const hint = options.hints.of(name)) found = *hint;
    for (const Call& call : exercise.calls) {
      if (call.method != "tools/call" || string_or(call.params, "name", "") != name) continue;
      found.shows.insert(call.shows.begin(), call.shows.end());
      if (!call.wants.empty()) found.shows.insert(Shows::kQuestion);
      if (found.resource.empty()) found.resource = call.updated;
    }
    Json& entry = tools[name];
    entry["call"] = may_call_tool(tool, options);
    entry["arguments"] = call_params(tool, options.hints)["arguments"];
    entry["shows"] = Json::array();
    for (const Shows what : found.shows) entry["shows"].push_back(std::string(name_of(what)));
    if (!found.resource.empty()) entry["resource"] = found.resource;
  }
  return file;
}

void Tally::wrong(std::string what, std::vector<Evidence> evidence) {
  ++wrong_;
  if (wrong_ > 1) return;
  first_ = broken(std::move(what));
  first_.evidence = std::move(evidence);
}

Finding Tally::finding(std::string none) const {
  if (wrong_ == 0 && seen_ == 0) return not_for_it(std::move(none));
  Finding finding = wrong_ == 0 ? passes() : first_;
  finding.observed = std::max(seen_, wrong_);
  if (wrong_ > 1) finding.message += " (and " + std::to_string(wrong_ - 1) + " more)";
  return finding;
}

}  // namespace plumbline::conformance
