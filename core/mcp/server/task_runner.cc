#include "core/mcp/server/task_runner.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/wait.h"
#include "core/mcp/protocol/answer.h"
#include "core/mcp/protocol/downgrade.h"
#include "core/mcp/protocol/meta_keys.h"

namespace plumbline::mcp {

namespace {

using Kind = Failure::Kind;

Json related_task(const TaskRecord& task) {
  Json related(Json::value_t::object);
  related["taskId"] = task.id;
  return related;
}

Json error_object(const Failure& why) {
  Json error(Json::value_t::object);
  error["code"] = why.kind == Kind::kRpc ? why.code : rpc::kInternalError;
  error["message"] = why.message;
  if (!why.data.is_null()) error["data"] = why.data;
  return error;
}

}  // namespace

TaskRunner::TaskRunner(Loop& loop, const ServerOptions& options)
    : loop_(loop), store_(options), waiters_(*this) {}

// A Task that is dropped gives up what it waits for, and that looks into every run.
TaskRunner::~TaskRunner() {
  for (auto& [number, run] : runs_) run.work.drop();
}

Reply<Json> TaskRunner::start(const ServerHandler& handler, ServerEngine::Call call,
                              ClientInfo client, std::string owner, TaskClient& session) {
  const Result<TaskRecord*, std::string> created =
      store_.create(std::move(owner), client.revision, call.task->ttl, call.params, loop_.now());
  if (!created.ok()) return Failure(rpc::kInternalError, created.error());
  TaskRecord* const task = created.value();
  const std::int64_t number = task->number;
  Run& run = runs_[number];
  run.client = std::move(client);
  if (!is_stateless(task->revision)) run.session = &session;
  Json handle = store_.describe(*task);
  call.key = number;
  run.work = work(number, handler(ServerCall(this, std::move(call))));
  run.work.start();
  rearm();
  Json result(Json::value_t::object);
  if (has_task_extension(run.client.revision)) {
    result = std::move(handle);
    result["resultType"] = "task";
  } else {
    result["task"] = std::move(handle);
  }
  return result;
}

Task<void> TaskRunner::work(std::int64_t number, Task<Reply<Json>> answer) {
  co_await Sleep(loop_, loop_.now());  // Whoever asked learns of the task first.
  Reply<Json> reply = co_await std::move(answer);
  end(number, std::move(reply));
}

void TaskRunner::end(std::int64_t number, Reply<Json> reply) {
  TaskRecord* const task = store_.find(number);
  if (task == nullptr || task->over()) return;
  if (!reply.ok() && reply.error().code == rpc::kInvalidParams) {
    reply = tool_error(reply.error().message);
  }
  bool failed = !reply.ok();
  std::string message = failed ? reply.error().message : "";
  if (reply.ok()) {
    downgrade_result("tools/call", reply.value(), task->revision);
    if (is_stateless(task->revision)) {
      reply.value().emplace("resultType", "complete");
    } else if (bool_or(reply.value(), "isError", false)) {
      failed = true;
      message = "the tool has failed";
    }
  }
  store_.keep(*task, std::move(reply));
  task->asks = Json::object();
  store_.change(*task, failed ? TaskStatus::kFailed : TaskStatus::kCompleted, std::move(message),
                loop_.now());
  changed(*task);
  wake(runs_.at(number), *task);
}

void TaskRunner::changed(const TaskRecord& task) {
  const auto run = runs_.find(task.number);
  if (run != runs_.end() && run->second.session != nullptr) {
    run->second.session->task_changed(store_.describe(task));
  }
  if (on_change_) on_change_(task, shown(task));
}

void TaskRunner::set_status(std::int64_t number, TaskStatus status, std::string message) {
  TaskRecord* const task = store_.find(number);
  if (task != nullptr && store_.change(*task, status, std::move(message), loop_.now())) {
    changed(*task);
  }
}

// wake answers who waits for the outcome.
void TaskRunner::wake(Run& run, const TaskRecord& task) {
  Reply<Json> outcome = Failure(rpc::kInternalError, "the task was cancelled");
  if (task.outcome) outcome = *task.outcome;
  for (const std::int64_t id : std::exchange(run.waiting, {})) waiters_.finish(id, outcome);
}

void TaskRunner::rearm() {
  const Instant next = store_.next_expiry();
  if (next == kNever) {
    disarm();
  } else {
    loop_.arm(*this, next);
  }
}

void TaskRunner::fire() {
  for (const std::int64_t number : store_.expired(loop_.now())) {
    auto run = runs_.extract(number);
    run.mapped().work.drop();  // From the loop: it is not what is running.
    for (const std::int64_t id : std::exchange(run.mapped().waiting, {})) {
      waiters_.finish(id, Failure(rpc::kInvalidParams, "the task has expired"));
    }
  }
  rearm();
}

void TaskRunner::give_up(std::int64_t id) {
  for (auto& [number, run] : runs_) {
    std::erase(run.waiting, id);
    std::erase_if(run.asked, [id](const auto& item) { return item.second == id; });
  }
}

void TaskRunner::forget(const TaskClient& session) {
  for (auto& [number, run] : runs_) {
    if (run.session != &session) continue;
    run.session = nullptr;
    TaskRecord* const task = store_.find(number);
    if (task == nullptr || task->status != TaskStatus::kInputRequired) continue;
    run.work.drop();  // Nobody answers it any more.
    end(number, Failure(rpc::kInternalError, "the client is gone"));
  }
}

Task<Reply<Json>> TaskRunner::answer(std::string method, Json params, Revision revision,
                                     std::string owner) {
  if (method == "tasks/list") co_return store_.list(owner, plumbline::find(params, "cursor"));
  const std::string id = string_or(params, "taskId", "");
  TaskRecord* const task = store_.find(id, owner);
  if (task == nullptr || is_stateless(task->revision) != is_stateless(revision)) {
    co_return Failure(rpc::kInvalidParams, "unknown task " + dump_json(Json(id)));
  }
  if (method == "tasks/get") co_return get(*task);
  if (method == "tasks/cancel") co_return cancel(*task);
  if (method == "tasks/update") co_return update(*task, params);
  const Json related = related_task(*task);
  const std::int64_t number = task->number;
  Reply<Json> outcome = co_await outcome_of(number);
  if (outcome.ok()) outcome.value()["_meta"][std::string(kMetaRelatedTask)] = related;
  co_return std::move(outcome);
}

Task<Reply<Json>> TaskRunner::outcome_of(std::int64_t number) {
  TaskRecord* const task = store_.find(number);
  if (task->outcome) co_return *task->outcome;
  if (task->over()) co_return Failure(rpc::kInternalError, "the task was cancelled");
  const std::int64_t id = next_wait_++;
  runs_.at(number).waiting.push_back(id);
  Reply<Json> reply = co_await ReplyWaiters::Wait(waiters_, id);
  co_return std::move(reply);
}

Json TaskRunner::shown(const TaskRecord& task) const {
  Json full = store_.describe(task);
  if (!has_task_extension(task.revision)) return full;
  if (task.status == TaskStatus::kInputRequired) full["inputRequests"] = task.asks;
  if (!task.outcome) return full;
  if (task.outcome->ok()) {
    full["result"] = task.outcome->value();
  } else {
    full["error"] = error_object(task.outcome->error());
  }
  return full;
}

Reply<Json> TaskRunner::get(const TaskRecord& task) const { return shown(task); }

// Spec 2025-11-25, basic/utilities/tasks, Task Cancellation (MUST -32602 for one that is over).
Reply<Json> TaskRunner::cancel(TaskRecord& task) {
  const bool extension = has_task_extension(task.revision);
  if (task.over() && !extension) {
    return Failure(rpc::kInvalidParams, "the task is over: " + std::string(name_of(task.status)));
  }
  if (!task.over()) {
    Run& run = runs_.at(task.number);
    task.asks = Json::object();
    store_.change(task, TaskStatus::kCancelled, "cancelled by the client", loop_.now());
    run.work.drop();
    changed(task);
    wake(run, task);
  }
  return extension ? Json(Json::value_t::object) : store_.describe(task);
}

Reply<Json> TaskRunner::update(TaskRecord& task, const Json& params) {
  const Json* const given = plumbline::find(params, "inputResponses");
  if (given == nullptr || !given->is_object()) {
    return Failure(rpc::kInvalidParams, "tasks/update without object inputResponses");
  }
  Run& run = runs_.at(task.number);
  const Json responses = *given;
  for (const auto& [name, response] : responses.items()) {
    if (!task.asks.contains(name)) continue;  // Unknown, answered or superseded.
    task.asks.erase(name);
    run.answered[name] = response;
    const auto waiting = run.asked.find(name);
    if (waiting == run.asked.end()) continue;
    const std::int64_t id = waiting->second;
    run.asked.erase(waiting);
    waiters_.finish(id, response);
  }
  return Json(Json::value_t::object);
}

const ClientInfo* TaskRunner::client_of(ServerEngine::Key key) const {
  const auto found = runs_.find(key);
  return found == runs_.end() ? nullptr : &found->second.client;
}

Task<Reply<Json>> TaskRunner::request(ServerEngine::Key key, std::string method, Json params,
                                      Instant deadline) {
  std::vector<Ask> asks;
  asks.push_back(Ask{"request", std::move(method), std::move(params)});
  Reply<Json> answers = co_await ask(key, std::move(asks), deadline);
  if (!answers.ok()) co_return std::move(answers);
  co_return std::move(answers.value()["request"]);
}

Task<Reply<Json>> TaskRunner::ask(ServerEngine::Key key, std::vector<Ask> asks, Instant deadline) {
  const auto found = runs_.find(key);
  check(found != runs_.end(), "a task that asks after its end");
  return has_task_extension(found->second.client.revision)
             ? ask_by_task(key, std::move(asks), deadline)
             : ask_by_session(key, std::move(asks), deadline);
}

// ask_by_session sends requests that say which task they belong to.
Task<Reply<Json>> TaskRunner::ask_by_session(std::int64_t number, std::vector<Ask> asks,
                                             Instant deadline) {
  const TaskRecord* const task = store_.find(number);
  const Json related = related_task(*task);
  Json answers = Json::object();
  for (Ask& ask : asks) {
    TaskClient* const session = runs_.at(number).session;
    if (session == nullptr) co_return Failure(Kind::kDisconnected, "the client is gone");
    ask.params["_meta"][std::string(kMetaRelatedTask)] = related;
    set_status(number, TaskStatus::kInputRequired, ask.method);
    Reply<Json> reply =
        co_await session->request(std::move(ask.method), std::move(ask.params), deadline);
    set_status(number, TaskStatus::kWorking, std::string());
    if (!reply.ok()) co_return std::move(reply);
    answers[ask.name] = std::move(reply).value();
  }
  co_return std::move(answers);
}

// ask_by_task shows the questions to who looks at the task, and waits for tasks/update.
Task<Reply<Json>> TaskRunner::ask_by_task(std::int64_t number, std::vector<Ask> asks,
                                          Instant deadline) {
  Run& run = runs_.at(number);
  for (Ask& ask : asks) {
    if (std::optional<Failure> no = undeclared_error(run.client, ask)) co_return *std::move(no);
    if (run.answered.contains(ask.name)) continue;
    Json& question = store_.find(number)->asks[ask.name];
    question["method"] = std::move(ask.method);
    if (!ask.params.is_null()) question["params"] = std::move(ask.params);
  }
  if (!store_.find(number)->asks.empty()) {
    set_status(number, TaskStatus::kInputRequired, std::string());
  }
  Json answers = Json::object();
  for (const Ask& ask : asks) {
    if (!run.answered.contains(ask.name)) {
      const std::int64_t id = next_wait_++;
      run.asked[ask.name] = id;
      Result<Reply<Json>> reply = co_await with_deadline(loop_, deadline, ask.name, wait_for(id));
      if (!reply.ok()) {
        store_.find(number)->asks = Json::object();
        set_status(number, TaskStatus::kWorking, std::string());
        co_return Failure(Kind::kTimeout, reply.error().message);
      }
    }
    answers[ask.name] = run.answered[ask.name];
  }
  set_status(number, TaskStatus::kWorking, std::string());
  co_return std::move(answers);
}

Task<Reply<Json>> TaskRunner::wait_for(std::int64_t id) {
  Reply<Json> reply = co_await ReplyWaiters::Wait(waiters_, id);
  co_return std::move(reply);
}

}  // namespace plumbline::mcp
