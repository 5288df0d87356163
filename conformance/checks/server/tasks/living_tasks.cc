#include "conformance/checks/server/tasks/living_tasks.h"

#include <chrono>
#include <utility>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/listening.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kLifeMax = std::chrono::seconds(6);
constexpr Duration kLook = std::chrono::milliseconds(100);

bool may_be_task(const Json& tool) {
  const Json* const support = at_pointer(tool, "/execution/taskSupport");
  return support != nullptr && (*support == Json("optional") || *support == Json("required"));
}

}  // namespace

const Json* tool_for_tasks(const Probe& probe, std::string_view name) {
  if (!probe.survey().declares("/tasks/requests/tools/call")) return nullptr;
  for (const Json& tool : probe.survey().tools.items) {
    if (!name.empty() && string_or(tool, "name", "") != name) continue;
    if (may_be_task(tool) && probe.may_call(tool)) return &tool;
  }
  return nullptr;
}

Json params_of_task(const Probe& probe, const Json& tool, double seconds) {
  Json params = probe.call_params(tool);
  if (at_pointer(tool, "/inputSchema/properties/seconds")) {
    params["arguments"]["seconds"] = seconds;
  }
  return params;
}

Task<LivingTask> begin_task(Probe& probe, Client& client, const Json* tool, double seconds) {
  LivingTask task;
  task.unable = "it declares no tasks for tools/call, or has no tool for them";
  if (tool == nullptr) co_return std::move(task);
  Json params = params_of_task(probe, *tool, seconds);
  params["task"]["ttl"] = 60'000;
  const Reply reply = co_await client.request("tools/call", std::move(params));
  const Json* const made = at_pointer(*reply.message, "/result/task");
  task.id = made == nullptr ? "" : string_or(*made, "taskId", "");
  task.unable = task.id.empty() ? "a call as a task got " + reply.describe() : "";
  co_return std::move(task);
}

Task<Reply> ask_about(Client& client, std::string method, std::string id) {
  Json params = Json::object();
  params["taskId"] = std::move(id);
  Reply reply = co_await client.request(std::move(method), std::move(params));
  co_return std::move(reply);
}

std::string status_in(const Reply& reply) {
  return reply.result() == nullptr ? "" : string_or(*reply.result(), "status", "");
}

bool is_terminal(std::string_view status) {
  return status == "completed" || status == "failed" || status == "cancelled";
}

Task<std::vector<Reply>> looks_until_over(Client& client, std::string id) {
  std::vector<Reply> seen;
  const Instant enough = after(client.loop().now(), kLifeMax + client.pace().several(4));
  while (client.loop().now() < enough) {
    Reply reply = co_await ask_about(client, "tasks/get", id);
    if (reply.result() == nullptr) break;
    seen.push_back(std::move(reply));
    if (is_terminal(status_in(seen.back()))) break;
    co_await Sleep(client.loop(), after(client.loop().now(), kLook));
  }
  co_return std::move(seen);
}

Task<Lived> live(Probe& probe, Client& client, std::vector<std::string> names) {
  Lived lived;
  const std::size_t first = frames_of(client);
  LivingTask task;
  task.unable = "no tool that is known to ask as a task may be called";
  for (const std::string& name : names) {
    const Json* const tool = tool_for_tasks(probe, name);
    if (tool == nullptr) continue;
    task = co_await begin_task(probe, client, tool, 0);
    if (task.unable.empty()) break;
  }
  lived.unable = task.unable;
  lived.id = task.id;
  if (!lived.unable.empty()) co_return std::move(lived);
  Json params = Json::object();
  params["taskId"] = task.id;
  Client::Begun result = client.begin(client.request_of("tasks/result", std::move(params)));
  lived.polled = co_await looks_until_over(client, task.id);
  co_await client.finish(std::move(result));
  co_await Sleep(client.loop(), after(client.loop().now(), client.pace().quiet()));
  const Inbox& inbox = client.session().wire().inbox();
  for (std::size_t at = first; at < inbox.frames.size(); ++at) {
    if (find(*inbox.frames[at].message, "method")) lived.heard.push_back(*inbox.frames[at].message);
  }
  co_return std::move(lived);
}

}  // namespace plumbline::conformance
