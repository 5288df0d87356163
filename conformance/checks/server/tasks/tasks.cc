// Calls that become tasks: spec 2025-11-25, basic/utilities/tasks.

#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/tasks/extension_tasks.h"
#include "conformance/checks/server/tasks/living_tasks.h"
#include "conformance/wire/entropy.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoTasks = "it declares no tasks for tools/call, or has no tool for them";
constexpr const char* kMadeUp = "plumbline-no-such-task";
constexpr int kTasksMade = 4;
constexpr int kTasksForPages = 12;  // SDKs have pages of ten.

std::string task_support(const Json& tool) {
  const Json* const support = at_pointer(tool, "/execution/taskSupport");
  return support != nullptr && support->is_string() ? support->get<std::string>() : "forbidden";
}

// tool_with returns a tool with this taskSupport that may be called; nullptr: there is none.
const Json* tool_with(const Probe& probe, std::string_view support) {
  for (const Json& tool : probe.survey().tools.items) {
    if (task_support(tool) == support && probe.may_call(tool)) return &tool;
  }
  return nullptr;
}

bool has_task_calls(const Probe& probe) {
  return probe.survey().declares("/tasks/requests/tools/call");
}

// task_call returns the params of a call as a task that takes `seconds` where that can be said;
// null: there is no tool for it.
Json task_call(const Probe& probe, double seconds) {
  if (!has_task_calls(probe)) return nullptr;
  const Json* tool = tool_with(probe, "optional");
  if (tool == nullptr) tool = tool_with(probe, "required");
  if (tool == nullptr) return nullptr;
  Json params = probe.call_params(*tool);
  if (at_pointer(*tool, "/inputSchema/properties/seconds"))
    params["arguments"]["seconds"] = seconds;
  params["task"]["ttl"] = 60'000;
  return params;
}

Json by_id(const std::string& id) {
  Json params(Json::value_t::object);
  params["taskId"] = id;
  return params;
}

// Made is a task that was asked for.
struct Made {
  std::string unable;  // Why there is none; empty: there is.
  Reply reply;
  Json task;
  std::string id;
};

Task<Made> make_task(Probe& probe, Client& client, double seconds) {
  Made made;
  Json params = task_call(probe, seconds);
  made.unable = kNoTasks;
  if (params.is_null()) co_return std::move(made);
  made.reply = co_await client.request("tools/call", std::move(params));
  const Json* const task = at_pointer(*made.reply.message, "/result/task");
  made.unable = "a call as a task got " + made.reply.describe();
  if (task == nullptr) co_return std::move(made);
  made.unable.clear();
  made.task = *task;
  made.id = string_or(*task, "taskId", "");
  co_return std::move(made);
}

Task<Finding> makes_tasks(Probe& probe) {
  Client client = probe.client();
  const Made made = co_await make_task(probe, client, 0);
  if (made.unable == kNoTasks) co_return not_for_it(kNoTasks);
  if (!made.unable.empty()) co_return broken(made.unable + ", expected a result with task");
  if (at_pointer(*made.reply.message, "/result/content") == nullptr) co_return passes();
  co_return broken("the result that makes a task has the content of the tool as well");
}

Task<Finding> begins_working(Probe& probe) {
  Client client = probe.client();
  const Made made = co_await make_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const std::string status = string_or(made.task, "status", "");
  if (status == "working") co_return passes();
  co_return broken("a new task has the status \"" + status + "\", expected \"working\"");
}

Task<Finding> names_tasks_by_strings(Probe& probe) {
  Client client = probe.client();
  const Made made = co_await make_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  co_return made.id.empty() ? broken("a new task has no taskId that is a string") : passes();
}

Task<Finding> dates_tasks(Probe& probe) {
  Client client = probe.client();
  const Made made = co_await make_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply got = co_await client.request("tasks/get", by_id(made.id));
  for (const Reply* const reply : {&made.reply, &got}) {
    const Json* const task = reply == &got ? got.result() : &made.task;
    for (const char* const when : {"createdAt", "lastUpdatedAt"}) {
      const std::string text = task == nullptr ? "" : string_or(*task, when, "");
      if (text.size() >= 20 && text[4] == '-' && text[10] == 'T') continue;
      co_return about(broken("a task has the " + std::string(when) + " \"" + text +
                             "\", expected a time as of RFC 3339"),
                      *reply);
    }
  }
  co_return passes();
}

Task<Finding> reports_ttl(Probe& probe) {
  Client client = probe.client();
  const Made made = co_await make_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply got = co_await client.request("tasks/get", by_id(made.id));
  const Json* const ttl = got.result() == nullptr ? nullptr : find(*got.result(), "ttl");
  if (ttl != nullptr && (ttl->is_number() || ttl->is_null())) co_return passes();
  co_return broken("tasks/get got " + got.describe() +
                   (ttl == nullptr ? " without ttl" : " with a ttl that is no number"));
}

Task<std::vector<std::string>> made_ids(Probe& probe, Client& client) {
  std::vector<std::string> ids;
  for (int i = 0; i < kTasksMade; ++i) {
    const Made made = co_await make_task(probe, client, 0);
    if (!made.id.empty()) ids.push_back(made.id);
  }
  co_return std::move(ids);
}

Task<Finding> repeats_no_id(Probe& probe) {
  Client client = probe.client();
  const std::vector<std::string> ids = co_await made_ids(probe, client);
  if (ids.size() < 2) co_return not_for_it(kNoTasks);
  for (std::size_t i = 1; i < ids.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (ids[i] == ids[k]) co_return broken("two tasks have the id \"" + ids[i] + "\"");
    }
  }
  co_return passes();
}

Task<Finding> draws_task_ids(Probe& probe) {
  Client client = probe.client();
  const std::vector<std::string> ids = co_await made_ids(probe, client);
  if (ids.size() < 2) co_return not_for_it(kNoTasks);
  const std::string weak = weakness_of(ids);
  co_return weak.empty() ? passes() : broken("its task ids can be guessed: " + weak);
}

Task<Finding> refuses_tasks_of_others(Probe& probe) {
  const Json* const tool = has_task_calls(probe) ? tool_with(probe, "forbidden") : nullptr;
  if (tool == nullptr) co_return not_for_it("it declares no tasks, or each tool takes them");
  Client client = probe.client();
  Json params = probe.call_params(*tool);
  params["task"]["ttl"] = 60'000;
  const Reply reply = co_await client.request("tools/call", std::move(params));
  co_return expect_error(reply, {-32601});
}

Task<Finding> insists_on_tasks(Probe& probe) {
  const Json* const tool = has_task_calls(probe) ? tool_with(probe, "required") : nullptr;
  if (tool == nullptr) co_return not_for_it("no tool that may be called has to be a task");
  Client client = probe.client();
  const Reply reply = co_await client.request("tools/call", probe.call_params(*tool));
  co_return expect_error(reply, {-32601});
}

Task<Finding> ignores_what_it_did_not_declare(Probe& probe) {
  if (has_task_calls(probe)) co_return not_for_it("it declares tasks for tools/call");
  const Json* const tool = probe.callable();
  if (tool == nullptr) co_return not_for_it("no tool may be called");
  Client client = probe.client();
  Json params = probe.call_params(*tool);
  params["task"]["ttl"] = 60'000;
  const Reply reply = co_await client.call("tools/call", std::move(params));
  if (at_pointer(*reply.message, "/result/task") == nullptr) co_return passes();
  co_return broken("it declares no tasks for tools/call, and a call with task became one");
}

Task<Finding> knows_its_tasks(Probe& probe) {
  if (!has_task_calls(probe)) co_return not_for_it(kNoTasks);
  Client client = probe.client();
  for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
    if (std::string_view(method) == "tasks/cancel" && !probe.survey().declares("/tasks/cancel")) {
      continue;
    }
    const Reply reply = co_await client.request(method, by_id(kMadeUp));
    if (reply.code() == -32602) continue;
    co_return broken(std::string(method) + " of a task that there is not got " + reply.describe() +
                     ", expected error -32602");
  }
  co_return passes();
}

Task<Finding> refuses_made_up_task_cursors(Probe& probe) {
  if (!probe.survey().declares("/tasks/list")) co_return not_for_it("it does not list tasks");
  Client client = probe.client();
  Json params(Json::value_t::object);
  params["cursor"] = "plumbline: no cursor of anybody";
  const Reply reply = co_await client.request("tasks/list", std::move(params));
  co_return expect_error(reply, {-32602});
}

Task<Finding> lists_its_tasks(Probe& probe) {
  if (!probe.survey().declares("/tasks/list")) co_return not_for_it("it does not list tasks");
  Client client = probe.client();
  const Made made = co_await make_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Listing all = co_await list_all(client.session(), client.check(), "tasks/list", "tasks");
  if (Survey::item(all, "taskId", made.id) != nullptr) co_return passes();
  co_return all.whole ? broken("tasks/list does not name the task \"" + made.id + "\"")
                      : undecided("tasks/list did not come to an end");
}

Task<Finding> leads_to_every_task(Probe& probe) {
  if (!probe.survey().declares("/tasks/list")) co_return not_for_it("it does not list tasks");
  Client client = probe.client();
  std::vector<std::string> ids;
  for (int i = 0; i < kTasksForPages; ++i) {
    const Made made = co_await make_task(probe, client, 0);
    if (!made.unable.empty()) co_return not_for_it(made.unable);
    ids.push_back(made.id);
  }
  const Reply page = co_await client.request("tasks/list");
  const Json* const tasks = page.result() == nullptr ? nullptr : find(*page.result(), "tasks");
  if (tasks == nullptr) co_return not_for_it("tasks/list got " + page.describe());
  if (find(*page.result(), "nextCursor") != nullptr) co_return passes();
  for (const Json& task : *tasks) std::erase(ids, string_or(task, "taskId", ""));
  if (ids.empty()) co_return not_for_it("its tasks are on one page");
  const Reply got = co_await client.request("tasks/get", by_id(ids.front()));
  if (got.result() == nullptr) co_return not_for_it("its tasks are gone");
  co_return about(broken("tasks/list has no nextCursor, and lacks " + std::to_string(ids.size()) +
                         " tasks that there are"),
                  page);
}

Task<Finding> waits_with_the_result(Probe& probe) {
  Client client = probe.client();
  const Made made = co_await make_task(probe, client, 0.2);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply result = co_await client.request("tasks/result", by_id(made.id));
  if (!result.answered()) co_return undecided("tasks/result got " + result.describe());
  const Reply got = co_await client.request("tasks/get", by_id(made.id));
  const std::string status = got.result() ? string_or(*got.result(), "status", "") : "";
  if (status != "working") co_return passes();
  co_return about(broken("tasks/result was answered while the task was still working"), result);
}

Task<Finding> relates_results(Probe& probe) {
  Client client = probe.client();
  const Made made = co_await make_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply reply = co_await client.request("tasks/result", by_id(made.id));
  if (reply.result() == nullptr) co_return not_for_it("tasks/result got " + reply.describe());
  const Json* const id =
      at_pointer(*reply.message, "/result/_meta/io.modelcontextprotocol~1related-task/taskId");
  if (id != nullptr && *id == Json(made.id)) co_return passes();
  co_return broken("the result of tasks/result does not name its task in _meta " +
                   std::string(kMetaRelatedTask));
}

Task<Finding> marks_cancelled_tasks(Probe& probe) {
  if (!probe.survey().declares("/tasks/cancel")) co_return not_for_it("it cancels no tasks");
  Client client = probe.client();
  const Made made = co_await make_task(probe, client, 5);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply reply = co_await client.request("tasks/cancel", by_id(made.id));
  if (reply.code() == -32602) co_return not_for_it("the task was over at once");
  const std::string status = reply.result() ? string_or(*reply.result(), "status", "") : "";
  if (status == "cancelled") co_return passes();
  co_return broken("tasks/cancel got " + reply.describe() + " with the status \"" + status +
                   "\", expected \"cancelled\"");
}

Task<Finding> cancels_once(Probe& probe) {
  if (!probe.survey().declares("/tasks/cancel")) co_return not_for_it("it cancels no tasks");
  Client client = probe.client();
  const Made made = co_await make_task(probe, client, 5);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  co_await client.request("tasks/cancel", by_id(made.id));
  const Reply reply = co_await client.request("tasks/cancel", by_id(made.id));
  co_return expect_error(reply, {-32602});
}

Task<Finding> goes_by_the_parameter(Probe& probe) {
  Client client = probe.client();
  const Made made = co_await make_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  Json params = by_id(made.id);
  params["_meta"][kMetaRelatedTask]["taskId"] = kMadeUp;
  const Reply reply = co_await client.request("tasks/get", std::move(params));
  const std::string id = reply.result() ? string_or(*reply.result(), "taskId", "") : "";
  if (id == made.id) co_return passes();
  co_return broken("tasks/get with metadata of another task got " + reply.describe() +
                   ", expected the task of its taskId");
}

// What is asked about a task that is, and fails, fails inside the server.
Task<Finding> names_its_failures(Probe& probe) {
  const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kTaskBreaks);
  if (!use) co_return needs(Shows::kTaskBreaks);
  Client client = probe.client();
  std::string id;
  if (probe.stateless()) {
    const ExtensionTask made = co_await make_extension_task(probe, client, 1, use->name);
    if (!made.unable.empty()) co_return not_for_it(made.unable);
    id = made.id;
  } else {
    const LivingTask made = co_await begin_task(probe, client, tool_for_tasks(probe, use->name), 1);
    if (!made.unable.empty()) co_return not_for_it(made.unable);
    id = made.id;
  }
  Finding finding = not_for_it("nothing that was asked about a task of " + use->name + " failed");
  for (const char* const method : {"tasks/get", "tasks/cancel"}) {
    std::string asked = method;
    Json params = Json::object();
    params["taskId"] = id;
    if (probe.stateless()) params = with_task_extension(client, std::move(params));
    const Reply reply = co_await client.request(std::move(asked), std::move(params));
    if (reply.error() == nullptr || reply.code() == -32602) continue;
    finding = passes();
    if (reply.code() == -32603) continue;
    co_return broken(std::string(method) + " failed inside the server and got " + reply.describe() +
                     ", expected -32603");
  }
  co_return std::move(finding);
}

constexpr ServerCheck kTasksChecks[] = {
    {"tasks.internal-error-code", Eras::kBoth, SessionUse::kShared, names_its_failures},
    {"tasks.create-result", Eras::kStateful, SessionUse::kShared, makes_tasks},
    {"tasks.initial-status-working", Eras::kStateful, SessionUse::kShared, begins_working},
    {"tasks.id-is-string-from-receiver", Eras::kStateful, SessionUse::kShared,
     names_tasks_by_strings},
    {"tasks.timestamps-present", Eras::kStateful, SessionUse::kShared, dates_tasks},
    {"tasks.ttl-reported", Eras::kStateful, SessionUse::kShared, reports_ttl},
    {"tasks.id-unique", Eras::kStateful, SessionUse::kShared, repeats_no_id},
    {"tasks.id-entropy", Eras::kStateful, SessionUse::kShared, draws_task_ids},
    {"tasks.tool-forbidden-32601", Eras::kStateful, SessionUse::kShared, refuses_tasks_of_others},
    {"tasks.tool-required-32601", Eras::kStateful, SessionUse::kShared, insists_on_tasks},
    {"tasks.undeclared-augmentation-ignored", Eras::kStateful, SessionUse::kShared,
     ignores_what_it_did_not_declare},
    {"tasks.capability-declared", Eras::kStateful, SessionUse::kShared,
     ignores_what_it_did_not_declare},
    {"tasks.unknown-id-32602", Eras::kStateful, SessionUse::kShared, knows_its_tasks},
    {"tasks.list-bad-cursor-32602", Eras::kStateful, SessionUse::kShared,
     refuses_made_up_task_cursors},
    {"tasks.list-complete", Eras::kStateful, SessionUse::kShared, lists_its_tasks},
    {"tasks.list-next-cursor", Eras::kStateful, SessionUse::kAlone, leads_to_every_task},
    {"tasks.result-blocks-until-terminal", Eras::kStateful, SessionUse::kShared,
     waits_with_the_result},
    {"tasks.result-has-related-meta", Eras::kStateful, SessionUse::kShared, relates_results},
    {"tasks.cancel-marks-before-response", Eras::kStateful, SessionUse::kShared,
     marks_cancelled_tasks},
    {"tasks.cancel-terminal-32602", Eras::kStateful, SessionUse::kShared, cancels_once},
    {"tasks.id-param-decides", Eras::kStateful, SessionUse::kShared, goes_by_the_parameter},
};

}  // namespace

ServerChecks tasks_checks() { return kTasksChecks; }

}  // namespace plumbline::conformance
