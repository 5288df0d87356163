#include "conformance/checks/server/resources/resource_changes.h"

#include <algorithm>
#include <utility>

#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kListenedMax = 3;  // Resources.

}  // namespace

Task<Json> contents_of(Client& client, std::string uri) {
  Json params = Json::object();
  params["uri"] = std::move(uri);
  const Reply reply = co_await client.request("resources/read", std::move(params));
  const Json* const contents =
      reply.result() == nullptr ? nullptr : find(*reply.result(), "contents");
  co_return contents == nullptr ? Json() : *contents;
}

Task<bool> changes_by_itself(Client& client, std::string uri) {
  const Json before = co_await contents_of(client, uri);
  const Json again = co_await contents_of(client, uri);
  co_return before.is_null() || before != again;
}

Task<bool> changed_by(Probe& probe, Client& client, Json tool, std::string uri, Json before) {
  Json params = probe.call_params(tool);
  const Reply reply = co_await client.request("tools/call", std::move(params));
  if (reply.result() == nullptr) co_return false;
  const Json now = co_await contents_of(client, std::move(uri));
  co_return now != before;
}

namespace {

// hears_of_changes: what reads otherwise after a tool was called, and did not change before
// that by itself, has changed. Who listens for it hears of that.
Task<Finding> hears_of_changes(Probe& probe, Client& client, std::string uri) {
  Finding finding = needs(Shows::kResourceUpdate);
  if (co_await changes_by_itself(client, uri)) co_return std::move(finding);
  const Json before = co_await contents_of(client, uri);
  Json filter = Json::object();
  filter["resourceSubscriptions"].push_back(uri);
  Listening listening = begin_listening(client, filter);
  const Json acknowledgement = co_await acknowledged(client, listening);
  const Json* const honored =
      at_pointer(acknowledgement, "/params/notifications/resourceSubscriptions");
  if (honored == nullptr || honored->empty()) {
    co_await stop_listening(client, listening);
    co_return std::move(finding);
  }
  for (const Json& tool : probe.writers()) {
    if (!co_await changed_by(probe, client, tool, uri, before)) continue;
    const auto is_told = [&] {
      return std::ranges::any_of(heard(client, listening), [](const Json& message) {
        return string_or(message, "method", "") == "notifications/resources/updated";
      });
    };
    const Instant patience = after(probe.loop().now(), probe.pace().answer());
    const bool told = co_await client.session().wire().inbox().wait(patience, is_told);
    finding =
        told ? passes()
             : about(broken("a call of " + shortened(string_or(tool, "name", "")) + " changed " +
                            shortened(uri) + ", which was listened for, and no update came"),
                     listening);
    break;
  }
  co_await stop_listening(client, listening);
  co_return std::move(finding);
}

}  // namespace

Task<Finding> tells_of_any_change(Probe& probe) {
  Finding finding = needs(Shows::kResourceUpdate);
  if (probe.writers().empty()) co_return std::move(finding);
  Client client = probe.client();
  std::size_t tries = 0;
  for (const Json& resource : probe.survey().resources.items) {
    if (++tries > kListenedMax || finding.verdict != Verdict::kSkip) break;
    std::string uri = string_or(resource, "uri", "");
    finding = co_await hears_of_changes(probe, client, std::move(uri));
  }
  co_return std::move(finding);
}

}  // namespace plumbline::conformance
