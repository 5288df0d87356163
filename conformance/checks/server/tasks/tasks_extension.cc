// The methods of the extension io.modelcontextprotocol/tasks, and those it has no more: SEP-2663.

#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/tasks/extension_tasks.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kUnknownTask = "plumbline-no-such-task";

Json task_named(const std::string& id) {
  Json params(Json::value_t::object);
  params["taskId"] = id;
  return params;
}

Task<Finding> says_no_old_capability(Probe& probe) {
  if (!offers_task_extension(probe)) co_return not_for_it(kNoExtension);
  if (!probe.survey().declares("/tasks")) co_return passes();
  co_return about(broken("it declares the old capability tasks beside the extension"),
                  probe.survey().opening);
}

Task<Finding> refuses_each(Probe& probe, std::vector<std::string> methods, std::int64_t code) {
  if (!offers_task_extension(probe)) co_return not_for_it(kNoExtension);
  Client client = probe.client();
  for (const std::string& method : methods) {
    Json params = task_named(kUnknownTask);
    if (method == "tasks/update") params["inputResponses"] = Json::object();
    params = with_task_extension(client, std::move(params));
    const Reply reply = co_await client.request(method, std::move(params));
    if (reply.code() == code) continue;
    co_return broken(method + " got " + reply.describe() + ", expected error " +
                     std::to_string(code));
  }
  co_return passes();
}

Task<Finding> knows_what_it_has(Probe& probe) {
  std::vector<std::string> methods(1, "tasks/get");
  Finding finding = co_await refuses_each(probe, std::move(methods), -32602);
  co_return finding;
}

Task<Finding> changes_what_it_has(Probe& probe) {
  std::vector<std::string> methods(1, "tasks/update");
  methods.emplace_back("tasks/cancel");
  Finding finding = co_await refuses_each(probe, std::move(methods), -32602);
  co_return finding;
}

Task<Finding> has_no_old_methods(Probe& probe) {
  std::vector<std::string> methods(1, "tasks/result");
  methods.emplace_back("tasks/list");
  Finding finding = co_await refuses_each(probe, std::move(methods), -32601);
  co_return finding;
}

constexpr ServerCheck kTasksExtensionChecks[] = {
    {"tasks.legacy-capability-not-advertised", Eras::kStateless, SessionUse::kOpens,
     says_no_old_capability},
    {"tasks.get-unknown-task-error", Eras::kStateless, SessionUse::kShared, knows_what_it_has},
    {"tasks.update-cancel-unknown-task-error", Eras::kStateless, SessionUse::kShared,
     changes_what_it_has},
    {"tasks.legacy-result-method-removed", Eras::kStateless, SessionUse::kShared,
     has_no_old_methods},
};

}  // namespace

ServerChecks tasks_extension_checks() { return kTasksExtensionChecks; }

}  // namespace plumbline::conformance
