// Servers that fail: by a status alone, in the middle of an answer, or never; and streams that end.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/mirror_content.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr std::ptrdiff_t kStormMin = 20;  // GETs, in
constexpr Duration kStormTime = std::chrono::seconds(1);
// How a server fails, and what is said of that.
constexpr std::pair<const char*, const char*> kFailures[] = {
    {"cut", "the connection to the server broke in the middle of an answer"},
    {"status 503", "the server answered a call with status 503 and no JSON-RPC"},
};

// is_told returns whether a client learns by `reply` that its call came to nothing.
bool is_told(const Reply& reply) {
  const Json* const result = reply.result();
  if (result != nullptr) return bool_or(*result, "isError", false);
  return reply.error() != nullptr || reply.status >= 400 || reply.how == Reply::How::kClosed ||
         (reply.how == Reply::How::kEnded && (reply.events || reply.status == 0));
}

// failed_call calls fail, which fails by `how`.
Task<Finding> failed_call(GatewayProbe* probe, Session* session, std::string how, Reply* reply) {
  const std::string mark = probe->new_mark();
  *reply = co_await probe->call(*session, "fail", GatewayProbe::marked(mark, std::move(how)));
  const std::vector<MirrorServer::Heard> heard = probe->heard(mark);
  if (heard.empty()) co_return undecided(kNeverReached);
  if (!heard.front().streamable) co_return not_for_it("it speaks HTTP+SSE with the server");
  co_return passes();
}

// listed_by returns the items that a list brings, null: it brings none.
Json listed_by(const Reply& reply, const MirrorList& listing) {
  const Json* const items =
      reply.result() == nullptr ? nullptr : find(*reply.result(), listing.member);
  return items == nullptr || !items->is_array() ? Json() : *items;
}

// lacks_of returns what of `before` a list has no more; empty: nothing.
std::string lacks_of(const Json& before, const Json& after, const MirrorList& listing) {
  for (const Json& item : before) {
    std::string name = string_or(item, listing.key, "");
    const bool there = std::ranges::any_of(
        after, [&](const Json& one) { return string_or(one, listing.key, "") == name; });
    if (!there) return name;
  }
  return {};
}

// tells_of_refused_lists lets the server refuse a list once: by an error, and by a status. What was
// kept of it, or asked for again, is whole.
Task<Finding> tells_of_refused_lists(GatewayProbe* probe, Session* session, MirrorList listing) {
  const std::string method(listing.method);
  Client client(*session, probe->check());
  Json none(Json::value_t::object);
  const Json before = listed_by(co_await client.request(method, none), listing);
  if (before.empty()) co_return passes();
  for (const int status : {0, 503}) {
    probe->mirror().do_next(method, {MirrorServer::Next::What::kFail, "", status});
    const Reply reply = co_await client.request(method, none);
    // Of who gathered all pages before, and hands on the first now, the rest is behind its cursor.
    if (reply.result() == nullptr || find(*reply.result(), "nextCursor") != nullptr) continue;
    const std::string lost = lacks_of(before, listed_by(reply, listing), listing);
    if (lost.empty()) continue;
    co_return about(broken("the server refused " + method +
                           (status == 0 ? " by error -32050" : " with status 503") +
                           ", and the client got a list without " + lost +
                           ", which it had before: expected an error"),
                    reply);
  }
  co_return passes();
}

Task<Finding> tells_of_refusals(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  bool forgets_when = false;  // To come back.
  for (const char* const how : {"status 503", "status 429", "status 500"}) {
    Reply reply;
    const Finding called = co_await failed_call(&probe, session, how, &reply);
    if (called.verdict != Verdict::kPass) co_return called;
    forgets_when = forgets_when || (reply.status == 429 && !reply.headers.get("Retry-After"));
    if (is_told(reply)) continue;
    co_return about(
        broken("the server answered a call with " + std::string(how) +
               " and no JSON-RPC, and the client got " + reply.describe() + ", expected an error"),
        reply);
  }
  Session* const next = co_await probe.enter();
  if (next == nullptr) {
    co_return broken("after the server had refused calls by a status alone, " + probe.why());
  }
  for (const MirrorList& listing : kMirrorLists) {
    if (probe.exchanges().manner().merges) break;
    const Finding listed = co_await tells_of_refused_lists(&probe, next, listing);
    if (listed.verdict != Verdict::kPass) co_return listed;
  }
  if (!forgets_when) co_return passes();
  co_return risky("the server answered a call with status 429 and Retry-After: " +
                  std::string(kMirrorRetryAfter) +
                  ", and the client got 429 without Retry-After: it cannot tell when to come back");
}

Task<Finding> ends_cut_streams(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Reply reply;
  const Finding called = co_await failed_call(&probe, session, "cut", &reply);
  if (called.verdict != Verdict::kPass) co_return called;
  if (is_told(reply)) co_return passes();
  co_return about(broken("the connection to the server broke in the middle of an answer, and the "
                         "client got " +
                         reply.describe() + ", expected an error or the end"),
                  reply);
}

// told_of_another returns the error that came for a call and names another id; null: none did.
// Where everything comes on one stream, errors of other ids may be of other calls.
const Json* told_of_another(const Reply& reply) {
  const Json* const error = reply.error_of_another_id();
  if (error == nullptr || reply.answered() || reply.status >= 400) return nullptr;
  const Json* const id = find(*error, "id");
  return reply.exchange != 0 || id == nullptr || id->is_null() ? error : nullptr;
}

// Spec 2025-11-25, basic, Responses: an error has the id of its request, unless that could not be
// read.
Task<Finding> answers_by_id(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  for (const auto& [how, what] : kFailures) {
    Reply reply;
    const Finding called = co_await failed_call(&probe, session, how, &reply);
    if (called.verdict != Verdict::kPass) co_return called;
    const Json* const error = told_of_another(reply);
    if (error == nullptr) continue;
    const Json* const id = find(*error, "id");
    co_return about(
        broken(std::string(what) + ", and its client got an error with " +
               (id == nullptr ? "no id" : "the id " + shortened(dump_json(*id))) +
               ", expected that of its call: it cannot tell which call has failed, and waits"),
        reply);
  }
  co_return passes();
}

Task<Finding> survives_cuts(GatewayProbe& probe) {
  Session* const one = co_await probe.enter();
  Session* const other = co_await probe.enter();
  if (one == nullptr || other == nullptr) co_return undecided(probe.why());
  Reply reply;
  const Finding called = co_await failed_call(&probe, one, "cut", &reply);
  if (called.verdict != Verdict::kPass) co_return called;
  // Over stdio each client has a gateway of its own.
  Session* const spared = one->wire().http() ? other : one;
  const Reply after_it =
      co_await probe.call(*spared, "echo", GatewayProbe::marked(probe.new_mark()));
  const bool lives = spared == other ? after_it.result() != nullptr : after_it.answered();
  if (!lives) {
    co_return about(broken("the connection to the server broke in the middle of one answer, and "
                           "the next call of " +
                           std::string(spared == other ? "another client" : "its client") +
                           " came to " + after_it.describe()),
                    after_it);
  }
  Session* const next = co_await probe.enter();
  if (next != nullptr) co_return passes();
  co_return broken("after the connection to the server had broken once, " + probe.why());
}

// beside_a_hanging_call calls echo by `caller` while a call of `holder` waits.
Task<Finding> beside_a_hanging_call(GatewayProbe* probe, Session* holder, Session* caller,
                                    std::string whose) {
  const std::string mark = probe->new_mark();
  Client client(*holder, probe->check());
  Client::Begun begun = probe->begin_call(*holder, "hold", GatewayProbe::marked(mark));
  if (!co_await probe->reached(mark)) co_return undecided(kNeverReached);
  const Reply reply =
      co_await probe->call(*caller, "echo", GatewayProbe::marked(probe->new_mark()));
  probe->mirror().release(mark);
  co_await client.finish(std::move(begun));
  if (reply.result() != nullptr) co_return passes();
  co_return about(
      broken("while one call hangs at the server, " + whose + " came to " + reply.describe()),
      reply);
}

Task<Finding> serves_others_meanwhile(GatewayProbe& probe) {
  Session* const one = co_await probe.enter();
  Session* const other = co_await probe.enter();
  if (one == nullptr || other == nullptr) co_return undecided(probe.why());
  if (!one->wire().http()) co_return not_for_it("each client has a gateway of its own");
  co_return co_await beside_a_hanging_call(&probe, one, other, "a call of another client");
}

Task<Finding> serves_calls_at_once(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  co_return co_await beside_a_hanging_call(&probe, session, session,
                                           "another call of the same client");
}

Task<Finding> spares_other_sessions(GatewayProbe& probe) {
  Session* const one = co_await probe.enter();
  Session* const other = co_await probe.enter();
  if (one == nullptr || other == nullptr) co_return undecided(probe.why());
  const std::string mine = probe.new_mark();
  const std::string theirs = probe.new_mark();
  co_await probe.call(*one, "echo", GatewayProbe::marked(mine));
  co_await probe.call(*other, "echo", GatewayProbe::marked(theirs));
  const std::vector<MirrorServer::Heard> heard = probe.heard(mine);
  const std::vector<MirrorServer::Heard> neighbours = probe.heard(theirs);
  if (heard.empty() || neighbours.empty()) co_return undecided(kNeverReached);
  if (heard.front().session == neighbours.front().session) {
    co_return not_for_it("it has one session with the server for all its clients");
  }
  if (!heard.front().streamable) co_return not_for_it("it speaks HTTP+SSE with the server");
  probe.mirror().end(heard.front().session);
  co_await probe.call(*one, "echo", GatewayProbe::marked(probe.new_mark()));
  const Reply reply = co_await probe.call(*other, "echo", GatewayProbe::marked(probe.new_mark()));
  if (reply.result() != nullptr) co_return passes();
  co_return about(broken("the server ended the session of one client, and a call of another came "
                         "to " +
                         reply.describe()),
                  reply);
}

Task<Finding> does_without_stream(GatewayProbe& probe) {
  probe.mirror().set_streams(StreamManner::kNone);
  Session* const session = co_await probe.enter();
  if (session == nullptr) {
    co_return broken("the server answered GET with 405, and " + probe.why());
  }
  for (int times = 1; times <= 2; ++times) {
    const Reply reply =
        co_await probe.call(*session, "echo", GatewayProbe::marked(probe.new_mark()));
    if (reply.result() == nullptr) {
      co_return about(broken("the server answered GET with 405, as it may, and a call came to " +
                             reply.describe()),
                      reply);
    }
    co_await Sleep(probe.loop(), after(probe.loop().now(), probe.pace().quiet()));
  }
  co_return passes();
}

Task<Finding> waits_between_streams(GatewayProbe& probe) {
  probe.mirror().set_streams(StreamManner::kShort);
  Session* const session = co_await probe.enter();
  if (session == nullptr) {
    co_return broken("the server ended the stream of a GET at once, and " + probe.why());
  }
  const std::ptrdiff_t before = probe.mirror().streams_asked();
  const Reply reply = co_await probe.call(*session, "echo", GatewayProbe::marked(probe.new_mark()));
  co_await Sleep(probe.loop(), after(probe.loop().now(), kStormTime));
  const std::ptrdiff_t gets = probe.mirror().streams_asked() - before;
  if (gets > kStormMin) {
    co_return broken("the server ended the stream of a GET at once, and was asked for another " +
                     std::to_string(gets) + " times within a second");
  }
  if (reply.result() != nullptr) co_return passes();
  co_return about(broken("the server ended the stream of a GET at once, as it may, and a call "
                         "came to " +
                         reply.describe()),
                  reply);
}

constexpr GatewayCheck kTroubleChecks[] = {
    {"gateway.does-without-stream", does_without_stream},
    {"gateway.waits-between-streams", waits_between_streams},
    {"gateway.serves-others-meanwhile", serves_others_meanwhile},
    {"gateway.serves-calls-at-once", serves_calls_at_once},
    {"gateway.tells-of-refusals", tells_of_refusals},
    {"gateway.survives-cuts", survives_cuts},
    {"gateway.ends-cut-streams", ends_cut_streams},
    {"gateway.answers-by-id", answers_by_id},
    {"gateway.spares-other-sessions", spares_other_sessions},
};

}  // namespace

GatewayChecks trouble_checks() { return kTroubleChecks; }

}  // namespace plumbline::conformance
