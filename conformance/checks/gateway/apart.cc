// Two clients at once, whose ids and tokens are the same; and what a server says by itself.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/questions.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

Json call_of(const std::string& mark) {
  Json arguments(Json::value_t::object);
  arguments["mark"] = mark;
  return arguments;
}

// told returns the notifications of `method` that came to a client since `from`.
std::vector<Json> told(const Session& session, std::size_t from, std::string_view method) {
  std::vector<Json> found;
  const std::vector<Frame>& frames = session.wire().inbox().frames;
  for (std::size_t i = from; i < frames.size(); ++i) {
    if (string_or(*frames[i].message, "method", "") == method) found.push_back(*frames[i].message);
  }
  return found;
}

// foreign returns a notification of progress that is about another mark than `mark`; null: none.
Json foreign(const std::vector<Json>& progress, const std::string& mark) {
  for (const Json& one : progress) {
    const Json* const said = at_pointer(one, "/params/message");
    if (said != nullptr && *said != Json(mark)) return one;
  }
  return nullptr;
}

// is_told_once_more lets a call that waits say how far it is, and returns whether its client hears.
// Who was told nothing since the frame `first` is told of everything at the end, if at all: true.
Task<bool> is_told_once_more(GatewayProbe* probe, Session* session, std::string mark,
                             std::size_t first) {
  constexpr const char* kProgress = "notifications/progress";
  constexpr int kFurther = 3;
  Client client(*session, probe->check());
  co_await client.hush();  // What was said before comes first.
  if (told(*session, first, kProgress).empty()) co_return true;
  const std::size_t from = session->wire().inbox().frames.size();
  probe->mirror().progress(mark, kFurther);
  const auto came = [&] { return !told(*session, from, kProgress).empty(); };
  const Instant deadline = after(probe->loop().now(), probe->pace().answer());
  co_return co_await session->wire().inbox().wait(deadline, came);
}

// same_token_alone judges a call that never reached the server while another client had one open by
// the same token: it is the token that is in the way where two calls by two tokens do get through.
Task<Finding> same_token_alone(GatewayProbe* probe, Client::Begun begun, Session* session) {
  Client client(*session, probe->check());
  const Reply reply = co_await client.finish(std::move(begun));
  Session* const one = co_await probe->enter();
  Session* const other = co_await probe->enter();
  if (one == nullptr || other == nullptr) co_return undecided(probe->why());
  const std::string mine = probe->new_mark();
  const std::string theirs = probe->new_mark();
  Client::Begun first = probe->begin_call(*one, "hold", call_of(mine), "token-" + mine);
  const bool both = co_await probe->reached(mine);
  Client::Begun second = probe->begin_call(*other, "hold", call_of(theirs), "token-" + theirs);
  const bool reached = both && co_await probe->reached(theirs);
  probe->mirror().release(mine);
  probe->mirror().release(theirs);
  Client holder(*one, probe->check());
  Client neighbour(*other, probe->check());
  co_await holder.finish(std::move(first));
  co_await neighbour.finish(std::move(second));
  if (!reached) co_return undecided(kNeverReached);
  co_return about(broken("two clients chose the same token, and the call of the second never "
                         "reached the server, and came to " +
                         reply.describe() + "; by two tokens both get through"),
                  reply);
}

Task<Finding> keeps_progress_apart(GatewayProbe& probe) {
  Session* const one = co_await probe.enter();
  Session* const other = co_await probe.enter();
  if (one == nullptr || other == nullptr) co_return undecided(probe.why());
  const std::string mine = probe.new_mark();
  const std::string theirs = probe.new_mark();
  const std::size_t from = one->wire().inbox().frames.size();
  const std::size_t from_other = other->wire().inbox().frames.size();
  Client client(*one, probe.check());
  Client neighbour(*other, probe.check());
  // Both hold first, so that both tokens are known when the second one's progress is told.
  Client::Begun first = probe.begin_call(*one, "hold", call_of(mine), "same-token");
  if (!co_await probe.reached(mine)) co_return undecided(kNeverReached);
  Client::Begun second = probe.begin_call(*other, "hold", call_of(theirs), "same-token");
  if (!co_await probe.reached(theirs)) {
    probe.mirror().release(mine);
    co_return co_await same_token_alone(&probe, std::move(second), other);
  }
  probe.mirror().progress(mine);
  probe.mirror().progress(theirs);
  probe.mirror().release(mine);
  co_await client.finish(std::move(first));
  const bool outlives = co_await is_told_once_more(&probe, other, theirs, from_other);
  probe.mirror().release(theirs);
  co_await neighbour.finish(std::move(second));
  const auto mine_told = told(*one, from, "notifications/progress");
  const auto theirs_told = told(*other, from_other, "notifications/progress");
  for (const auto& [heard, mark] : {std::pair(&mine_told, &mine), {&theirs_told, &theirs}}) {
    const Json wrong = foreign(*heard, *mark);
    if (wrong.is_null()) continue;
    co_return broken("two clients chose the same token, and the one that called with " + *mark +
                     " was told of the other's call: " + shortened(dump_json(wrong)));
  }
  if (mine_told.empty() && theirs_told.empty()) co_return undecided("no progress came");
  if (mine_told.empty() || theirs_told.empty()) {
    co_return broken("two clients chose the same token, and one was told nothing of its progress");
  }
  if (outlives) co_return passes();
  if (probe.exchanges().loses_answers()) {
    co_return undecided(
        "not told apart from gateway.keeps-order: what comes behind other messages is lost");
  }
  co_return broken(
      "two clients chose the same token, and when the call of one had ended the other was told "
      "nothing more of its progress");
}

Task<Finding> cancels_ones_own(GatewayProbe& probe) {
  Session* const one = co_await probe.enter();
  Session* const other = co_await probe.enter();
  if (one == nullptr || other == nullptr) co_return undecided(probe.why());
  const std::string mine = probe.new_mark();
  const std::string theirs = probe.new_mark();
  Client client(*one, probe.check());
  Client neighbour(*other, probe.check());
  Client::Begun first = probe.begin_call(*one, "hold", call_of(mine));
  Client::Begun second = probe.begin_call(*other, "hold", call_of(theirs));
  if (!co_await probe.reached(mine)) co_return undecided(kNeverReached);
  if (!co_await probe.reached(theirs)) co_return undecided(kNeverReached);
  const MirrorServer::Request spared = *probe.mirror().held(theirs);
  Json params(Json::value_t::object);
  params["requestId"] = first.id;
  co_await client.notify("notifications/cancelled", std::move(params));
  co_await client.hush();
  const bool hit = std::ranges::any_of(probe.mirror().heard(), [&](const auto& heard) {
    const Json* const id = at_pointer(heard.message, "/params/requestId");
    return string_or(heard.message, "method", "") == "notifications/cancelled" &&
           heard.session == spared.session && id != nullptr && *id == spared.id;
  });
  probe.mirror().release(mine);
  probe.mirror().release(theirs);
  const Reply answer = co_await neighbour.finish(std::move(second));
  if (hit)
    co_return broken("one client cancelled its call, and the server was told so of another's");
  if (answer.result() != nullptr) co_return passes();
  co_return about(broken("one client cancelled its call, and another's with the same id came to " +
                         answer.describe()),
                  answer);
}

// first_progress returns the first notification of progress that came with a reply; null: none.
Json first_progress(const Reply& reply) {
  for (const KeptJson& message : reply.along) {
    if (string_or(*message, "method", "") == "notifications/progress") return *message;
  }
  return nullptr;
}

// progress_by calls count by `token`, and judges the first progress that comes of it.
Task<Finding> progress_by(GatewayProbe* probe, Session* session, Json token, Reply* reply) {
  const std::string mark = probe->new_mark();
  const std::size_t from = session->wire().inbox().frames.size();
  *reply = co_await probe->call(*session, "count", call_of(mark), token);
  Json message = first_progress(*reply);
  if (message.is_null()) {  // It may come on another stream.
    Client client(*session, probe->check());
    co_await client.hush();
    const std::vector<Json> elsewhere = told(*session, from, "notifications/progress");
    if (!elsewhere.empty()) message = elsewhere.front();
  }
  if (message.is_null()) co_return undecided("no progress came");
  const Json* const named = at_pointer(message, "/params/progressToken");
  const Json* const total = at_pointer(message, "/params/total");
  const Json* const said = at_pointer(message, "/params/message");
  if (named == nullptr || *named != token) {
    co_return broken("progress of a call by the token " + dump_json(token) + " came as " +
                     shortened(dump_json(message)));
  }
  // The server tells of a message in the revisions that have it alone.
  const std::vector<MirrorServer::Heard> heard = probe->heard(mark);
  const bool tells = !heard.empty() && heard.front().revision >= since::kStreamableHttp;
  const bool kept = tells ? said != nullptr && *said == Json(mark) : said == nullptr;
  if (total != nullptr && *total == Json(20) && kept) co_return passes();
  co_return broken("progress was told with total 20 and " +
                   (tells ? "message " + mark : "no message") + ", and came as " +
                   shortened(dump_json(message)));
}

Task<Finding> keeps_progress(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Client client(*session, probe.check());
  co_await client.can_hear();  // It may come there.
  Reply reply;
  const Finding by_text =
      co_await progress_by(&probe, session, "token-" + probe.new_mark(), &reply);
  if (by_text.verdict != Verdict::kPass) co_return by_text;
  constexpr std::uint32_t kFirstNumber = 70'000;  // No id of a request is as high.
  const Json number = kFirstNumber + probe.check();
  const Finding by_number = co_await progress_by(&probe, session, number, &reply);
  if (by_number.verdict != Verdict::kInconclusive) co_return by_number;
  co_return about(broken("a call whose progressToken is the number " + dump_json(number) +
                         " brought no progress, and came to " + reply.describe() +
                         "; one whose token is a text did"),
                  reply);
}

// set_level sets the level of a client's log messages, and returns the session behind; 0: not so.
Task<std::size_t> set_level(GatewayProbe* probe, Session* session, const char* level) {
  Client client(*session, probe->check());
  Json params(Json::value_t::object);
  params["level"] = level;
  const Reply reply = co_await client.request("logging/setLevel", std::move(params));
  if (reply.result() == nullptr) co_return std::size_t{0};
  const std::string mark = probe->new_mark();
  co_await probe->call(*session, "echo", call_of(mark));
  const std::vector<MirrorServer::Heard> heard = probe->heard(mark);
  co_return heard.empty() ? 0 : heard.front().session;
}

// keeps_levels_apart lets another client ask for less, and logs for this one.
Task<Finding> keeps_levels_apart(GatewayProbe* probe, Session* session) {
  Session* const other = co_await probe->enter();
  if (other == nullptr) co_return passes();
  const std::size_t mine = co_await set_level(probe, session, "debug");
  const std::size_t theirs = co_await set_level(probe, other, "emergency");
  if (mine == 0 || theirs == 0 || mine == theirs) co_return passes();
  const std::size_t from = session->wire().inbox().frames.size();
  const Reply reply = co_await probe->call(*session, "log", call_of(probe->new_mark()));
  if (reply.result() == nullptr) co_return passes();
  const auto came = [&] { return !told(*session, from, "notifications/message").empty(); };
  const Instant deadline = after(probe->loop().now(), probe->pace().answer());
  const bool heard = co_await session->wire().inbox().wait(deadline, came);
  if (heard) co_return passes();
  co_return broken(
      "a client asked for the log level debug, another then for emergency, and a warning during a "
      "call of the first did not come to it");
}

Task<Finding> keeps_log_messages(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  const std::size_t from = session->wire().inbox().frames.size();
  const Reply reply = co_await probe.call(*session, "log", call_of(mark));
  if (reply.result() == nullptr && !probe.heard(mark).empty()) {
    co_return co_await probe.unlike_others(reply,
                                           "a call that the server answered behind a log message");
  }
  if (reply.result() == nullptr) co_return undecided("the call came to " + reply.describe());
  const auto came = [&] { return !told(*session, from, "notifications/message").empty(); };
  const Instant deadline = after(probe.loop().now(), probe.pace().answer());
  const bool heard = co_await session->wire().inbox().wait(deadline, came);
  if (!heard) co_return broken("a log message of the server during a call did not come");
  const Json got = told(*session, from, "notifications/message").front();
  const Json sent = probe.mirror().log_message(mark);
  const std::vector<Difference> all = differences(sent["params"], got["params"]);
  if (all.empty()) co_return co_await keeps_levels_apart(&probe, session);
  co_return broken("of a log message, " + said_of(all.front(), "the server", "the client"));
}

Task<Finding> tells_of_resources(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const Exchanged* const subscribed = co_await probe.exchanges().of(Ask::kSubscribe, probe.check());
  if (!subscribed->lacks.empty()) co_return not_for_it(subscribed->lacks);
  const std::string mark = probe.new_mark();
  co_await probe.call(*session, "echo", call_of(mark));
  const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
  if (heard.empty()) co_return undecided(kNeverReached);
  Client client(*session, probe.check());
  Json params(Json::value_t::object);
  const std::string known = probe.exchanges().resource(kMirrorText);
  params["uri"] = known;
  co_await client.request("resources/subscribe", std::move(params));
  if (session->wire().http() && !co_await client.can_hear()) {
    co_return not_for_it("it has no stream for what a server says by itself");
  }
  const std::size_t from = session->wire().inbox().frames.size();
  Json updated(Json::value_t::object);
  updated["uri"] = kMirrorText;
  probe.mirror().tell(heard.front().session, "notifications/resources/updated", updated);
  const auto came = [&] {
    return !told(*session, from, "notifications/resources/updated").empty();
  };
  const Instant deadline = after(probe.loop().now(), probe.pace().answer());
  const bool reached = co_await session->wire().inbox().wait(deadline, came);
  if (!reached) {
    co_return broken("that a resource has changed did not reach the client who subscribed to it");
  }
  const Json got = told(*session, from, "notifications/resources/updated").front();
  const Json* const uri = at_pointer(got, "/params/uri");
  if (uri != nullptr && *uri == Json(known)) co_return passes();
  co_return broken("resources/updated of " + known + " came as " + shortened(dump_json(got)));
}

Task<Finding> keeps_big_numbers(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Json sent = call_of(probe.new_mark());
  sent["signed"] = std::int64_t{-9223372036854775807};
  sent["unsigned"] = std::uint64_t{18446744073709551615U};
  const Reply reply = co_await probe.call(*session, "echo", sent);
  const Json* const back = content_of(reply);
  if (back == nullptr) {
    co_return co_await probe.unlike_others(reply, "a call with numbers of 64 bits");
  }
  const std::vector<Difference> all = differences(sent, *back);
  if (all.empty()) co_return passes();
  co_return broken(said_of(all.front(), "the client", "it back from the server") +
                   "; JavaScript rounds whole numbers beyond 2^53");
}

Task<Finding> passes_calls_without_arguments(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Client client(*session, probe.check());
  Json params(Json::value_t::object);
  params["name"] = probe.exchanges().tool("echo");
  const Reply reply = co_await client.request("tools/call", std::move(params));
  if (reply.result() != nullptr) co_return passes();
  co_return about(
      broken("a call without arguments, as it may be made, came to " + reply.describe()), reply);
}

Task<Finding> says_unknown_methods(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Client client(*session, probe.check());
  const Reply reply = co_await client.request("plumbline/unknown");
  const bool http = session->wire().http() && is_stateless(probe.revision());
  if (reply.code() == -32601 && (!http || reply.status == 404)) co_return passes();
  co_return about(broken("a request of a method that there is not got " + reply.describe() +
                         ", expected error -32601" + (http ? " with status 404" : "")),
                  reply);
}

constexpr GatewayCheck kApartChecks[] = {
    {"gateway.keeps-progress-apart", keeps_progress_apart},
    {"gateway.cancels-ones-own", cancels_ones_own},
    {"gateway.keeps-progress", keeps_progress},
    {"gateway.keeps-log-messages", keeps_log_messages},
    {"gateway.tells-of-resources", tells_of_resources},
    {"gateway.keeps-big-numbers", keeps_big_numbers},
    {"gateway.says-unknown-methods", says_unknown_methods},
    {"gateway.passes-calls-without-arguments", passes_calls_without_arguments},
};

}  // namespace

GatewayChecks apart_checks() { return kApartChecks; }

}  // namespace plumbline::conformance
