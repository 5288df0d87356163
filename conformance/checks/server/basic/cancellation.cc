// Cancellation: spec, basic/utilities/cancellation (2026-07-28: basic/patterns/cancellation).

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/probe.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kUnknownId = "plumbline-unknown";
constexpr int kRaces = 3;
constexpr int kTries = 4;
constexpr int kGivenUpMax = 10;  // With those in which we were late ourselves.
constexpr int kPeacefulLooks =
    3;  // At a call in peace, beside which somebody else may change the same.
constexpr Duration kPauseMax = std::chrono::milliseconds(100);
constexpr Duration kTakesTime = std::chrono::milliseconds(300);
constexpr Duration kWorkMax = std::chrono::milliseconds(2'500);

Json cancel_of(const Json& id) {
  Json message(Json::value_t::object);
  message["jsonrpc"] = "2.0";
  message["method"] = "notifications/cancelled";
  message["params"]["requestId"] = id;
  message["params"]["reason"] = "plumbline tries it";
  return message;
}

// give_up takes back a request: a stateless server is told so over HTTP by the closed stream.
void give_up(Probe& probe, Client& client, const Client::Begun& begun) {
  if (probe.stateless() && begun.exchange != 0) {
    client.session().wire().drop(begun.exchange);
  } else {
    client.begin(cancel_of(begun.id));
  }
}

// SlowCall is a call that takes its time, and how long that is.
struct SlowCall {
  Json params;  // Null: none is known.
  Duration took{};
  bool answered = false;
};

// slowest_call returns the call that took longest of those that may be made: of the tool that a
// hint names, or of any that took long enough to be cancelled meanwhile.
Task<SlowCall> slowest_call(Probe& probe) {
  const std::optional<ToolUse> hinted = co_await probe.tool_that(Shows::kTime);
  const Exercise& all = *co_await probe.exercise();
  SlowCall slowest;
  if (hinted) slowest.params = hinted->params;
  for (const Call& call : all.calls) {
    const std::string name = string_or(call.params, "name", "");
    const bool wanted = hinted ? name == hinted->name
                               : call.method == "tools/call" && call.first &&
                                     !probe.disturbs(name) && call.reply.took >= kTakesTime;
    if (!wanted || call.reply.took <= slowest.took) continue;
    slowest.took = call.reply.took;
    slowest.answered = call.reply.answered();
    if (!hinted) slowest.params = call.params;
  }
  // What had no answer yet may come soon after.
  slowest.took = std::min<Duration>(slowest.took + slowest.took / 2, kWorkMax);
  co_return std::move(slowest);
}

// calls_it_again makes the call that was given up once more: what it held is free.
Task<Finding> calls_it_again(Client& client, Json params) {
  const std::string name = string_or(params, "name", "");
  if (!co_await client.alive()) co_return passes();  // Told of below.
  Json request = client.request_of("tools/call", std::move(params));
  request["params"]["_meta"]["progressToken"] = "plumbline-again";  // As when it was answered.
  const Reply reply = co_await client.exchange(std::move(request));
  const bool silent = reply.how == Reply::How::kSilent || reply.how == Reply::How::kEnded;
  if (reply.answered() || !silent || reply.status >= 400) co_return passes();
  co_return about(broken("a call of \"" + name +
                         "\" that was cancelled keeps what it held: the next call of it got " +
                         reply.describe()),
                  reply);
}

Task<Finding> survives_races(Probe& probe) {
  Client client = probe.client();
  for (int race = 0; race < kRaces; ++race) {
    const std::string method(client.harmless_method());
    Client::Begun begun = client.begin(client.request_of(method, Json::object()));
    const Duration pause = race * std::min(probe.pace().quiet(), Duration(kPauseMax));
    if (race > 0) co_await Sleep(probe.loop(), after(probe.loop().now(), pause));
    give_up(probe, client, begun);
  }
  if (const SlowCall slow = co_await slowest_call(probe); !slow.params.is_null()) {
    Json request = client.request_of("tools/call", slow.params);
    request["params"]["_meta"]["progressToken"] = "plumbline-cancelled";
    const Instant end = after(probe.loop().now(), slow.took);
    Client::Begun begun = client.begin(std::move(request));
    co_await client.listen(probe.pace().quiet());
    give_up(probe, client, begun);
    co_await client.alive();  // It has read the cancellation then: what comes now is late.
    co_await Sleep(probe.loop(), end);
    co_await client.listen(probe.pace().quiet());
    if (slow.answered) {
      Finding again = co_await calls_it_again(client, slow.params);
      if (again.verdict != Verdict::kPass) co_return std::move(again);
    }
  }
  const bool alive = co_await client.alive();
  co_return alive ? passes()
                  : broken("it no longer answers after cancellations that crossed with responses");
}

// leaves_other_sessions_alone: ids are those of a session, so a cancellation ends no request of
// another one.
Task<Finding> leaves_other_sessions_alone(Probe& probe, Client& client) {
  const SlowCall slow = co_await slowest_call(probe);
  if (slow.params.is_null()) co_return passes();
  Client other = co_await probe.open(probe.usual());
  if (!other.session().usable()) co_return passes();
  Json request = other.request_of("tools/call", slow.params);
  const Json id = request["id"];
  Client::Begun begun = other.begin(std::move(request));
  co_await other.listen(probe.pace().quiet());
  co_await client.provoke(dump_json(cancel_of(id)));
  const Reply reply = co_await other.finish(std::move(begun), slow.took + probe.pace().answer());
  if (reply.answered() || reply.how == Reply::How::kSilent) co_return passes();
  // It may be that it ends such a call at any time.
  const Reply alone = co_await other.request("tools/call", slow.params);
  if (!alone.answered()) co_return passes();
  co_return about(broken("a cancellation in one session ended the request " + dump_json(id) +
                         " of another session: got " + reply.describe()),
                  reply);
}

Task<Finding> ignores_wrong_cancellations(Probe& probe) {
  if (probe.stateless() && probe.over_http()) {
    co_return not_for_it("over HTTP a request is cancelled by closing its stream");
  }
  Client client = probe.client();
  const Reply done = co_await client.request(std::string(client.harmless_method()));
  Json nameless = cancel_of(nullptr);
  nameless["params"].erase("requestId");
  Json finished = Json(kUnknownId);
  if (const Json* const id = find(*done.message, "id")) finished = *id;
  const std::vector<Json> wrong_ones = {cancel_of(kUnknownId), cancel_of(finished), nameless,
                                        cancel_of(Json::array())};
  for (const Json& wrong : wrong_ones) {
    const std::string text = dump_json(wrong);
    const Reaction reaction = co_await client.provoke(text);
    if (!reaction.alive) co_return broken("it no longer answers after " + text);
    if (reaction.error() == nullptr) continue;
    co_return broken("got " + reaction.describe() + " to " + text + ", expected nothing");
  }
  // What was cancelled before anybody had asked it is asked for the first time. Ids that are texts
  // may not come back at all.
  Json text = client.request_of(std::string(client.harmless_method()), Json::object());
  text["id"] = "plumbline-known";
  const Reply known = co_await client.exchange(std::move(text));
  if (!known.answered()) co_return passes();
  Json later = client.request_of(std::string(client.harmless_method()), Json::object());
  later["id"] = kUnknownId;
  const Reply reply = co_await client.exchange(std::move(later));
  if (!reply.answered()) {
    co_return about(
        broken("a cancellation named the id \"plumbline-unknown\" before there was such "
               "a request, and the request that has it now got " +
               reply.describe() + ": what was cancelled is forgotten once it is no more"),
        reply);
  }
  if (!probe.over_http()) co_return passes();
  Finding apart = co_await leaves_other_sessions_alone(probe, client);
  co_return std::move(apart);
}

Task<Finding> ignores_late_responses(Probe& probe) {
  Client client = probe.client();
  const std::string text = "{\"jsonrpc\":\"2.0\",\"id\":\"plumbline-late\",\"result\":{}}";
  const Reaction reaction = co_await client.provoke(text);
  const bool alive = co_await client.alive();
  if (!alive) co_return broken("it no longer answers after a response that it did not wait for");
  // Over HTTP it may well refuse the POST. What was asked before may be answered now.
  bool answers = false;
  bool by_its_id = false;
  for (const Json& message : reaction.messages) {
    const Json* const id = find(message, "method") == nullptr ? find(message, "id") : nullptr;
    if (id == nullptr) continue;
    by_its_id = by_its_id || *id == Json("plumbline-late");
    answers = answers || by_its_id || id->is_null();
  }
  if (probe.over_http() || !answers) co_return passes();
  co_return broken("got " + reaction.describe() + " to a response that it did not wait for" +
                   (by_its_id ? ", with the id of that" : ""));
}

constexpr const char* kResourceUpdated = "notifications/resources/updated";

// Peace is a call that nobody gives up, of a tool that changes a resource.
struct Peace {
  Duration took{};
  Duration patience{};  // By when a change would have been heard.
  bool tells = false;   // One change was heard, and none that comes by itself.
};

Task<Peace> call_in_peace(Probe& probe, Client& client, Json params) {
  Peace peace;
  const std::size_t before = frames_of(client);
  const Reply whole = co_await client.request("tools/call", std::move(params));
  peace.took = whole.took;
  peace.patience = whole.took * 2 + probe.pace().quiet();
  const Json once = co_await await_notice(client, before, kResourceUpdated, peace.patience);
  const std::size_t after_it = frames_of(client);
  const Json by_itself = co_await await_notice(client, after_it, kResourceUpdated, peace.patience);
  peace.tells = whole.result() != nullptr && !once.is_null() && by_itself.is_null();
  co_return peace;
}

// GivenUp is what became of calls whose streams were closed a quarter through their work.
struct GivenUp {
  bool stopped = false;  // Nothing was heard of the end of one.
  int went_on = 0;       // Calls that were given up in time, and whose end was heard.
};

Task<GivenUp> give_up_calls(Probe& probe, Client& client, Json params, Duration work,
                            Duration patience) {
  GivenUp given;
  for (int tries = 0; tries < kGivenUpMax && !given.stopped && given.went_on < kTries; ++tries) {
    const std::size_t first = frames_of(client);
    Json request = client.request_of("tools/call", params);
    const Client::Begun begun = client.begin(std::move(request));
    co_await Sleep(probe.loop(), after(probe.loop().now(), work / 4));
    const bool in_time = probe.loop().now() - begun.at < work / 2;
    client.session().wire().drop(begun.exchange);
    const Json change = co_await await_notice(client, first, kResourceUpdated, patience);
    given.stopped = change.is_null();
    if (!given.stopped && in_time) ++given.went_on;
  }
  co_return given;
}

// A tool that takes a while and then changes a resource: nobody hears of the change where the call
// was given up. What somebody else changes meanwhile is heard as well, but hardly each time.
Task<Finding> stops_at_closed_streams(Probe& probe) {
  if (!probe.over_http()) co_return not_for_it("only over HTTP a closed stream cancels");
  const std::optional<ToolUse> use = probe.hinted({Shows::kResourceUpdate, Shows::kTime});
  if (!use) {
    co_return not_for_it(
        "no tool is known to take a while and then change a resource; --hint names one");
  }
  Client client = probe.client();
  Json filter = Json::object();
  filter["resourceSubscriptions"] = Json::array();
  filter["resourceSubscriptions"].push_back(use->resource);
  Listening listening = begin_listening(client, std::move(filter));
  const Json acknowledgement = co_await acknowledged(client, listening);
  if (acknowledgement.is_null()) co_return not_for_it("it takes no subscription to the resource");
  const Reply nothing_to_do = co_await client.request(std::string(client.harmless_method()));
  Peace peace;
  for (int looks = 0; looks < kPeacefulLooks && !peace.tells; ++looks) {
    peace = co_await call_in_peace(probe, client, use->params);
  }
  // What is said a quarter through the work has to arrive before its end.
  const Duration work = peace.took - nothing_to_do.took;
  if (work < nothing_to_do.took) {
    co_await stop_listening(client, listening);
    co_return not_for_it("the way to it takes longer than the work of " + use->name);
  }
  GivenUp given;
  if (peace.tells) {
    given = co_await give_up_calls(probe, client, use->params, work, peace.patience);
  }
  co_await stop_listening(client, listening);
  if (!peace.tells) {
    co_return not_for_it("a call of " + use->name +
                         " in peace changed nothing, or the resource changes by itself");
  }
  if (given.stopped) co_return passes();
  if (given.went_on < kTries) co_return not_for_it("no call could be given up in time");
  co_return broken("the stream of a call of " + use->name +
                   " was closed, and what it does at its end came all the same, each time");
}

constexpr ServerCheck kCancellationChecks[] = {
    {"cancellation.http-close-cancels", Eras::kStateless, SessionUse::kAlone,
     stops_at_closed_streams},
    {"cancellation.race-handled", Eras::kBoth, SessionUse::kAlone, survives_races},
    {"cancellation.invalid-ignored", Eras::kBoth, SessionUse::kAlone, ignores_wrong_cancellations},
    {"cancellation.late-response-ignored", Eras::kStateful, SessionUse::kAlone,
     ignores_late_responses},
};

}  // namespace

ServerChecks cancellation_checks() { return kCancellationChecks; }

}  // namespace plumbline::conformance
