#include "conformance/checks/server/tasks/extension_tasks.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/peer/answers.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kTriesMax = 8;
constexpr Duration kWatchMax = std::chrono::seconds(6);
constexpr std::int64_t kPollMsMax = 500;

std::vector<const Json*> candidates(const Probe& probe, const std::string& fixture) {
  std::vector<const Json*> tools;
  const auto add = [&](const Json* tool) {
    if (tool == nullptr || tools.size() == kTriesMax || !probe.may_call(*tool)) return;
    if (std::ranges::find(tools, tool) == tools.end()) tools.push_back(tool);
  };
  if (!fixture.empty()) {
    add(probe.fixture(fixture));
    return tools;
  }
  for (const bool likely : {true, false}) {
    for (const Json& tool : probe.survey().tools.items) {
      const std::string name = string_or(tool, "name", "");
      const bool known = probe.surely_shows(name, Shows::kTask);
      if (known == likely && !probe.disturbs(name)) add(&tool);
    }
  }
  return tools;
}

// looks_like_time is lenient: ISO 8601 knows many ways.
bool looks_like_time(std::string_view text) {
  constexpr std::size_t kShortest = 14;
  return text.size() >= kShortest && text.find('T') != std::string_view::npos &&
         std::ranges::all_of(text.substr(0, 4), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool offers_task_extension(const Probe& probe) {
  const Json* const extensions = find(probe.survey().capabilities, "extensions");
  return extensions != nullptr && find(*extensions, kTasksExtension) != nullptr;
}

Json with_task_extension(Client& client, Json params) {
  Json request = client.request_of("tasks/get", std::move(params));
  request["params"]["_meta"][kMetaCapabilities]["extensions"][kTasksExtension] = Json::object();
  return std::move(request["params"]);
}

bool is_task_handle(const Reply& reply) {
  const Json* const result = reply.result();
  if (result == nullptr || !result->is_object()) return false;
  if (string_or(*result, "resultType", "") == "task") return true;
  return find(*result, "taskId") != nullptr && find(*result, "content") == nullptr;
}

Task<ExtensionTask> make_extension_task(Probe& probe, Client& client, double seconds,
                                        std::string fixture, Json meta) {
  ExtensionTask made;
  made.unable = kNoExtension;
  if (!offers_task_extension(probe)) co_return std::move(made);
  made.unable = fixture.empty() ? "no call of a tool that may be called became a task"
                                : "no tool " + fixture + " may be called and becomes a task";
  for (const Json* const tool : candidates(probe, fixture)) {
    made.call = probe.call_params(*tool);
    if (at_pointer(*tool, "/inputSchema/properties/seconds")) {
      made.call["arguments"]["seconds"] = seconds;
    }
    Json params = with_task_extension(client, made.call);
    params["_meta"].update(meta);
    made.reply = co_await client.call("tools/call", std::move(params));
    if (!is_task_handle(made.reply)) continue;
    made.id = string_or(*made.reply.result(), "taskId", "");
    made.unable.clear();
    break;
  }
  co_return std::move(made);
}

Task<Reply> about_task(Client& client, std::string method, std::string id) {
  Json params = Json::object();
  params["taskId"] = std::move(id);
  params = with_task_extension(client, std::move(params));
  Reply reply = co_await client.request(std::move(method), std::move(params));
  co_return std::move(reply);
}

Task<Reply> answer_task(Client& client, std::string id, Json asked) {
  Json params = Json::object();
  params["taskId"] = std::move(id);
  params["inputResponses"] = Json::object();
  if (asked.is_object()) {
    for (const auto& [key, request] : asked.items()) {
      params["inputResponses"][key] = granted(request);
    }
  }
  params = with_task_extension(client, std::move(params));
  Reply reply = co_await client.request("tasks/update", std::move(params));
  co_return std::move(reply);
}

std::string status_of(const Reply& reply) {
  const Json* const result = reply.result();
  return result == nullptr ? "" : string_or(*result, "status", "");
}

bool is_over(std::string_view status) {
  return status == "completed" || status == "failed" || status == "cancelled";
}

std::string task_problem(const Json& task) {
  if (string_or(task, "taskId", "").empty()) return "has no taskId that is a string";
  const std::string status = string_or(task, "status", "");
  if (!is_over(status) && status != "working" && status != "input_required") {
    return "has the status \"" + status + "\"";
  }
  for (const char* const when : {"createdAt", "lastUpdatedAt"}) {
    const std::string text = string_or(task, when, "");
    if (!looks_like_time(text)) return std::string("has the ") + when + " \"" + text + "\"";
  }
  const Json* const ttl = find(task, "ttlMs");
  if (ttl == nullptr) return "has no ttlMs";
  if (!ttl->is_null() && !as_int(*ttl)) return "has a ttlMs that is no whole number";
  const Json* const poll = find(task, "pollIntervalMs");
  return poll == nullptr || as_int(*poll) ? "" : "has a pollIntervalMs that is no whole number";
}

std::string detail_problem(const Json& task) {
  const std::string status = string_or(task, "status", "");
  const char* const member = status == "completed"        ? "result"
                             : status == "failed"         ? "error"
                             : status == "input_required" ? "inputRequests"
                                                          : nullptr;
  if (member == nullptr) return "";
  const Json* const detail = find(task, member);
  if (detail == nullptr || !detail->is_object()) {
    return "is " + status + " without an object \"" + member + "\"";
  }
  if (status == "failed" && (!find_int(*detail, "code") || !find_string(*detail, "message"))) {
    return "is failed with an error without code and message";
  }
  return "";
}

Task<Reply> watch_task(Client& client, std::string id) {
  const Instant enough = after(client.loop().now(), kWatchMax + client.pace().several(4));
  for (;;) {
    Reply reply = co_await about_task(client, "tasks/get", id);
    if (status_of(reply) != "working" || client.loop().now() >= enough) co_return std::move(reply);
    const std::int64_t wish = int_or(*reply.result(), "pollIntervalMs", 100);
    const auto pause = std::chrono::milliseconds(std::clamp<std::int64_t>(wish, 20, kPollMsMax));
    co_await Sleep(client.loop(), after(client.loop().now(), pause));
  }
}

}  // namespace plumbline::conformance
