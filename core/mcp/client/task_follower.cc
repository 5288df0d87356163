#include "core/mcp/client/task_follower.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "core/base/wait.h"
#include "core/mcp/client/client_era.h"
#include "core/mcp/client/peer_work.h"

namespace plumbline::mcp {

namespace {

using Kind = Failure::Kind;

constexpr std::int64_t kPollMsDefault = 1'000;
constexpr std::int64_t kPollMsMin = 1;
constexpr std::int64_t kPollMsMax = 3'600'000;

Json naming(const std::string& task_id) {
  Json params(Json::value_t::object);
  params["taskId"] = task_id;
  return params;
}

Failure failure_of(const Json& error) {
  const Json* const data = find(error, "data");
  return Failure(int_or(error, "code", rpc::kInternalError), string_or(error, "message", ""),
                 data ? *data : Json());
}

// lost_task is why a task can be followed no further. The call was taken, so nobody knows what
// became of it.
Failure lost_task(const std::string& id, Failure why) {
  if (why.kind != Kind::kRpc) return why;
  return Failure(Kind::kInvalidReply, "task " + dump_json(Json(id)) +
                                          ", which the call became, is lost: " + describe(why));
}

Duration poll_of(const Json& task) {
  const std::int64_t ms =
      int_or(task, "pollIntervalMs", int_or(task, "pollInterval", kPollMsDefault));
  return std::chrono::milliseconds(std::clamp(ms, kPollMsMin, kPollMsMax));
}

}  // namespace

// Spec 2025-11-25, basic/utilities/tasks, Task Polling (SHOULD respect pollInterval, SHOULD NOT
// rely on notifications); Input Required Status (SHOULD call tasks/result).
Task<Reply<Json>> TaskFollower::follow(std::string method, Json params, Instant deadline) {
  const Instant started = loop_.now();
  const bool augmented = find(params, "task") != nullptr;
  Reply<Json> called = co_await request_(std::move(method), std::move(params), deadline);
  if (!called.ok()) co_return std::move(called);
  const Json* const handle = augmented ? find(called.value(), "task") : nullptr;
  const bool extension = string_or(called.value(), "resultType", "") == "task";
  if (handle == nullptr && !extension) co_return std::move(called);
  Json task = handle != nullptr ? *handle : called.value();
  const std::string id = string_or(task, "taskId", "");
  if (id.empty()) co_return std::move(called);
  // A task may take longer than its call, as one that reports progress; each answer may not.
  const Duration patience = deadline - started;
  const Instant end = std::max(deadline, after(started, engine_.options().extended_total_max));
  std::set<std::string> answered;
  for (;;) {
    const std::string status = string_or(task, "status", "");
    if (status == "cancelled") co_return Failure(Kind::kCancelled, "the task was cancelled");
    const bool over = status == "completed" || status == "failed";
    if (!extension && (over || status == "input_required")) {
      const Instant told = over ? std::min(after(loop_.now(), patience), end) : end;
      Reply<Json> outcome = co_await request_("tasks/result", naming(id), told);
      co_return std::move(outcome);
    }
    if (over) {
      if (const Json* const error = find(task, "error")) co_return failure_of(*error);
      const Json* const result = find(task, "result");
      co_return read_result(engine_.server().revision, "tools/call", result ? *result : Json());
    }
    if (status == "input_required") {
      Json asks = Json::object();
      const Json* const requests = find(task, "inputRequests");
      const Json none = Json::object();
      for (const auto& [name, request] : (requests ? *requests : none).items()) {
        if (answered.insert(name).second) asks[name] = request;
      }
      if (!asks.empty()) {
        Reply<Json> told = co_await hand_in(id, std::move(asks), end);
        if (!told.ok()) co_return std::move(told);
      }
    }
    const Instant next = std::min(after(loop_.now(), poll_of(task)), end);
    co_await Sleep(loop_, next);
    if (loop_.now() >= end) co_return Failure(Kind::kTimeout, "the task took too long");
    const Instant soon = std::min(after(loop_.now(), patience), end);
    Reply<Json> looked = co_await request_("tasks/get", naming(id), soon);
    if (!looked.ok() && classify(looked.error()) == FailureClass::kRateLimit) continue;
    if (!looked.ok()) co_return lost_task(id, std::move(looked).error());
    task = std::move(looked).value();
  }
}

// hand_in asks our handlers and hands in what they say.
Task<Reply<Json>> TaskFollower::hand_in(std::string id, Json asks, Instant deadline) {
  Json params = naming(id);
  Json& responses = params["inputResponses"] = Json::object();
  for (const auto& [name, request] : asks.items()) {
    const std::string method = string_or(request, "method", "");
    const Json* const given = find(request, "params");
    Json question = given != nullptr ? *given : Json::object();
    if (std::optional<Failure> no = engine_.refuses(method, question)) co_return *std::move(no);
    Task<Reply<Json>> handler = handler_of(engine_.options(), method)(std::move(question));
    Result<Reply<Json>> answer =
        co_await with_deadline(loop_, deadline, method, std::move(handler));
    if (!answer.ok()) co_return Failure(Kind::kTimeout, answer.error().message);
    if (!answer.value().ok()) co_return std::move(answer.value()).error();
    responses[name] = std::move(answer.value()).value();
  }
  Reply<Json> told = co_await request_("tasks/update", std::move(params), deadline);
  co_return std::move(told);
}

}  // namespace plumbline::mcp
