// How calls become tasks by the extension io.modelcontextprotocol/tasks, and for whom: SEP-2663.

#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/tasks/extension_tasks.h"
#include "conformance/wire/entropy.h"

namespace plumbline::conformance {

namespace {

constexpr int kExtensionTasksMade = 4;
constexpr std::int64_t kNotDeclaredCode = -32021;

Task<Finding> shapes_its_tasks(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const std::string first = task_problem(*made.reply.result());
  if (!first.empty()) co_return broken("the task that a call became " + first);
  const Reply got = co_await about_task(client, "tasks/get", made.id);
  const std::string then = got.result() == nullptr ? "" : task_problem(*got.result());
  co_return then.empty() ? passes() : broken("the task that tasks/get shows " + then);
}

Task<Finding> calls_tasks_tasks(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const std::string type = string_or(*made.reply.result(), "resultType", "");
  if (type == "task") co_return passes();
  co_return broken("a task in place of a result has the resultType \"" + type +
                   "\", expected \"task\"");
}

// Each is looked for the moment it is heard of.
Task<Finding> finds_what_it_made(Probe& probe) {
  Client client = probe.client();
  for (int i = 0; i < kExtensionTasksMade; ++i) {
    const ExtensionTask made = co_await make_extension_task(probe, client, 0);
    if (!made.unable.empty()) co_return not_for_it(made.unable);
    const Reply got = co_await about_task(client, "tasks/get", made.id);
    if (!got.answered()) co_return undecided("tasks/get got " + got.describe());
    if (got.error() == nullptr) continue;
    co_return broken("tasks/get of a task that was just made got " + got.describe());
  }
  co_return passes();
}

Task<Finding> draws_its_task_ids(Probe& probe) {
  Client client = probe.client();
  std::vector<std::string> ids;
  for (int i = 0; i < kExtensionTasksMade; ++i) {
    const ExtensionTask made = co_await make_extension_task(probe, client, 0);
    if (!made.unable.empty()) co_return not_for_it(made.unable);
    ids.push_back(made.id);
  }
  const std::string weak = weakness_of(ids);
  co_return weak.empty() ? passes() : broken("its task ids can be guessed: " + weak);
}

Task<Finding> makes_tasks_for_who_takes_them(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply plain = co_await client.call("tools/call", made.call);
  if (!plain.answered()) co_return undecided("the call got " + plain.describe());
  if (!is_task_handle(plain)) co_return passes();
  co_return broken("a call of a client that does not declare the extension became a task");
}

Task<Finding> takes_the_old_capability_for_none(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  Json request = client.request_of("tools/call", made.call);
  Json& declared = request["params"]["_meta"][kMetaCapabilities];
  declared["tasks"]["requests"]["tools"]["call"] = Json::object();
  Json params = std::move(request["params"]);
  const Reply reply = co_await client.call("tools/call", std::move(params));
  if (!reply.answered()) co_return undecided("the call got " + reply.describe());
  if (!is_task_handle(reply)) co_return passes();
  co_return broken("a call of a client that declares the old capability alone became a task");
}

Task<Finding> ignores_the_old_parameter(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply plain = co_await client.call("tools/call", made.call);
  if (plain.result() == nullptr || is_task_handle(plain)) {
    co_return not_for_it("the plain call got " + plain.describe());
  }
  Json params = made.call;
  params["task"]["ttl"] = 60'000;
  const Reply reply = co_await client.call("tools/call", std::move(params));
  if (!reply.answered()) co_return undecided("the call got " + reply.describe());
  if (reply.result() != nullptr && !is_task_handle(reply)) co_return passes();
  co_return broken("with the parameter task a call got " +
                   (is_task_handle(reply) ? "a task" : reply.describe()) +
                   ", expected what it gets without");
}

Task<Finding> says_what_it_misses(Probe& probe) {
  Client client = probe.client();
  ExtensionTask made = co_await make_extension_task(probe, client, 0, "failing_job");
  const bool known = made.unable.empty();  // As a tool that does not break down by itself.
  if (!known) made = co_await make_extension_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  const Reply plain = co_await client.call("tools/call", made.call);
  if (plain.error() == nullptr) co_return not_for_it("the call is served without the extension");
  if (plain.code() != kNotDeclaredCode) {
    if (!known) co_return not_for_it("the plain call got " + plain.describe());
    co_return broken("without the extension a call that has to be a task got " + plain.describe() +
                     ", expected error -32021");
  }
  const Json* const named = at_pointer(*plain.error(), "/data/requiredCapabilities/extensions");
  if (named != nullptr && find(*named, kTasksExtension) != nullptr) co_return passes();
  co_return broken("the error -32021 does not name the extension in data.requiredCapabilities");
}

Task<Finding> keeps_tasks_from_who_takes_none(Probe& probe) {
  Client client = probe.client();
  const ExtensionTask made = co_await make_extension_task(probe, client, 1);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  for (const char* const method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    Json params = Json::object();
    params["taskId"] = made.id;
    if (std::string_view(method) == "tasks/update") params["inputResponses"] = Json::object();
    const Reply reply = co_await client.request(method, std::move(params));
    if (!reply.answered()) co_return undecided(std::string(method) + " got " + reply.describe());
    if (reply.code() == kNotDeclaredCode) continue;
    co_return broken(std::string(method) + " of a client that does not declare the extension got " +
                     reply.describe() + ", expected error -32021");
  }
  co_return passes();
}

Task<Finding> keeps_the_extension_to_its_revision(Probe& probe) {
  if (!offers_task_extension(probe)) co_return not_for_it(kNoExtension);
  Client client = co_await probe.open(probe.usual());
  const ExtensionTask made = co_await make_extension_task(probe, client, 0);
  if (!made.unable.empty()) co_return not_for_it(made.unable);
  SessionOptions options;
  options.revision = kNewestStateful;
  options.capabilities = all_capabilities(kNewestStateful);
  options.capabilities["extensions"][kTasksExtension] = Json::object();
  Client old = co_await probe.open(std::move(options));
  if (!old.session().usable() || old.session().revision() != kNewestStateful) {
    co_return not_for_it("it does not speak 2025-11-25");
  }
  Json params = made.call;
  params["_meta"][kMetaCapabilities]["extensions"][kTasksExtension] = Json::object();
  const Reply reply = co_await old.request("tools/call", std::move(params));
  if (!reply.answered()) co_return undecided("in 2025-11-25 the call got " + reply.describe());
  if (!is_task_handle(reply)) co_return passes();
  co_return broken("in 2025-11-25 a call became a task of the extension");
}

constexpr ServerCheck kTasksExtensionMakingChecks[] = {
    {"tasks.task-shape", Eras::kStateless, SessionUse::kShared, shapes_its_tasks},
    {"tasks.create-result-type", Eras::kStateless, SessionUse::kShared, calls_tasks_tasks},
    {"tasks.durable-before-return", Eras::kStateless, SessionUse::kShared, finds_what_it_made},
    {"tasks.id-unguessable", Eras::kStateless, SessionUse::kShared, draws_its_task_ids},
    {"tasks.create-only-if-declared", Eras::kStateless, SessionUse::kShared,
     makes_tasks_for_who_takes_them},
    {"tasks.legacy-capability-not-declaring", Eras::kStateless, SessionUse::kShared,
     takes_the_old_capability_for_none},
    {"tasks.legacy-task-param-ignored", Eras::kStateless, SessionUse::kShared,
     ignores_the_old_parameter},
    {"tasks.missing-capability-error", Eras::kStateless, SessionUse::kShared, says_what_it_misses},
    {"tasks.methods-require-capability", Eras::kStateless, SessionUse::kShared,
     keeps_tasks_from_who_takes_none},
    {"tasks.extension-not-in-legacy-revision", Eras::kStateless, SessionUse::kOpens,
     keeps_the_extension_to_its_revision},
};

}  // namespace

ServerChecks tasks_extension_making_checks() { return kTasksExtensionMakingChecks; }

}  // namespace plumbline::conformance
