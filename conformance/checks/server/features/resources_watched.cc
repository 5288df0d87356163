// Resources that are watched: spec, server/resources, Subscriptions.

#include <string>
#include <utility>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/probe.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kWatchedUri = "test://watched-resource";
constexpr const char* kWatchedTrigger = "test_trigger_resource_change";
constexpr const char* kUpdated = "notifications/resources/updated";

// change_watched returns whether the resource could be changed.
Task<bool> change_watched(Client& client) {
  Json params = Json::object();
  params["name"] = kWatchedTrigger;
  params["arguments"] = Json::object();
  const Reply reply = co_await client.request("tools/call", std::move(params));
  co_return reply.result() != nullptr;
}

Task<bool> watch(Client& client, std::string method) {
  Json params = Json::object();
  params["uri"] = kWatchedUri;
  const Reply reply = co_await client.request(std::move(method), std::move(params));
  co_return reply.result() != nullptr;
}

bool has_watched_fixture(Probe& probe) {
  return probe.fixture(kWatchedTrigger) != nullptr &&
         Survey::item(probe.survey().resources, "uri", kWatchedUri) != nullptr;
}

Task<Finding> tells_watchers_alone(Probe& probe) {
  if (!probe.survey().declares("/resources/subscribe")) {
    co_return not_for_it("it does not declare resources.subscribe");
  }
  if (!has_watched_fixture(probe)) co_return not_for_it("it has no resource we could change");
  Client client = probe.client();
  const Duration quiet = probe.pace().quiet();
  if (!co_await client.can_hear()) co_return not_for_it("it has no stream to say it on");
  std::size_t first = frames_of(client);
  if (!co_await change_watched(client)) co_return undecided("the resource could not be changed");
  const Json early = co_await await_notice(client, first, kUpdated, quiet);
  if (!early.is_null()) co_return broken("an update came before anything was subscribed to");
  if (!co_await watch(client, "resources/subscribe")) {
    co_return broken("resources/subscribe has no result, and resources.subscribe is declared");
  }
  first = frames_of(client);
  co_await change_watched(client);
  const Json notice = co_await await_notice(client, first, kUpdated, probe.pace().answer());
  if (notice.is_null()) co_return broken("no update came of a resource subscribed to");
  const Json* const uri = at_pointer(notice, "/params/uri");
  if (uri == nullptr || !uri->is_string() ||
      !uri->get_ref<const std::string&>().starts_with(kWatchedUri)) {
    co_return broken("the update names another resource than the one subscribed to");
  }
  co_await watch(client, "resources/unsubscribe");
  first = frames_of(client);
  co_await change_watched(client);
  const Json late = co_await await_notice(client, first, kUpdated, quiet);
  if (!late.is_null()) co_return broken("an update came after resources/unsubscribe");
  co_return passes();
}

constexpr ServerCheck kResourcesWatchedChecks[] = {
    {"resources.updated-after-subscribe", Eras::kStateful, SessionUse::kAlone,
     tells_watchers_alone},
};

}  // namespace

ServerChecks resources_watched_checks() { return kResourcesWatchedChecks; }

}  // namespace plumbline::conformance
