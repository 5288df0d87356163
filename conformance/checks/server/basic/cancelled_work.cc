// What becomes of work that was cancelled: spec, basic/utilities/cancellation, Behavior
// Requirements. It is seen by what a tool leaves behind that takes its time: a resource that it
// changes, or what tools that only read show afterwards.

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kLastsAWhile = std::chrono::milliseconds(400);
constexpr Duration kLastsTooLong = std::chrono::milliseconds(2'500);
constexpr Duration kSeenQuickly = std::chrono::milliseconds(200);
constexpr std::size_t kPlacesSeenMax = 8;
constexpr int kUncancelledCalls =
    2;  // The first may change more: the text that there is nothing yet.
constexpr const char* kNothingToSee =
    "no call is known that takes a while and changes what can be seen; --hint names one";

struct Look {
  std::string method;
  Json params;
};

// LastingWork is a call that takes its time, and where to look for what it has done.
struct LastingWork {
  Json params;  // Null: none is known.
  std::vector<Look> looks;
  bool hinted = false;  // It changes the resource once, at its end.
};

bool is_reader(Probe& probe, const Call& call) {
  const Json* const tool = probe.survey().tool(string_or(call.params, "name", ""));
  const Json* const annotations = tool == nullptr ? nullptr : find(*tool, "annotations");
  return annotations != nullptr && bool_or(*annotations, "readOnlyHint", false);
}

bool went_well(const Call& call) {
  return call.first && call.complete() != nullptr && !bool_or(*call.complete(), "isError", false);
}

// looks_of returns what shows something at once and changes nothing, each tool once.
std::vector<Look> looks_of(Probe& probe, const Exercise& exercise) {
  std::vector<Look> looks;
  std::set<std::string> tools;
  for (const Call& call : exercise.calls) {
    const std::string name = string_or(call.params, "name", "");
    const bool reads =
        call.method == "resources/read" || (call.method == "tools/call" && is_reader(probe, call));
    if (!reads || !went_well(call) || call.reply.took > kSeenQuickly) continue;
    if (looks.size() == kPlacesSeenMax || (!name.empty() && !tools.insert(name).second)) continue;
    looks.push_back({call.method, call.params});
  }
  return looks;
}

Task<LastingWork> work_to_cancel(Probe& probe) {
  LastingWork work;
  if (const auto use = probe.hinted({Shows::kResourceUpdate, Shows::kTime})) {
    work.params = use->params;
    work.hinted = true;
    Json params = Json::object();
    params["uri"] = use->resource;
    work.looks.push_back({"resources/read", std::move(params)});
    co_return std::move(work);
  }
  const Exercise& exercise = *co_await probe.exercise();
  Duration longest = kLastsAWhile;
  for (const Call& call : exercise.calls) {
    const bool changes = call.method == "tools/call" && !is_reader(probe, call) &&
                         !probe.disturbs(string_or(call.params, "name", ""));
    if (!changes || !went_well(call)) continue;
    if (call.reply.took < longest || call.reply.took > kLastsTooLong) continue;
    longest = call.reply.took;
    work.params = call.params;
  }
  if (!work.params.is_null()) work.looks = looks_of(probe, exercise);
  co_return std::move(work);
}

Task<std::vector<std::string>> look_at(Client& client, std::vector<Look> looks) {
  std::vector<std::string> seen;
  for (const Look& each : looks) {
    const Reply reply = co_await client.request(each.method, each.params);
    seen.push_back(reply.result() == nullptr ? std::string() : dump_json(*reply.result()));
  }
  co_return seen;
}

// Uncancelled is what calls change that go through.
struct Uncancelled {
  Duration took{};
  std::vector<std::string> seen;  // After the last one.
  std::vector<long> growth;       // By that, in bytes.
  std::set<std::size_t> changed;  // Places in `seen` that each call has changed, and nothing else.
};

Task<Uncancelled> call_uncancelled(Client& client, LastingWork work) {
  Uncancelled whole;
  for (std::size_t i = 0; i < work.looks.size(); ++i) whole.changed.insert(i);
  for (int calls = 0; calls < kUncancelledCalls && !whole.changed.empty(); ++calls) {
    const std::vector<std::string> before = co_await look_at(client, work.looks);
    const Reply reply = co_await client.request("tools/call", work.params);
    if (reply.result() == nullptr) whole.changed.clear();
    whole.took = reply.took;
    const std::vector<std::string> after_it = co_await look_at(client, work.looks);
    whole.seen = co_await look_at(client, work.looks);
    whole.growth.clear();
    for (std::size_t i = 0; i < before.size(); ++i) {
      whole.growth.push_back(static_cast<long>(after_it[i].size()) -
                             static_cast<long>(before[i].size()));
      if (before[i] == after_it[i] || after_it[i] != whole.seen[i]) whole.changed.erase(i);
    }
  }
  co_return whole;
}

// CutShort is what was seen of a call that was cancelled a quarter through.
struct CutShort {
  bool in_time = false;
  std::vector<std::string> early;  // When the cancellation had been read.
  std::vector<std::string> late;   // When the work would be done.
};

Task<CutShort> call_and_cancel(Probe& probe, Client& client, LastingWork work, Duration took) {
  CutShort cancelled;
  Json request = client.request_of("tools/call", work.params);
  Json cancellation(Json::value_t::object);
  cancellation["jsonrpc"] = "2.0";
  cancellation["method"] = "notifications/cancelled";
  cancellation["params"]["requestId"] = request["id"];
  const Client::Begun begun = client.begin(std::move(request));
  co_await Sleep(probe.loop(), after(probe.loop().now(), took / 4));
  cancelled.in_time = probe.loop().now() - begun.at < took / 2;
  client.begin(std::move(cancellation));
  co_await client.alive();
  cancelled.early = co_await look_at(client, work.looks);
  co_await Sleep(probe.loop(), after(begun.at, took * 3 / 2 + probe.pace().quiet()));
  cancelled.late = co_await look_at(client, work.looks);
  co_return cancelled;
}

// What is under way when it is cancelled may come to its end, so only a call that has done all that
// it does otherwise has gone on.
Task<Finding> stops_cancelled_work(Probe& probe) {
  if (!probe.over_stdio()) co_return not_for_it("others may change the same over HTTP");
  const LastingWork work = co_await work_to_cancel(probe);
  if (work.params.is_null() || work.looks.empty()) co_return not_for_it(kNothingToSee);
  Client client = probe.client();
  const Uncancelled whole = co_await call_uncancelled(client, work);
  const auto shows = [&](std::size_t i) { return work.hinted || whole.growth[i] > 0; };
  const auto place = std::ranges::find_if(whole.changed, shows);
  if (place == whole.changed.end()) co_return not_for_it(kNothingToSee);
  const CutShort cancelled = co_await call_and_cancel(probe, client, work, whole.took);
  if (!cancelled.in_time) co_return not_for_it("no call could be cancelled in time");
  const std::string& late = cancelled.late[*place];
  const long growth = static_cast<long>(late.size()) - static_cast<long>(whole.seen[*place].size());
  const bool goes_on = late != cancelled.early[*place] && growth == whole.growth[*place];
  if (!goes_on) co_return passes();
  const Look& shown = work.looks[*place];
  co_return broken("a call of \"" + string_or(work.params, "name", "") +
                   "\" was cancelled a quarter through, and \"" +
                   string_or(shown.params, "name", string_or(shown.params, "uri", "")) +
                   "\" shows afterwards all that a whole call does; expected it to stop");
}

constexpr ServerCheck kCancelledWorkChecks[] = {
    {"cancellation.stops-work", Eras::kStateful, SessionUse::kAlone, stops_cancelled_work},
};

}  // namespace

ServerChecks cancelled_work_checks() { return kCancelledWorkChecks; }

}  // namespace plumbline::conformance
