// Being told of tasks of the extension io.modelcontextprotocol/tasks in place of asking: SEP-2663,
// Task Status Notifications. A server may keep silent.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/tasks/extension_tasks.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr double kHeardFor = 0.5;
constexpr const char* kTaskNotice = "notifications/tasks";

Json listen_params(const std::string& id) {
  Json params = Json::object();
  params["notifications"]["taskIds"].push_back(id);
  return params;
}

// Heard is what was said on a subscription to one task until that was over.
struct Heard {
  std::string unable;
  std::string id;
  Reply last;  // Of tasks/get, when it was over.
  std::vector<Json> messages;
};

// hear_of_a_task makes a task that would report progress and log, and listens to it alone.
Task<Heard> hear_of_a_task(Probe& probe, Client& client) {
  Heard out;
  Json meta = Json::object();
  meta["progressToken"] = "plumbline-task-" + std::to_string(client.session().next_id());
  meta[kMetaLogLevel] = "debug";
  const ExtensionTask made =
      co_await make_extension_task(probe, client, kHeardFor, std::string(), std::move(meta));
  out.unable = made.unable;
  if (!out.unable.empty()) co_return std::move(out);
  out.id = made.id;
  Json request = client.request_of("subscriptions/listen", listen_params(made.id));
  request["params"] = with_task_extension(client, listen_params(made.id));
  Listening listening = begin_listening_by(client, std::move(request));
  const Json ack = co_await acknowledged(client, listening);
  const Json* const agreed = at_pointer(ack, "/params/notifications/taskIds");
  if (agreed == nullptr || !agreed->is_array() || !std::ranges::count(*agreed, Json(made.id))) {
    out.unable = "it agrees to tell nothing of a task";
    co_await stop_listening(client, listening);
    co_return std::move(out);
  }
  out.last = co_await watch_task(client, made.id);
  co_await Sleep(client.loop(), after(client.loop().now(), client.pace().quiet()));
  out.messages = heard(client, listening);
  co_await stop_listening(client, listening);
  co_return std::move(out);
}

Task<Finding> lets_nobody_else_listen(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, kHeardFor);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  Json request = client.request_of("subscriptions/listen", listen_params(made.id));
  Listening listening = begin_listening_by(client, std::move(request));
  const Json ack = co_await acknowledged(client, listening);
  std::int64_t code = 0;
  Json answer = ack;
  for (const Json& message : heard(client, listening)) {
    const Json* const wrong = find(message, "error");
    if (wrong == nullptr) continue;
    code = int_or(*wrong, "code", 0);
    answer = message;
  }
  if (code == -32021) co_return passes();
  if (code == -32601) co_return not_for_it("nobody can listen to anything");
  if (ack.is_null() && code == 0) co_return undecided("subscriptions/listen was not answered");
  if (code == 0) co_await stop_listening(client, listening);
  Finding finding =
      broken("listening to a task without declaring the extension " +
             (code == 0 ? std::string("was acknowledged") : "got error " + std::to_string(code)) +
             ", expected error -32021");
  co_return showing(std::move(finding), answer);
}

// told_problem compares what was told of a task with what it is.
std::string told_problem(const Json& told, const Heard& heard) {
  if (string_or(told, "taskId", "") != heard.id) return "names a task that nobody listens to";
  std::string wrong = task_problem(told);
  if (wrong.empty()) wrong = detail_problem(told);
  if (!wrong.empty() || string_or(told, "status", "") != status_of(heard.last)) return wrong;
  for (const char* const member : {"result", "error", "createdAt"}) {
    const Json* const here = find(told, member);
    const Json* const there = find(*heard.last.result(), member);
    if ((here == nullptr) != (there == nullptr) || (here != nullptr && *here != *there)) {
      return std::string("has another \"") + member + "\" than tasks/get shows";
    }
  }
  return "";
}

Task<Finding> tells_of_whole_tasks(Probe& probe) {
  Client client = probe.client();
  const Heard heard = co_await hear_of_a_task(probe, client);
  if (!heard.unable.empty()) co_return not_for_it(heard.unable);
  int seen = 0;
  for (const Json& message : heard.messages) {
    if (string_or(message, "method", "") != kTaskNotice) continue;
    ++seen;
    const Json* const params = find(message, "params");
    const std::string wrong = params == nullptr ? "has no params" : told_problem(*params, heard);
    if (!wrong.empty()) co_return showing(broken("a notification of a task " + wrong), message);
  }
  co_return seen == 0 ? not_for_it("it told nothing of the task") : passes();
}

Task<Finding> tells_of_tasks_alone(Probe& probe) {
  Client client = probe.client();
  const Heard heard = co_await hear_of_a_task(probe, client);
  if (!heard.unable.empty()) co_return not_for_it(heard.unable);
  for (const Json& message : heard.messages) {
    const std::string method = string_or(message, "method", "");
    if (method != "notifications/progress" && method != "notifications/message") continue;
    co_return showing(broken(method + " came on the stream of a subscription to a task"), message);
  }
  co_return passes();
}

constexpr ServerCheck kTasksExtensionListeningChecks[] = {
    {"tasks.listen-requires-capability", Eras::kStateless, SessionUse::kShared,
     lets_nobody_else_listen},
    {"tasks.notification-full-task", Eras::kStateless, SessionUse::kShared, tells_of_whole_tasks},
    {"tasks.no-progress-or-log-on-listen", Eras::kStateless, SessionUse::kShared,
     tells_of_tasks_alone},
};

}  // namespace

ServerChecks tasks_extension_listening_checks() { return kTasksExtensionListeningChecks; }

}  // namespace plumbline::conformance
