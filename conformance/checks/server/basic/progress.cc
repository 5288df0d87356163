// Progress: spec, basic/utilities/progress. What the server reports is judged by oracles; here it
// is given occasion to.

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/transports/http_ways.h"

namespace plumbline::conformance {

namespace {

Task<Finding> ignores_unknown_progress(Probe& probe) {
  Client client = probe.client();
  const std::string text =
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":"
      "{\"progressToken\":\"plumbline-nobody\",\"progress\":1}}";
  const Reaction reaction = co_await client.provoke(text);
  if (!reaction.alive) co_return broken("it no longer answers after progress of an unknown token");
  if (reaction.error() == nullptr) co_return passes();
  co_return broken("got " + reaction.describe() + " to progress of an unknown token");
}

// told_of returns how many notifications of progress with `token` came as frame `first` or later.
int told_of(Client& client, std::size_t first, const Json& token) {
  const std::vector<Frame>& frames = client.session().wire().inbox().frames;
  int told = 0;
  for (std::size_t at = first; at < frames.size(); ++at) {
    const Json* const named = at_pointer(*frames[at].message, "/params/progressToken");
    told += named != nullptr && *named == token ? 1 : 0;
  }
  return told;
}

Json call_with(Client& client, Json params, const Json& token) {
  Json request = client.request_of("tools/call", std::move(params));
  request["params"]["_meta"]["progressToken"] = token;
  return request;
}

struct Told {
  Reply reply;
  int times = 0;
};

// progress_of makes a call, with the id `id` where that is given.
Task<Told> progress_of(Client client, Json params, Json token, Json id = nullptr) {
  Json request = call_with(client, std::move(params), token);
  if (!id.is_null()) request["id"] = std::move(id);
  const std::size_t first = frames_of(client);
  Told told;
  told.reply = co_await client.exchange(std::move(request));
  co_await client.hush();
  told.times = told_of(client, first, token);
  co_return std::move(told);
}

// tells_of_id_zero: the id of a request may be 0 as well, and what is told of that reaches its
// client as what is told of any other.
Task<Finding> tells_of_id_zero(Probe& probe, Json params) {
  const Json token = "plumbline-id-zero";
  const Told of_zero = co_await progress_of(probe.client(), params, token, Json(0));
  if (of_zero.times > 0 || of_zero.reply.result() == nullptr) co_return passes();
  const Told of_other = co_await progress_of(probe.client(), params, Json("plumbline-id-other"));
  if (of_other.times == 0) co_return passes();
  co_return about(
      risky("a call whose request has the id 0 got no progress, and with another id it got some: "
            "clients on the official Python and TypeScript SDKs count their ids from 0"),
      of_zero.reply);
}

// A token is a text or a whole number: 0 is one, which careless code takes for none.
Task<Finding> takes_zero_for_a_token(Probe& probe) {
  const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kProgress);
  if (!use) co_return needs(Shows::kProgress);
  const Told with_zero = co_await progress_of(probe.client(), use->params, Json(0));
  if (with_zero.times > 0) {
    Finding found = co_await tells_of_id_zero(probe, use->params);
    co_return std::move(found);
  }
  if (!with_zero.reply.answered()) co_return undecided("got " + with_zero.reply.describe());
  const Told with_text = co_await progress_of(probe.client(), use->params, Json("plumbline-zero"));
  if (with_text.times == 0) co_return not_for_it(use->name + " reports no progress any longer");
  co_return about(
      broken("a call with the progress token 0 got no progress, and with a text for a token it got "
             "some: clients on the official SDKs count their tokens from 0"),
      with_zero.reply);
}

// is_internal returns whether an error says that the request was wrong, or its server, rather than
// that there is too much to do.
bool is_internal(const Reply& reply) {
  constexpr std::int64_t kReserved[] = {-32603, -32602, -32601, -32600, -32700};
  return reply.error() != nullptr &&
         std::ranges::find(kReserved, reply.code()) != std::end(kReserved);
}

Json with_new_id(Client& client, Json call) {
  call["id"] = client.session().next_id();
  call["params"]["_meta"]["progressToken"] = "plumbline-" + dump_json(call["id"]);
  return call;
}

// makes_two_at_once makes a call, and again when it is at work, and returns the reply that is an
// error; nothing: neither is. Who is busy may say so in a result.
Task<std::optional<Reply>> makes_two_at_once(Client& client, Json call) {
  const std::size_t first = frames_of(client);
  Client::Begun one = client.begin(with_new_id(client, call));
  co_await await_notice(client, first, "notifications/progress", client.pace().quiet());
  Client::Begun other = client.begin(with_new_id(client, call));
  const Reply earlier = co_await client.finish(std::move(one));
  const Reply later = co_await client.finish(std::move(other));
  if (is_internal(earlier)) co_return earlier;
  if (is_internal(later)) co_return later;
  co_return std::nullopt;
}

// calls_at_once: what succeeds alone does not fail for another call that is at work.
Task<Finding> calls_at_once(Probe& probe, Client& client) {
  constexpr int kTimes = 2;
  if (probe.over_http() && opened_slowly(client)) co_return passes();
  const Json call = co_await longest_call(probe, client, "plumbline-at-once");
  if (call.is_null()) co_return passes();
  std::optional<Reply> failed;
  for (int time = 0; time < kTimes; ++time) {
    failed = co_await makes_two_at_once(client, call);
    if (!failed) co_return passes();
    const Reply alone = co_await client.exchange(with_new_id(client, call));
    if (alone.result() == nullptr) co_return passes();
  }
  co_return about(broken("a call of " + shortened(string_or(call["params"], "name", "")) +
                         " that succeeds alone got " + failed->describe() +
                         " while another call of the session was at work, twice"),
                  *failed);
}

// A server that waits for its tool hears nobody meanwhile. What is told of the work shows that it
// could speak.
Task<Finding> hears_while_it_works(Probe& probe, Client client) {
  constexpr int kToldMeanwhile = 2;
  constexpr Duration kNoticeable = std::chrono::milliseconds(50);
  constexpr Duration kWorkMax = std::chrono::seconds(10);
  const std::optional<ToolUse> use = co_await probe.tool_at_work();
  if (!use) co_return needs(Shows::kProgress);
  const Json token = "plumbline-meanwhile";
  const std::string method(client.harmless_method());
  const Reply alone = co_await client.request(method);
  std::size_t first = frames_of(client);
  Client::Begun work = client.begin(call_with(client, use->params, token));
  const Duration patience = probe.pace().answer();
  const Json begun = co_await await_notice(client, first, "notifications/progress", patience);
  first = frames_of(client);
  Client::Begun asked = client.begin(client.request_of(method, Json::object()));
  const Reply meanwhile = co_await client.finish(std::move(asked), kWorkMax);
  const int told = told_of(client, first, token);
  const Reply done = co_await client.finish(std::move(work));
  if (begun.is_null()) co_return not_for_it(use->name + " reports no progress any longer");
  if (!meanwhile.answered()) co_return undecided(method + " got " + meanwhile.describe());
  // Answered by then, and told of twice before that: it was at work, and did not listen. Work that
  // is over at once says nothing, and who is busy says what it is told of one after the other.
  const Duration usual = std::max<Duration>(alone.took * 10, kNoticeable);
  const bool late =
      meanwhile.took > usual && done.answered() && meanwhile.places.back() > done.places.back();
  if (!late || told < kToldMeanwhile) co_return passes();
  co_return about(broken(method + " was answered only after " + use->name +
                         " had ended, which told " + std::to_string(told) +
                         " times of its progress meanwhile: expected an answer at once, while a "
                         "call is at work"),
                  meanwhile);
}

Task<Finding> answers_while_it_works(Probe& probe) {
  Client client = probe.client();
  Finding heard = co_await hears_while_it_works(probe, client);
  if (heard.verdict == Verdict::kFail || !client.session().usable()) co_return std::move(heard);
  Finding beside = co_await calls_at_once(probe, client);
  if (beside.verdict != Verdict::kPass) co_return std::move(beside);
  co_return std::move(heard);
}

constexpr ServerCheck kProgressChecks[] = {
    {"progress.zero-is-a-token", Eras::kBoth, SessionUse::kAlone, takes_zero_for_a_token},
    {"jsonrpc.answers-meanwhile", Eras::kBoth, SessionUse::kAlone, answers_while_it_works},
    {"progress.track-tokens", Eras::kStateful, SessionUse::kAlone, ignores_unknown_progress},
};

}  // namespace

ServerChecks progress_checks() { return kProgressChecks; }

}  // namespace plumbline::conformance
