#include "conformance/checks/server/exercises.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/exercise_run.h"
#include "conformance/checks/server/learned_values.h"
#include "conformance/checks/server/tool_arguments.h"
#include "core/base/wait.h"
#include "core/schema/text_example.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kToolsMax = 60;
constexpr std::size_t kPromptsMax = 30;
constexpr std::size_t kResourcesMax = 30;
// How long one lane works at a call before there is another: a process is dearer than a session.
// Over HTTP a sixth of what an answer takes, where that is more.
constexpr Duration kBusy = std::chrono::milliseconds(30);
constexpr Duration kBusyOverHttp = std::chrono::milliseconds(8);
constexpr std::size_t kConfirmedMax = 6;
// All that an exercise may take, and so many answers more of a subject that is given long.
constexpr Duration kMakingMax = std::chrono::minutes(5);
constexpr int kAnswersOfAll = 10;
constexpr std::size_t kLanesMax = 10;
constexpr std::size_t kLearnedMax = 40;  // A round.
constexpr std::size_t kChoicesMax = 40;  // Likewise, of calls with other choices.
// What an answer takes of a subject that is called with learned values once, and twice.
constexpr Duration kLeisurely = std::chrono::milliseconds(250);
constexpr Duration kSwift = std::chrono::milliseconds(50);

Json prompt_params(const Json& prompt) {
  Json params(Json::value_t::object);
  params["name"] = string_or(prompt, "name", "");
  const Json* const arguments = find(prompt, "arguments");
  if (arguments == nullptr || !arguments->is_array()) return params;
  for (const Json& argument : *arguments) {
    if (!bool_or(argument, "required", false)) continue;
    const std::string name = string_or(argument, "name", "");
    // An argument that is called so in every example of embedded resources.
    const std::string usual = name == "resourceUri" ? "test://example-resource" : "plumbline";
    params["arguments"][name] =
        schema::text_example(name, string_or(argument, "description", "")).value_or(usual);
  }
  return params;
}

Call fresh(std::string method, Json params) {
  Call call;
  call.method = std::move(method);
  call.params = std::move(params);
  return call;
}

// everything returns a call of each tool that may be called, each prompt and each resource, and
// asks for completions. Tools for whose arguments there is no budget left are not called.
std::vector<Call> everything(const Survey& survey, const ProbeOptions& options, Budget& budget) {
  std::vector<Call> calls;
  for (const bool hinted : {true, false}) {
    for (const Json& tool : survey.tools.items) {
      const std::string name = string_or(tool, "name", "");
      if (calls.size() == kToolsMax) break;
      const Hint* const hint = options.hints.of(name);
      if ((hint != nullptr && hint->arguments) != hinted || options.hints.disturbs(name)) continue;
      if (!may_call_tool(tool, options)) continue;
      const std::uint64_t refused = budget.refusals();
      Json params = call_params(tool, options.hints, budget);
      if (budget.refusals() == refused) calls.push_back(fresh("tools/call", std::move(params)));
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
  if (!survey.declares("/completions")) return calls;
  for (Json& params : completable(survey)) {
    calls.push_back(fresh("completion/complete", std::move(params)));
  }
  return calls;
}

// asks returns whether a call wants something of the client.
bool asks(const Call& call, const Hints& hints) {
  const Hint* const hint = hints.of(string_or(call.params, "name", ""));
  const bool needs = hint != nullptr && hint->shows.contains(Shows::kNeedsCapability);
  return call.first && call.reply.answered() && (!call.wants.empty() || needs);
}

// what_asks returns those calls of an exercise again that do.
std::vector<Call> what_asks(const Exercise& exercise, const Hints& hints) {
  std::vector<Call> calls;
  for (const Call& call : exercise.calls) {
    if (asks(call, hints)) calls.push_back(fresh(call.method, call.params));
  }
  return calls;
}

constexpr std::array kChanges = {Shows::kToolsChange, Shows::kPromptsChange,
                                 Shows::kResourcesChange, Shows::kResourceUpdate};

bool changes_something(const Call& call) {
  return std::ranges::any_of(kChanges, [&](Shows what) { return call.shows.contains(what); });
}

// add_new adds a call to `plan` that is not in it yet.
void add_new(ExercisePlan& plan, const char* method, Json params) {
  const bool known = std::ranges::any_of(
      plan.calls, [&](const Call& call) { return call.method == method && call.params == params; });
  if (!known) plan.calls.push_back(fresh(method, std::move(params)));
}

// best_of returns `likely`, unless a call with that has failed and one with others has not.
Json best_of(const ExercisePlan& plan, const Json& tool, Json likely) {
  bool refused = false;
  Json good;
  for (const Call& call : plan.exercise.calls) {
    const Json* const arguments = find(call.params, "arguments");
    const bool its = string_or(call.params, "name", "") == string_or(tool, "name", "");
    if (!its || call.method != "tools/call" || arguments == nullptr) continue;
    const bool went_well =
        call.complete() != nullptr && !bool_or(*call.complete(), "isError", false);
    if (!went_well && *arguments == likely) refused = true;
    if (went_well && good.is_null()) good = *arguments;
  }
  return refused && !good.is_null() ? good : likely;
}

// add_call adds a call of a tool with these arguments in place of the usual ones.
void add_call(ExercisePlan& plan, Json params, Json arguments) {
  params["arguments"] = std::move(arguments);
  add_new(plan, "tools/call", std::move(params));
}

}  // namespace

class Exercises::Waiting {
 public:
  Waiting(Entry& entry, Changes& changes) : entry_(entry) {
    ++entry_.callers;
    changes.tell();  // One check less is at work.
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() { --entry_.callers; }

 private:
  Entry& entry_;
};

// of waits without a deadline of its own: make() has one.
Task<const Exercise*> Exercises::of(Declared declared) {
  begin(Declared::kAll);
  begin(declared);
  Entry& entry = entries_[declared];
  const auto is_done = [&entry] { return entry.done; };
  const Waiting waiting(entry, subject_.changes());
  co_await subject_.changes().wait(kNever, is_done);
  co_return &entry.plan.exercise;
}

void Exercises::begin(Declared declared) {
  Entry& entry = entries_[declared];
  if (entry.begun) return;
  entry.begun = true;
  tasks_.spawn(make(declared));
}

// make has one made in bounded time: what it waits for has no deadline but this.
Task<void> Exercises::make(Declared declared) {
  Task<Done> making = declared == Declared::kAll ? make_all() : make_less(declared);
  const Duration most = kMakingMax + kAnswersOfAll * subject_.pace().answer_max();
  const Instant enough = after(subject_.loop().now(), most);
  // What is not made by then is left out.
  [[maybe_unused]] const Status made = co_await with_deadline(
      subject_.loop(), enough, std::string("an exercise"), std::move(making));
  entries_[declared].done = true;
  subject_.changes().tell();
}

int Exercises::waiting() const {
  int waiting = 0;
  for (const auto& [declared, entry] : entries_) waiting += std::max(0, entry.callers - 1);
  return waiting;
}

Task<Done> Exercises::make_all() {
  Entry& entry = entries_[Declared::kAll];
  entry.plan.calls = everything(survey_, options_, measured_.budget());
  entry.plan.watches = !is_hinted(Shows::kResourceUpdate);
  co_await call_all(entry.plan, Declared::kAll);
  // What is learned may be learned from what was learned. A slow subject has no time for either.
  for (const Duration most : {kLeisurely, kSwift}) {
    if (subject_.pace().several(1) > most) break;
    co_await call_what_was_learned(entry.plan, Declared::kAll);
  }
  co_await confirm_changes(entry.plan, Declared::kAll);
  co_return Done();
}

// make_less makes that of a client which declares less than all: of what asks something of one that
// does.
Task<Done> Exercises::make_less(Declared declared) {
  const Entry& all = entries_[Declared::kAll];
  Entry& entry = entries_[declared];
  entry.plan.watches = false;
  if (subject_.spec().transport == Transport::kStdio) {
    co_await call_early(entry.plan, declared);
  } else {
    const auto all_is_done = [&all] { return all.done; };
    co_await subject_.changes().wait(kNever, all_is_done);
    entry.plan.calls = what_asks(all.plan.exercise, options_.hints);
    co_await call_all(entry.plan, declared);
  }
  co_return Done();
}

// call_early makes the calls of `plan` in one process, which starts as soon as there is something
// that asks; what else does is known later. How a client without capabilities is greeted has to be
// seen in any case.
Task<void> Exercises::call_early(ExercisePlan& plan, Declared declared) {
  const Entry& all = entries_[Declared::kAll];
  const bool greets = declared == Declared::kNothing && !is_stateless(survey_.revision);
  const auto does = [this](const Call& call) { return asks(call, options_.hints); };
  const auto asks_or_done = [&] {
    return greets || all.done || std::ranges::any_of(all.plan.exercise.calls, does);
  };
  co_await subject_.changes().wait(kNever, asks_or_done);
  plan.known = false;
  ExerciseRun run(subject_, sessions_, survey_, measured_.budget(), declared, plan, 0);
  TaskGroup lane;
  if (greets || std::ranges::any_of(all.plan.exercise.calls, does)) lane.spawn(run.run());
  const auto all_is_done = [&all] { return all.done; };
  co_await subject_.changes().wait(kNever, all_is_done);
  plan.calls = what_asks(all.plan.exercise, options_.hints);
  plan.known = true;
  subject_.changes().tell();
  co_await lane.join(subject_.loop());
}

// call_all makes the calls of `plan`: while those that call are busy and something is left to call,
// there comes one more.
Task<void> Exercises::call_all(ExercisePlan& plan, Declared declared) {
  std::vector<std::unique_ptr<ExerciseRun>> runs;
  TaskGroup lanes;
  int at_work = 0;
  while (plan.next < plan.calls.size() && runs.size() < kLanesMax) {
    runs.push_back(std::make_unique<ExerciseRun>(subject_, sessions_, survey_, measured_.budget(),
                                                 declared, plan, plan.runs++));
    ++at_work;
    lanes.spawn(call(*runs.back(), at_work));
    const bool process = subject_.spec().transport == Transport::kStdio;
    const Duration while_busy =
        process ? kBusy : std::max(Duration(kBusyOverHttp), subject_.pace().several(1) / 6);
    const Instant busy = after(subject_.loop().now(), while_busy);
    while (at_work > 0 && plan.next < plan.calls.size()) {
      const Instant at = lane_at(*runs.back(), busy);
      if (subject_.loop().now() >= at) break;
      co_await subject_.changes().next(at);
    }
    if (at_work == 0) break;
  }
  co_await lanes.join(subject_.loop());
}

// lane_at returns when there may be one more lane beside `last`, which is busy from `busy` on, if
// nothing else happens.
Instant Exercises::lane_at(const ExerciseRun& last, Instant busy) const {
  const bool starts = subject_.spec().transport == Transport::kStdio && !last.opened();
  if (starts) return kNever;
  if (subject_.loop().now() < busy) return busy;
  return sessions_.may_lease_first() ? busy : sessions_.may_lease_at();
}

// call_what_was_learned calls tools that only read once more, with values that the server has shown
// in place of those that were made up, and with the other choices that their schemas give. Others
// change a value that exists: they are called so where the user has allowed that, and they do not
// say that they destroy.
Task<void> Exercises::call_what_was_learned(ExercisePlan& plan, Declared declared) {
  LearnedValues values;
  values.learn(survey_, plan.exercise);
  // First: without these nothing is known of such a tool, and there may not be time for all.
  for (Json& params : mended_calls(survey_, plan.exercise, options_)) {
    add_new(plan, "tools/call", std::move(params));
  }
  std::size_t more = 0;
  std::size_t others = 0;
  for (const Json& tool : survey_.tools.items) {
    const Json* const annotations = find(tool, "annotations");
    const Hint* const hint = options_.hints.of(string_or(tool, "name", ""));
    const auto says = [annotations](const char* what) {
      return annotations != nullptr && bool_or(*annotations, what, false);
    };
    const bool may = says("readOnlyHint") || (options_.allow_writes && !says("destructiveHint"));
    if (!may || (hint != nullptr && (hint->arguments || (hint->call && !*hint->call)))) continue;
    const auto first = std::ranges::find_if(plan.exercise.calls, [&tool](const Call& call) {
      return call.first && call.method == "tools/call" && call.reply.answered() &&
             string_or(call.params, "name", "") == string_or(tool, "name", "");
    });
    if (first == plan.exercise.calls.end() || !first->params.contains("arguments")) continue;
    // Copied: what is added moves the calls.
    const Json usual = first->params;
    std::vector<Json> learned = learned_arguments(values, tool, usual["arguments"]);
    const Json best = best_of(plan, tool, learned.empty() ? usual["arguments"] : learned.front());
    for (Json& arguments : learned) {
      if (more++ < kLearnedMax) add_call(plan, usual, std::move(arguments));
    }
    for (Json& arguments : other_choices(values, tool, best)) {
      if (others++ < kChoicesMax) add_call(plan, usual, std::move(arguments));
    }
  }
  for (const Json& pattern : survey_.templates.items) {
    for (std::string& uri : values.uris_of(string_or(pattern, "uriTemplate", ""))) {
      if (Survey::item(survey_.resources, "uri", uri) != nullptr || more++ >= kLearnedMax) continue;
      add_new(plan, "resources/read", Json{{"uri", std::move(uri)}});
    }
  }
  add_prompts(plan, values);
  plan.known_tools = true;
  co_await call_all(plan, declared);
}

// add_prompts adds each prompt with learned values once.
void Exercises::add_prompts(ExercisePlan& plan, const LearnedValues& values) const {
  for (const Json& prompt : survey_.prompts.items) {
    Json params = prompt_params(prompt);
    if (!params.contains("arguments")) continue;
    Json arguments = values.prompt_arguments(prompt, params["arguments"]);
    if (arguments.is_null()) continue;
    params["arguments"] = std::move(arguments);
    add_new(plan, "prompts/get", std::move(params));
  }
}

Task<void> Exercises::call(ExerciseRun& run, int& at_work) {
  co_await run.run();
  --at_work;
  subject_.changes().tell();
}

// is_hinted returns whether a hint names a tool for `change`, so that none is to be found.
bool Exercises::is_hinted(Shows change) const {
  return std::ranges::any_of(options_.hints.all(), [&](const Hints::Named& each) {
    return each.hint.shows.contains(change) && survey_.tool(each.tool) != nullptr;
  });
}

// confirm_changes calls a few of those again, one after the other, during which something changed:
// any that was under way at the time may have done it.
Task<void> Exercises::confirm_changes(ExercisePlan& plan, Declared declared) {
  ExercisePlan again;
  for (Call& call : plan.exercise.calls) {
    for (const Shows what : kChanges) {
      if (call.method != "tools/call" || is_hinted(what)) call.shows.erase(what);
    }
    if (!call.first || !changes_something(call) || again.calls.size() == kConfirmedMax) continue;
    again.calls.push_back(fresh(call.method, call.params));
  }
  if (!again.calls.empty()) {
    ExerciseRun run(subject_, sessions_, survey_, measured_.budget(), declared, again, 0);
    co_await run.run();
  }
  for (Call& call : plan.exercise.calls) {
    if (!call.first || !changes_something(call)) continue;
    for (const Shows what : kChanges) call.shows.erase(what);
    call.updated.clear();
    for (const Call& confirmed : again.exercise.calls) {
      if (!confirmed.first || confirmed.method != call.method || confirmed.params != call.params) {
        continue;
      }
      for (const Shows what : kChanges) {
        if (confirmed.shows.contains(what)) call.shows.insert(what);
      }
      call.updated = confirmed.updated;
    }
  }
}

}  // namespace plumbline::conformance
