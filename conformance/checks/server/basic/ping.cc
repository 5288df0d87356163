// ping: spec, basic/utilities/ping.

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kCallAhead = std::chrono::milliseconds(20);
// Who is right answers a ping long before such a call is over.
constexpr Duration kBusyLeast = std::chrono::milliseconds(80);
constexpr Duration kBusyMost = std::chrono::seconds(6);
constexpr int kBusyTries = 3;
constexpr std::size_t kBusyTools = 3;
constexpr const char* kNeverBusy = "no call is known that takes a while; --hint names one";

Task<Finding> answers_ping(Probe& probe) {
  Client client = probe.client();
  const Reply reply = co_await client.request("ping");
  const Json* const result = reply.result();
  if (result == nullptr) co_return broken("ping got " + reply.describe() + ", expected a result");
  const bool meta = result->is_object() && result->size() == 1 && result->contains("_meta");
  if (meta || (result->is_object() && result->empty())) co_return passes();
  co_return broken("the result of ping is " + shortened(dump_json(*result)) + ", expected {}");
}

// busy_calls returns those that may take a while, each tool once: what a hint names in front.
Task<std::vector<Json>> busy_calls(Probe& probe) {
  std::vector<Json> calls;
  std::vector<std::string> tools;
  if (const std::optional<ToolUse> hinted = probe.hinted({Shows::kTime})) {
    tools.push_back(string_or(hinted->params, "name", ""));
    calls.push_back(hinted->params);
  }
  const Exercise& exercise = *co_await probe.exercise();
  for (const Call& call : exercise.calls) {
    const std::string name = string_or(call.params, "name", "");
    const bool lasts = call.reply.took >= kBusyLeast || call.shows.contains(Shows::kProgress);
    if (call.method != "tools/call" || !call.first || !lasts || !call.wants.empty()) continue;
    if (probe.disturbs(name) || std::ranges::find(tools, name) != tools.end()) continue;
    tools.push_back(name);
    calls.push_back(call.params);
  }
  calls.resize(std::min(calls.size(), kBusyTools));
  co_return calls;
}

// PingBehind is a ping that was sent while a call ran.
struct PingBehind {
  Reply call;
  Reply ping;

  // waited returns whether the ping was answered after a call that had taken its time.
  bool waited() const {
    const bool both = call.answered() && ping.answered() && !call.places.empty();
    return both && !ping.places.empty() && call.places.back() < ping.places.back();
  }
};

Task<PingBehind> ping_behind(Probe& probe, Client& client, Json params) {
  PingBehind tried;
  Json request = client.request_of("tools/call", std::move(params));
  Json given_up = Json::object();
  given_up["requestId"] = request["id"];
  Client::Begun call = client.begin(std::move(request));
  co_await Sleep(probe.loop(), after(probe.loop().now(), kCallAhead));
  Client::Begun ping = client.begin(client.request_of("ping", Json::object()));
  tried.ping = co_await client.finish(std::move(ping), kBusyMost);
  tried.call = co_await client.finish(std::move(call), kCallAhead);
  if (!tried.call.answered()) co_await client.notify("notifications/cancelled", given_up);
  co_return tried;
}

// A short call proves nothing, nor does one ping that came late: only the order counts.
Task<Finding> answers_pings_meanwhile(Probe& probe) {
  Client client = probe.client();
  const Duration least = kBusyLeast + probe.pace().several(2);
  bool seen = false;
  const std::vector<Json> calls = co_await busy_calls(probe);
  for (const Json& params : calls) {
    for (int number = 1; number <= kBusyTries; ++number) {
      const PingBehind tried = co_await ping_behind(probe, client, params);
      if (tried.ping.answered() && !tried.waited()) co_return passes();
      if (!tried.waited() || tried.call.took < least) break;
      seen = true;
      if (number < kBusyTries) continue;
      const std::string tries = std::to_string(kBusyTries);
      co_return about(
          broken("a ping behind a call of \"" + shortened(string_or(params, "name", "")) +
                 "\" was answered after the call, which took " +
                 std::to_string(milliseconds_of(tried.call.took)) + " ms, in " + tries + " of " +
                 tries + " tries; expected an answer while it runs"),
          tried.call, tried.ping);
    }
  }
  co_return seen ? passes() : not_for_it(kNeverBusy);
}

constexpr ServerCheck kPingChecks[] = {
    {"ping.empty-result", Eras::kStateful, SessionUse::kShared, answers_ping},
    {"ping.answered-during-calls", Eras::kStateful, SessionUse::kAlone, answers_pings_meanwhile},
};

}  // namespace

ServerChecks ping_checks() { return kPingChecks; }

}  // namespace plumbline::conformance
