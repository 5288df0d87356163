// Resources that are watched: spec, server/resources, Subscriptions.

#include <optional>
#include <string>
#include <utility>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/probe.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kUpdated = "notifications/resources/updated";

Task<bool> has_result(Client& client, std::string method, Json params) {
  const Reply reply = co_await client.request(std::move(method), std::move(params));
  co_return reply.result() != nullptr;
}

Task<Finding> tells_watchers_alone(Probe& probe) {
  if (!probe.survey().declares("/resources/subscribe")) {
    co_return not_for_it("it does not declare resources.subscribe");
  }
  const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kResourceUpdate);
  if (!use || Survey::item(probe.survey().resources, "uri", use->resource) == nullptr) {
    co_return needs(Shows::kResourceUpdate);
  }
  Client client = probe.client();
  Json watched = Json::object();
  watched["uri"] = use->resource;
  const Duration quiet = probe.pace().quiet();
  if (!co_await client.can_hear()) co_return not_for_it("it has no stream to say it on");
  std::size_t first = frames_of(client);
  if (!co_await has_result(client, "tools/call", use->params)) {
    co_return undecided("the resource could not be changed");
  }
  const Json early = co_await await_notice(client, first, kUpdated, quiet);
  if (!early.is_null()) {
    co_return showing(broken("an update came before anything was subscribed to"), early);
  }
  if (!co_await has_result(client, "resources/subscribe", watched)) {
    co_return broken("resources/subscribe has no result, and resources.subscribe is declared");
  }
  first = frames_of(client);
  co_await has_result(client, "tools/call", use->params);
  const Json notice = co_await await_notice(client, first, kUpdated, probe.pace().answer());
  if (notice.is_null() && !use->sure) co_return not_for_it("no resource could be changed again");
  if (notice.is_null()) co_return broken("no update came of a resource subscribed to");
  const Json* const uri = at_pointer(notice, "/params/uri");
  if (uri == nullptr || !uri->is_string() ||
      !uri->get_ref<const std::string&>().starts_with(use->resource)) {
    co_return showing(broken("the update names another resource than the one subscribed to"),
                      notice);
  }
  co_await has_result(client, "resources/unsubscribe", watched);
  first = frames_of(client);
  co_await has_result(client, "tools/call", use->params);
  const Json late = co_await await_notice(client, first, kUpdated, quiet);
  if (!late.is_null()) {
    co_return showing(broken("an update came after resources/unsubscribe"), late);
  }
  co_return passes();
}

Task<Finding> takes_no_undeclared_watchers(Probe& probe) {
  if (!probe.survey().declares("/resources")) co_return not_for_it("it has no resources");
  if (probe.survey().declares("/resources/subscribe")) {
    co_return not_for_it("it declares resources.subscribe");
  }
  if (probe.survey().resources.items.empty()) co_return not_for_it("it lists no resources");
  Client client = probe.client();
  Json params = Json::object();
  params["uri"] = string_or(probe.survey().resources.items.front(), "uri", "");
  const Reply reply = co_await client.request("resources/subscribe", params);
  if (reply.result() == nullptr) co_return passes();
  co_await has_result(client, "resources/unsubscribe", params);
  co_return about(broken("resources/subscribe got a result, and resources.subscribe is not "
                         "declared: expected error -32601, or the capability"),
                  reply);
}

constexpr ServerCheck kResourcesWatchedChecks[] = {
    {"resources.subscribe-declared", Eras::kStateful, SessionUse::kAlone,
     takes_no_undeclared_watchers},
    {"resources.updated-after-subscribe", Eras::kStateful, SessionUse::kAlone,
     tells_watchers_alone},
};

}  // namespace

ServerChecks resources_watched_checks() { return kResourcesWatchedChecks; }

}  // namespace plumbline::conformance
