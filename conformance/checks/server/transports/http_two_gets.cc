// What comes where two GET streams of one session are open: spec 2025-11-25, basic/transports,
// Multiple Connections.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/transports/http_ways.h"

namespace plumbline::conformance {

namespace {

constexpr int kTimesTold = 4;
constexpr Duration kTogether = std::chrono::milliseconds(10);

// Trigger is a call after which something is told, and what.
struct Trigger {
  Json params;
  std::string method;
  std::string resource;  // To be subscribed to; empty: none.
};

Task<std::optional<Trigger>> trigger_of(Probe& probe) {
  constexpr std::array kTold = {
      std::pair{Shows::kResourcesChange, "notifications/resources/list_changed"},
      std::pair{Shows::kToolsChange, "notifications/tools/list_changed"},
      std::pair{Shows::kPromptsChange, "notifications/prompts/list_changed"},
      std::pair{Shows::kResourceUpdate, "notifications/resources/updated"}};
  for (const auto& [what, method] : kTold) {
    std::optional<ToolUse> use = co_await probe.tool_that(what);
    if (!use) continue;
    co_return Trigger{std::move(use->params), method, use->resource};
  }
  co_return std::nullopt;
}

using Times = std::vector<Instant>;

// notices_in returns when an exchange has brought notifications of a method.
Times notices_in(const Client& client, std::size_t exchange, const std::string& method) {
  Times times;
  for (const Frame& frame : client.session().wire().inbox().frames) {
    const bool told = string_or(*frame.message, "method", "") == method;
    if (frame.exchange == exchange && told) times.push_back(frame.at);
  }
  return times;
}

// told_on makes the call, and returns when each of the streams was told of it.
Task<std::vector<Times>> told_on(Client client, Trigger trigger, std::vector<std::size_t> streams) {
  std::vector<std::size_t> before;
  for (const std::size_t stream : streams) {
    before.push_back(notices_in(client, stream, trigger.method).size());
  }
  co_await client.request("tools/call", trigger.params);
  co_await client.listen(client.pace().quiet());
  std::vector<Times> told;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    Times all = notices_in(client, streams[i], trigger.method);
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before[i]));
    told.push_back(std::move(all));
  }
  co_return std::move(told);
}

// is_told_once returns whether one stream is told once of a change. Others may change the same
// meanwhile: a single time shows it.
Task<bool> is_told_once(Client client, Trigger trigger, std::size_t stream) {
  const std::vector<std::size_t> alone = {stream};
  for (int i = 0; i < kTimesTold; ++i) {
    const std::vector<Times> told = co_await told_on(client, trigger, alone);
    if (told.front().size() <= 1) co_return told.front().size() == 1;
  }
  co_return false;
}

// is_told_both returns whether two streams were told the same, at once each time.
bool is_told_both(const std::vector<Times>& told) {
  return !told[0].empty() && std::ranges::equal(told[0], told[1], [](Instant one, Instant other) {
    return std::max(one, other) - std::min(one, other) <= kTogether;
  });
}

// get_stream opens a GET stream; nothing: there is none, or none more.
Task<std::optional<std::size_t>> get_stream(Client client) {
  const std::optional<std::size_t> number = co_await answered_get(client);
  if (!number) co_return std::nullopt;
  const Exchange& got = client.session().wire().inbox().exchanges[*number];
  if (got.status == 200 && got.events) co_return number;
  co_return std::nullopt;
}

// Others may change the same meanwhile, and a server may tell of one change twice: with one stream
// it is told once, before the other stream is there and when that has gone.
Task<Finding> tells_one_of_two(Probe& probe) {
  const std::optional<Trigger> trigger = co_await trigger_of(probe);
  if (!trigger) co_return not_for_it("no tool that may be called changes what is told of");
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  if (!trigger->resource.empty()) {
    Json params = Json::object();
    params["uri"] = trigger->resource;
    co_await client.request("resources/subscribe", std::move(params));
  }
  const std::optional<std::size_t> one = co_await get_stream(client);
  if (!one) co_return not_for_it("it has no GET streams");
  const bool once = co_await is_told_once(client, *trigger, *one);
  if (!once) co_return not_for_it("a GET stream is not told once of a change");
  const std::optional<std::size_t> other = co_await get_stream(client);
  if (!other) co_return not_for_it("a session has one GET stream at a time");
  const std::vector<std::size_t> both = {*one, *other};
  for (int i = 0; i < kTimesTold; ++i) {
    const std::vector<Times> told = co_await told_on(client, *trigger, both);
    if (!is_told_both(told)) co_return passes();
  }
  client.session().wire().drop(*other);
  const bool once_again = co_await is_told_once(client, *trigger, *one);
  if (!once_again) co_return passes();
  Finding finding = broken("with two GET streams of a session open, " + trigger->method +
                           " came on both, each of " + std::to_string(kTimesTold) +
                           " times; expected on one of them");
  co_return about_exchange(std::move(finding), client, *other);
}

constexpr ServerCheck kHttpTwoGetsChecks[] = {
    {"http.change-told-on-one-stream", Eras::kStateful, SessionUse::kOpens, tells_one_of_two},
};

}  // namespace

ServerChecks http_two_gets_checks() { return kHttpTwoGetsChecks; }

}  // namespace plumbline::conformance
