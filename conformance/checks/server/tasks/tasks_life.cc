// What a task of 2025-11-25 does until it is over, and what is said of it: spec, basic/utilities/
// tasks, Task Status Lifecycle, Associating Task-Related Messages.

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/exercise.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/tasks/living_tasks.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kBetweenLooks = std::chrono::milliseconds(300);
constexpr double kCancelledSeconds = 0.5;
constexpr const char* kStatusNotice = "notifications/tasks/status";

// Tools that are known to ask something as tasks.
constexpr const char* kAskingTools[] = {"confirm_delete", "multi_input"};

// And to fail.
constexpr const char* kFailingTools[] = {"protocol_error_job", "failing_job"};

Task<Finding> ends_for_good(Probe& probe) {
  Client client = probe.client();
  const LivingTask task = co_await begin_task(probe, client, tool_for_tasks(probe, ""), 0);
  if (!task.unable.empty()) co_return not_for_it(task.unable);
  const std::vector<Reply> seen = co_await looks_until_over(client, task.id);
  const std::string last = seen.empty() ? "" : status_in(seen.back());
  if (!is_terminal(last)) co_return not_for_it("no task was seen to end");
  if (probe.survey().declares("/tasks/cancel")) {
    co_await ask_about(client, "tasks/cancel", task.id);
  }
  for (int i = 0; i < 2; ++i) {
    const Reply reply = co_await ask_about(client, "tasks/get", task.id);
    if (reply.result() == nullptr || status_in(reply) == last) continue;
    co_return broken("a task that was " + last + " is " + status_in(reply) + " later");
  }
  co_return passes();
}

Task<Finding> stays_cancelled(Probe& probe) {
  if (!probe.survey().declares("/tasks/cancel")) co_return not_for_it("it cancels no tasks");
  Client client = probe.client();
  const LivingTask task =
      co_await begin_task(probe, client, tool_for_tasks(probe, ""), kCancelledSeconds);
  if (!task.unable.empty()) co_return not_for_it(task.unable);
  const Reply cancelled = co_await ask_about(client, "tasks/cancel", task.id);
  if (status_in(cancelled) != "cancelled") {
    co_return not_for_it("tasks/cancel got " + cancelled.describe());
  }
  for (int i = 0; i < 3; ++i) {  // Past the end of the work.
    const Reply reply = co_await ask_about(client, "tasks/get", task.id);
    if (reply.result() != nullptr && status_in(reply) != "cancelled") {
      co_return broken("a task that was cancelled is " + status_in(reply) + " later");
    }
    co_await Sleep(client.loop(), after(client.loop().now(), kBetweenLooks));
  }
  co_return passes();
}

std::vector<std::string> asking_tools() {
  return std::vector<std::string>(std::begin(kAskingTools), std::end(kAskingTools));
}

// judge_order judges what `by` told of one task: what is over stays over, and there are five
// statuses. `place` is where a message has the status.
Finding judge_order(const std::vector<Json>& messages, const char* place, const char* by) {
  std::string before = "working";
  for (const Json& message : messages) {
    const Json* const found = at_pointer(message, place);
    const std::string status =
        found != nullptr && found->is_string() ? found->get<std::string>() : "";
    std::string wrong;
    if (!is_terminal(status) && status != "working" && status != "input_required") {
      wrong = "the unknown status \"" + status + "\"";
    } else if (is_terminal(before) && status != before) {
      wrong = status + " after " + before;
    }
    if (!wrong.empty()) {
      return showing(broken("by " + std::string(by) + " a task has " + wrong), message);
    }
    before = status;
  }
  return passes();
}

Task<Finding> goes_through_statuses_in_order(Probe& probe) {
  Client client = probe.client();
  const Lived lived = co_await live(probe, client, asking_tools());
  if (!lived.unable.empty()) co_return not_for_it(lived.unable);
  std::vector<Json> polled;
  for (const Reply& reply : lived.polled) polled.push_back(*reply.message);
  std::vector<Json> told;
  for (const Json& message : lived.heard) {
    const Json* const params = find(message, "params");
    if (string_or(message, "method", "") != kStatusNotice || params == nullptr) continue;
    if (string_or(*params, "taskId", "") == lived.id) told.push_back(message);
  }
  Finding finding = judge_order(polled, "/result/status", "tasks/get");
  if (finding.verdict == Verdict::kPass) {
    finding = judge_order(told, "/params/status", kStatusNotice);
  }
  if (finding.verdict != Verdict::kPass) co_return std::move(finding);
  if (polled.empty()) co_return not_for_it("tasks/get told nothing of it");
  co_return passes();
}

bool relates_to(const Json& message, const std::string& id) {
  const Json* const meta = at_pointer(message, "/params/_meta");
  const Json* const related = meta == nullptr ? nullptr : find(*meta, kMetaRelatedTask);
  return related != nullptr && string_or(*related, "taskId", "") == id;
}

// relates_each judges the requests of the server that were heard while a task asked.
Task<Finding> relates_each(Probe& probe, bool progress_too) {
  Client client = probe.client();
  const Lived lived = co_await live(probe, client, asking_tools());
  if (!lived.unable.empty()) co_return not_for_it(lived.unable);
  Tally tally;
  for (const Json& message : lived.heard) {
    const std::string method = string_or(message, "method", "");
    const bool asks = method == "elicitation/create" || method == "sampling/createMessage";
    if (!asks && !(progress_too && method == "notifications/progress")) continue;
    tally.saw();
    if (!relates_to(message, lived.id)) {
      tally.wrong(method + " of a task does not name it in _meta " + kMetaRelatedTask,
                  evidence_of(message));
    }
  }
  co_return tally.finding("no task asked anything");
}

Task<Finding> relates_questions(Probe& probe) { co_return co_await relates_each(probe, false); }

Task<Finding> relates_all_messages(Probe& probe) { co_return co_await relates_each(probe, true); }

// status_notices judges what is told of a task that no tool need ask for.
Task<Finding> status_notices(Probe& probe, std::string (*problem)(const Json& params)) {
  Client client = probe.client();
  std::vector<std::string> names = asking_tools();
  names.emplace_back();
  const Lived lived = co_await live(probe, client, std::move(names));
  if (!lived.unable.empty()) co_return not_for_it(lived.unable);
  Tally tally;
  for (const Json& message : lived.heard) {
    if (string_or(message, "method", "") != kStatusNotice) continue;
    tally.saw();
    const Json* const params = find(message, "params");
    const std::string wrong = params == nullptr ? "has no params" : problem(*params);
    if (wrong.empty()) continue;
    tally.wrong(std::string(kStatusNotice) + " " + wrong, evidence_of(message));
  }
  co_return tally.finding("it sends no " + std::string(kStatusNotice));
}

std::string lacking_problem(const Json& params) {
  for (const char* const member : {"taskId", "status", "createdAt", "lastUpdatedAt"}) {
    if (!find_string(params, member)) return "has no " + std::string(member);
  }
  return find(params, "ttl") == nullptr ? "has no ttl" : "";
}

std::string relation_problem(const Json& params) {
  const Json* const meta = find(params, "_meta");
  const bool twice = meta != nullptr && find(*meta, kMetaRelatedTask) != nullptr;
  return twice ? "names the task in _meta, too" : "";
}

Task<Finding> tells_whole_tasks(Probe& probe) {
  co_return co_await status_notices(probe, lacking_problem);
}

Task<Finding> tells_tasks_by_their_id(Probe& probe) {
  co_return co_await status_notices(probe, relation_problem);
}

Json without_meta(const Reply& reply) {
  Json result = *reply.result();
  if (result.is_object()) result.erase("_meta");
  return result;
}

// Only a tool that says the same before and after can be told to say something else as a task.
Task<Finding> gives_the_same_result(Probe& probe) {
  Client client = probe.client();
  for (const Json& tool : probe.survey().tools.items) {
    const Json* const support = at_pointer(tool, "/execution/taskSupport");
    const std::string name = string_or(tool, "name", "");
    if (support == nullptr || *support != Json("optional")) continue;
    if (tool_for_tasks(probe, name) == nullptr) continue;
    const Reply once = co_await client.request("tools/call", params_of_task(probe, tool, 0));
    const Reply again = co_await client.request("tools/call", params_of_task(probe, tool, 0));
    if (once.result() == nullptr || again.result() == nullptr) continue;
    if (without_meta(once) != without_meta(again)) continue;
    const LivingTask task = co_await begin_task(probe, client, &tool, 0);
    if (!task.unable.empty()) continue;
    const Reply late = co_await ask_about(client, "tasks/result", task.id);
    if (!late.answered()) co_return undecided("tasks/result got " + late.describe());
    if (late.result() != nullptr && without_meta(late) == without_meta(once)) co_return passes();
    const Reply then = co_await client.request("tools/call", params_of_task(probe, tool, 0));
    if (then.result() == nullptr || without_meta(then) != without_meta(once)) continue;
    co_return about(broken("tasks/result of \"" + name + "\" got " + late.describe() +
                           " that is not what a plain call gets, before and after"),
                    late);
  }
  co_return not_for_it("no tool that may be a task says always the same");
}

// FailedTask is a task of a tool that is known to fail, after its end.
struct FailedTask {
  std::string unable;
  Json task;
  Reply result;
};

Task<FailedTask> make_failing(Probe& probe, Client& client, const Json* tool) {
  FailedTask failed;
  const LivingTask task = co_await begin_task(probe, client, tool, 0);
  failed.unable = task.unable;
  if (!failed.unable.empty()) co_return std::move(failed);
  failed.result = co_await ask_about(client, "tasks/result", task.id);
  const bool fails =
      failed.result.error() != nullptr ||
      (failed.result.result() != nullptr && bool_or(*failed.result.result(), "isError", false));
  const Reply got = co_await ask_about(client, "tasks/get", task.id);
  if (got.result() != nullptr) failed.task = *got.result();
  if (!fails || failed.task.is_null()) failed.unable = "no task was seen to fail";
  co_return std::move(failed);
}

Task<Finding> fails_with_its_request(Probe& probe) {
  Client client = probe.client();
  Finding finding = not_for_it("no tool that is known to fail as a task may be called");
  for (const char* const name : kFailingTools) {
    const Json* const tool = tool_for_tasks(probe, name);
    if (tool == nullptr) continue;
    const FailedTask failed = co_await make_failing(probe, client, tool);
    if (!failed.unable.empty()) continue;
    const std::string status = string_or(failed.task, "status", "");
    if (status != "failed") {
      co_return broken("a task whose result is an error is " + status + ", expected failed");
    }
    finding = passes();
  }
  co_return std::move(finding);
}

Task<Finding> says_why_it_failed(Probe& probe) {
  Client client = probe.client();
  Finding finding = not_for_it("no tool that is known to fail as a task may be called");
  for (const char* const name : kFailingTools) {
    const Json* const tool = tool_for_tasks(probe, name);
    if (tool == nullptr) continue;
    const FailedTask failed = co_await make_failing(probe, client, tool);
    if (!failed.unable.empty() || string_or(failed.task, "status", "") != "failed") continue;
    if (string_or(failed.task, "statusMessage", "").empty()) {
      co_return broken("a task that has failed has no statusMessage");
    }
    finding = passes();
  }
  co_return std::move(finding);
}

Task<Finding> names_tasks_once_in_answers(Probe& probe) {
  Client client = probe.client();
  const LivingTask task = co_await begin_task(probe, client, tool_for_tasks(probe, ""), 0);
  if (!task.unable.empty()) co_return not_for_it(task.unable);
  for (const char* const method : {"tasks/get", "tasks/cancel"}) {
    if (std::string_view(method) == "tasks/cancel" && !probe.survey().declares("/tasks/cancel")) {
      continue;
    }
    const Reply reply = co_await ask_about(client, method, task.id);
    if (reply.result() == nullptr || relation_problem(*reply.result()).empty()) continue;
    co_return broken("the result of " + std::string(method) + " names its task in _meta, too");
  }
  co_return passes();
}

constexpr ServerCheck kTasksLifeChecks[] = {
    {"tasks.terminal-is-final", Eras::kStateful, SessionUse::kShared, ends_for_good},
    {"tasks.cancel-sticky", Eras::kStateful, SessionUse::kShared, stays_cancelled},
    {"tasks.valid-transitions", Eras::kStateful, SessionUse::kAlone,
     goes_through_statuses_in_order},
    {"tasks.input-request-related", Eras::kStateful, SessionUse::kAlone, relates_questions},
    {"tasks.related-meta-on-all-messages", Eras::kStateful, SessionUse::kAlone,
     relates_all_messages},
    {"tasks.status-notification-full", Eras::kStateful, SessionUse::kAlone, tells_whole_tasks},
    {"tasks.status-notification-no-related-meta", Eras::kStateful, SessionUse::kAlone,
     tells_tasks_by_their_id},
    {"tasks.result-equals-underlying", Eras::kStateful, SessionUse::kShared, gives_the_same_result},
    {"tasks.failed-when-request-fails", Eras::kStateful, SessionUse::kShared,
     fails_with_its_request},
    {"tasks.errors-informative", Eras::kStateful, SessionUse::kShared, says_why_it_failed},
    {"tasks.no-related-meta-in-operations", Eras::kStateful, SessionUse::kShared,
     names_tasks_once_in_answers},
};

}  // namespace

ServerChecks tasks_life_checks() { return kTasksLifeChecks; }

}  // namespace plumbline::conformance
