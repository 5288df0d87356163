// What one user may see of another one's: spec 2025-11-25, basic/utilities/tasks, Task Isolation
// and Access Control; 2026-07-28, basic/patterns/mrtr. Only where the judge was given both.

#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/input/scripted.h"
#include "conformance/checks/server/tasks/extension_tasks.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "conformance/peer/answers.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kOneUser = "no second user was given (--second-header)";
constexpr const char* kStranger = "the second user is not let in";

// other_user opens the server as the second user; nothing: it does not let them in.
Task<std::optional<Client>> other_user(Probe& probe) {
  SessionOptions options = probe.usual();
  options.second_user = true;
  options.listen = false;
  Client client = co_await probe.open(std::move(options));
  if (!client.session().usable()) co_return std::nullopt;
  const wire::HttpHeaders unchanged;
  const Reply reply = co_await ask_harmlessly(client, unchanged);
  if (reply.result() == nullptr) co_return std::nullopt;
  co_return client;
}

// The session of the first user, and the token of the second.
Task<Finding> gives_sessions_to_their_users(Probe& probe) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kOneUser);
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  if (client.session().session_id().empty()) co_return not_for_it("it gives no session ids");
  const std::optional<Client> other = co_await other_user(probe);
  if (!other) co_return not_for_it(kStranger);
  const Reply reply = co_await ask_harmlessly(client, probe.second_headers());
  if (reply.result() == nullptr) co_return passes();
  co_return broken("a request of the second user in a session of the first got " +
                   reply.describe() + ", expected it to be refused");
}

// task_of_first makes a task of the stateful era and returns its id; empty: it cannot.
Task<std::string> task_of_first(Probe& probe, Client& client) {
  if (!probe.survey().declares("/tasks/requests/tools/call")) co_return std::string();
  for (const Json& tool : probe.survey().tools.items) {
    const Json* const support = at_pointer(tool, "/execution/taskSupport");
    if (support == nullptr || *support == Json("forbidden") || !probe.may_call(tool)) continue;
    Json params = probe.call_params(tool);
    params["task"]["ttl"] = 60'000;
    const Reply reply = co_await client.request("tools/call", std::move(params));
    const Json* const task = at_pointer(*reply.message, "/result/task");
    if (task != nullptr) co_return string_or(*task, "taskId", "");
  }
  co_return std::string();
}

Task<Finding> gives_tasks_to_their_users(Probe& probe) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kOneUser);
  Client client = co_await open_quietly(probe);
  const std::string id = co_await task_of_first(probe, client);
  if (id.empty()) co_return not_for_it("no call of a tool that may be called became a task");
  std::optional<Client> other = co_await other_user(probe);
  if (!other) co_return not_for_it(kStranger);
  for (const char* const method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
    Json params = Json::object();
    params["taskId"] = id;
    const Reply reply = co_await other->request(method, std::move(params));
    if (reply.result() == nullptr) continue;
    co_return broken(std::string(method) + " of the second user for a task of the first got " +
                     reply.describe() + ", expected it to be refused");
  }
  co_return passes();
}

Task<Finding> lists_tasks_to_their_users(Probe& probe) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kOneUser);
  if (!probe.survey().declares("/tasks/list")) co_return not_for_it("it does not list tasks");
  Client client = co_await open_quietly(probe);
  const std::string id = co_await task_of_first(probe, client);
  if (id.empty()) co_return not_for_it("no call of a tool that may be called became a task");
  std::optional<Client> other = co_await other_user(probe);
  if (!other) co_return not_for_it(kStranger);
  const Listing all = co_await list_all(other->session(), probe.check(), "tasks/list", "tasks");
  if (Survey::item(all, "taskId", id) == nullptr) co_return passes();
  co_return broken("tasks/list shows a task of the first user to the second");
}

Task<Finding> authorizes_tasks(Probe& probe) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kOneUser);
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, 1);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  std::optional<Client> other = co_await other_user(probe);
  if (!other) co_return not_for_it(kStranger);
  for (const char* const method : {"tasks/get", "tasks/cancel"}) {
    const Reply reply = co_await about_task(*other, method, made.id);
    if (reply.result() == nullptr) continue;
    co_return broken(std::string(method) + " of the second user for a task of the first got " +
                     reply.describe() + ", expected it to be refused");
  }
  co_return passes();
}

// What asks again knows no more than before: only what is served is wrong.
Task<Finding> gives_states_to_their_users(Probe& probe) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kOneUser);
  std::optional<Client> other = co_await other_user(probe);
  if (!other) co_return not_for_it(kStranger);
  Client client = co_await open_quietly(probe);
  const Exercise& all = *co_await probe.exercise();
  bool seen = false;
  for (const Call& call : all.calls) {
    if (!call.first || !asks_for_input(call.reply)) continue;
    const Reply asked = co_await client.request(call.method, call.params);
    if (!asks_for_input(asked) || find(*asked.result(), "requestState") == nullptr) continue;
    const Json retry = retry_of(call.params, *asked.result());
    const Reply theirs = co_await other->request(call.method, retry);
    seen = true;
    if (!succeeded(theirs)) continue;
    co_return broken(
        "the second user went on with the requestState that the first was given, and "
        "got " +
        theirs.describe() + ", expected it to be refused");
  }
  co_return seen ? passes() : not_for_it("nothing gives a requestState");
}

constexpr ServerCheck kTwoUsersChecks[] = {
    {"security.session-bound-to-user", Eras::kStateful, SessionUse::kOpens,
     gives_sessions_to_their_users},
    {"tasks.bound-to-authorization", Eras::kStateful, SessionUse::kOpens,
     gives_tasks_to_their_users},
    {"tasks.list-own-context-only", Eras::kStateful, SessionUse::kOpens,
     lists_tasks_to_their_users},
    {"tasks.authorization-checked", Eras::kStateless, SessionUse::kShared, authorizes_tasks},
    {"mrtr.request-state-bound-to-principal", Eras::kStateless, SessionUse::kOpens,
     gives_states_to_their_users},
};

}  // namespace

ServerChecks two_users_checks() { return kTwoUsersChecks; }

}  // namespace plumbline::conformance
