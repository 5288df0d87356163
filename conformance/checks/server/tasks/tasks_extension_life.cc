// The life of a task of the extension io.modelcontextprotocol/tasks, as tasks/get shows it: at
// work, asking, over. SEP-2663.

#include <map>
#include <string>
#include <utility>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/tasks/extension_tasks.h"

namespace plumbline::conformance {

namespace {

constexpr double kLong = 5;
constexpr int kQuestionsMax = 6;

// acknowledgement_problem: nothing but what every result has belongs in one.
std::string acknowledgement_problem(const Reply& reply) {
  if (reply.result() == nullptr) return "got " + reply.describe() + ", expected an empty result";
  for (const auto& [key, value] : reply.result()->items()) {
    if (key != "resultType" && key != "_meta") {
      return "got a result with \"" + key + "\", expected an empty one";
    }
  }
  return "";
}

Task<Finding> shows_work(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, kLong);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply got = co_await about_task(client, "tasks/get", made.id);
  if (status_of(got) != "working") co_return not_for_it("no task was seen at work");
  for (const char* const early : {"result", "error", "inputRequests"}) {
    if (find(*got.result(), early) == nullptr) continue;
    co_return broken("a task that is working has \"" + std::string(early) + "\"");
  }
  co_return passes();
}

Task<Finding> shows_results(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply got = co_await watch_task(client, made.id);
  if (status_of(got) != "completed") co_return not_for_it("no task was seen to complete");
  const std::string wrong = detail_problem(*got.result());
  if (!wrong.empty()) co_return broken("a task " + wrong);
  if (at_pointer(*got.result(), "/result/content") != nullptr) co_return passes();
  co_return broken("the result of a completed tools/call has no content");
}

Task<Finding> shows_errors(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, 0, "protocol_error_job");
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply got = co_await watch_task(client, made.id);
  if (status_of(got) != "failed") co_return not_for_it("protocol_error_job does not fail");
  const std::string wrong = detail_problem(*got.result());
  co_return wrong.empty() ? passes() : broken("a task " + wrong);
}

Task<Finding> explains_errors(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, 0, "protocol_error_job");
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply got = co_await watch_task(client, made.id);
  if (status_of(got) != "failed") co_return not_for_it("protocol_error_job does not fail");
  if (!string_or(*got.result(), "statusMessage", "").empty()) co_return passes();
  co_return broken("a task that has failed has no statusMessage");
}

Task<Finding> fails_by_protocol_errors_alone(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, 0, "failing_job");
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply got = co_await watch_task(client, made.id);
  const std::string status = status_of(got);
  if (!is_over(status)) co_return not_for_it("failing_job was not seen to end");
  const Json* const said = at_pointer(*got.result(), "/result/isError");
  if (status == "failed") {
    co_return broken("a tool that answers with isError made its task fail, expected completed");
  }
  if (said != nullptr && *said == Json(true)) co_return passes();
  co_return not_for_it("failing_job does not answer with isError");
}

// The server need not stop; a task that it has forgotten it can show no more.
Task<Finding> shows_cancelled_tasks(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, kLong);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply cancelled = co_await about_task(client, "tasks/cancel", made.id);
  if (cancelled.result() == nullptr) {
    co_return not_for_it("tasks/cancel got " + cancelled.describe());
  }
  const Reply got = co_await watch_task(client, made.id);
  if (!got.answered()) co_return undecided("tasks/get got " + got.describe());
  const std::string status = status_of(got);
  if (status == "cancelled") co_return passes();
  if (status == "completed" || status == "failed" || status == "working" ||
      status == "input_required") {
    co_return not_for_it("the task is " + status + " in spite of tasks/cancel, as it may be");
  }
  co_return broken("tasks/get of a cancelled task got " + got.describe() + " with the status \"" +
                   status + "\", expected \"cancelled\"");
}

Task<Finding> acknowledges_cancellation(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, kLong);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply reply = co_await about_task(client, "tasks/cancel", made.id);
  if (!reply.answered()) co_return undecided("tasks/cancel got " + reply.describe());
  const std::string wrong = acknowledgement_problem(reply);
  if (reply.result() == nullptr) {
    const Reply got = co_await about_task(client, "tasks/get", made.id);
    if (is_over(status_of(got))) {
      co_return about(risky("tasks/cancel of a task that is over " + wrong), reply);
    }
  }
  if (wrong.empty()) co_return passes();
  co_return about(broken("tasks/cancel " + wrong), reply);
}

// types_of_answers compares the resultType of what is answered about one task; `right` judges it.
Task<Finding> types_of_answers(Probe& probe, bool (*right)(const std::string& type),
                               std::string expected) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, kLong);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  int seen = 0;
  for (const char* const method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    Reply reply;
    if (std::string_view(method) == "tasks/update") {
      Json nothing = Json::object();
      reply = co_await answer_task(client, made.id, std::move(nothing));
    } else {
      reply = co_await about_task(client, method, made.id);
    }
    if (reply.result() == nullptr) continue;
    ++seen;
    const std::string type = string_or(*reply.result(), "resultType", "");
    if (right(type)) continue;
    co_return broken("the result of " + std::string(method) + " has the resultType \"" + type +
                     "\", expected " + expected);
  }
  co_return seen == 0 ? not_for_it("nothing about the task was answered by a result") : passes();
}

bool is_complete(const std::string& type) { return type == "complete"; }
bool is_no_task(const std::string& type) { return type != "task"; }

Task<Finding> answers_completely(Probe& probe) {
  co_return co_await types_of_answers(probe, is_complete, "\"complete\"");
}

Task<Finding> says_task_of_nothing_else(Probe& probe) {
  co_return co_await types_of_answers(probe, is_no_task, "that only where a call became a task");
}

// Waiting is a task that waits for input.
struct Waiting {
  std::string unable;
  std::string id;
  Json asked;
};

Task<Waiting> make_waiting(Probe& probe, Client& client) {
  Waiting waiting;
  waiting.unable = "no tool that is known to ask as a task may be called";
  for (const char* const name : {"multi_input", "confirm_delete"}) {
    const ExtensionTask made = co_await make_extension_task(probe, client, 0, name);
    if (!made.unable.empty()) continue;
    const Reply got = co_await watch_task(client, made.id);
    waiting.unable = std::string(name) + " does not wait for input as a task";
    if (status_of(got) != "input_required") continue;
    waiting.unable.clear();
    waiting.id = made.id;
    const Json* const asked = find(*got.result(), "inputRequests");
    if (asked != nullptr) waiting.asked = *asked;
    break;
  }
  co_return std::move(waiting);
}

// one_of returns the first member of an object alone.
Json one_of(const Json& object) {
  Json one = Json::object();
  one[object.items().begin().key()] = object.items().begin().value();
  return one;
}

Task<Finding> shows_questions(Probe& probe) {
  Client client = probe.client();
  const Waiting task = co_await make_waiting(probe, client);
  if (!task.unable.empty()) co_return not_for_it(task.unable);
  if (!task.asked.is_object() || task.asked.empty()) {
    co_return broken("a task is input_required without inputRequests");
  }
  for (const auto& [key, request] : task.asked.items()) {
    if (find_string(request, "method")) continue;
    co_return broken("the input request \"" + key + "\" of a task has no method");
  }
  if (task.asked.size() == 1) co_return passes();
  Json first = one_of(task.asked);
  const std::string answered = first.items().begin().key();
  co_await answer_task(client, task.id, std::move(first));
  const Reply got = co_await about_task(client, "tasks/get", task.id);
  if (status_of(got) != "input_required") co_return passes();
  const Json* const left = find(*got.result(), "inputRequests");
  for (const auto& [key, request] : task.asked.items()) {
    if (key == answered || (left != nullptr && find(*left, key) != nullptr)) continue;
    co_return broken("after one of its questions was answered a task shows \"" + key +
                     "\" no more, which was not");
  }
  co_return passes();
}

Task<Finding> acknowledges_answers(Probe& probe) {
  Client client = probe.client();
  const Waiting task = co_await make_waiting(probe, client);
  if (!task.unable.empty()) co_return not_for_it(task.unable);
  const Reply reply = co_await answer_task(client, task.id, task.asked);
  if (!reply.answered()) co_return undecided("tasks/update got " + reply.describe());
  const std::string wrong = acknowledgement_problem(reply);
  co_return wrong.empty() ? passes() : broken("tasks/update " + wrong);
}

Task<Finding> ignores_answers_to_nothing(Probe& probe) {
  Client client = probe.client();
  const Waiting task = co_await make_waiting(probe, client);
  if (!task.unable.empty()) co_return not_for_it(task.unable);
  Json unasked = Json::object();
  unasked["plumbline-never-asked"]["method"] = "elicitation/create";
  const Reply reply = co_await answer_task(client, task.id, std::move(unasked));
  if (!reply.answered()) co_return undecided("tasks/update got " + reply.describe());
  if (reply.result() == nullptr) {
    co_return broken("an answer to what was not asked got " + reply.describe() +
                     ", expected it to be ignored");
  }
  const Reply got = co_await about_task(client, "tasks/get", task.id);
  if (got.result() == nullptr || status_of(got) == "input_required") co_return passes();
  co_return broken("an answer to what was not asked made the task " + status_of(got));
}

// An answer need not have arrived when the task is looked at next: a question that is seen again
// is the same one.
Task<Finding> asks_by_fresh_keys(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, 0, "input_in_turn");
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  std::map<std::string, std::string> seen;
  for (int round = 0; round < kQuestionsMax; ++round) {
    const Reply got = co_await watch_task(client, made.id);
    if (status_of(got) != "input_required") break;
    const Json* const found = find(*got.result(), "inputRequests");
    if (found == nullptr || !found->is_object()) break;
    Json asked = *found;
    for (const auto& [key, request] : asked.items()) {
      const auto [at, fresh] = seen.emplace(key, dump_json(request));
      if (fresh || at->second == dump_json(request)) continue;
      co_return broken("a task asks something else by the key \"" + key + "\" that it has used");
    }
    co_await answer_task(client, made.id, std::move(asked));
  }
  co_return seen.size() > 1 ? passes() : not_for_it("no task asks more than once");
}

constexpr ServerCheck kTasksExtensionLifeChecks[] = {
    {"tasks.get-working", Eras::kStateless, SessionUse::kShared, shows_work},
    {"tasks.get-completed", Eras::kStateless, SessionUse::kShared, shows_results},
    {"tasks.get-failed", Eras::kStateless, SessionUse::kShared, shows_errors},
    {"tasks.errors-informative", Eras::kStateless, SessionUse::kShared, explains_errors},
    {"tasks.failed-only-for-jsonrpc-errors", Eras::kStateless, SessionUse::kShared,
     fails_by_protocol_errors_alone},
    {"tasks.get-cancelled", Eras::kStateless, SessionUse::kShared, shows_cancelled_tasks},
    {"tasks.cancel-acknowledged-empty", Eras::kStateless, SessionUse::kShared,
     acknowledges_cancellation},
    {"tasks.standard-results-complete-type", Eras::kStateless, SessionUse::kShared,
     answers_completely},
    {"tasks.result-type-task-only-for-create", Eras::kStateless, SessionUse::kShared,
     says_task_of_nothing_else},
    {"tasks.get-input-required", Eras::kStateless, SessionUse::kShared, shows_questions},
    {"tasks.update-acknowledged-empty", Eras::kStateless, SessionUse::kShared,
     acknowledges_answers},
    {"tasks.update-ignores-unknown-keys", Eras::kStateless, SessionUse::kShared,
     ignores_answers_to_nothing},
    {"tasks.input-keys-unique-per-task", Eras::kStateless, SessionUse::kShared, asks_by_fresh_keys},
};

}  // namespace

ServerChecks tasks_extension_life_checks() { return kTasksExtensionLifeChecks; }

}  // namespace plumbline::conformance
