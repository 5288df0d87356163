// The ids of sessions, and their end: by the client, or by the server.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/opening.h"
#include "conformance/wire/header_names.h"
#include "core/base/text.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNobodysSession = "00000000-0000-4000-8000-000000000000";
constexpr int kVisits = 3;
constexpr std::ptrdiff_t kDeadStreamsMax = 2;  // GETs of a session that has ended, in
constexpr Duration kDeadStreamsTime = std::chrono::seconds(1);

// has_sessions returns whether `session` is known to the gateway by an id.
bool has_sessions(const Session& session) {
  return session.wire().http() && !session.session_id().empty();
}

// ping_with returns what the answer to a ping of the session `id` is.
Task<Reply> ping_with(Session* session, std::uint32_t check, std::string id) {
  Client client(*session, check);
  Json message = client.request_of("ping", Json::object());
  wire::HttpHeaders headers;
  headers.set(kSessionHeader, std::move(id));
  co_return co_await client.exchange(std::move(message), std::move(headers));
}

Task<Finding> unknown_gets_404(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!has_sessions(*session)) co_return not_for_it("it gives its clients no session id");
  const Reply reply = co_await ping_with(session, probe.check(), kNobodysSession);
  if (reply.status == 404) co_return passes();
  co_return about(
      broken("a request of a session that nobody has opened got " +
             (reply.status == 0 ? reply.describe() : "status " + std::to_string(reply.status)) +
             ", expected 404: only that makes clients begin anew"),
      reply);
}

Task<Finding> names_sessions_once(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!has_sessions(*session)) co_return not_for_it("it gives its clients no session id");
  const Reply& opening = session->opening();
  if (opening.headers.count(kSessionHeader) < 2) co_return passes();
  co_return about(broken("the answer to initialize has Mcp-Session-Id twice: clients that join "
                         "repeated fields, as Claude Code and the Python SDK do, send back both as "
                         "one id"),
                  opening);
}

Task<Reply> end_session(Session* session, std::uint32_t check) {
  Client client(*session, check);
  wire::HttpRequest request;
  request.method = "DELETE";
  request.headers = session->headers_for(nullptr);
  co_return co_await client.http(std::move(request));
}

Task<Finding> ended_gets_404(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!has_sessions(*session)) co_return not_for_it("it gives its clients no session id");
  const Reply ended = co_await end_session(session, probe.check());
  if (ended.status < 200 || ended.status > 299) {
    co_return not_for_it("it answers DELETE with " + std::to_string(ended.status));
  }
  const Reply reply = co_await ping_with(session, probe.check(), session->session_id());
  if (reply.status != 404) {
    co_return about(
        broken("a request of a session that its client has ended got " +
               (reply.status == 0 ? reply.describe() : "status " + std::to_string(reply.status)) +
               ", expected 404"),
        reply);
  }
  const Reply again = co_await end_session(session, probe.check());
  if (again.status < 500) co_return passes();
  co_return about(broken("DELETE of a session that its client has ended got status " +
                         std::to_string(again.status) + ", expected 404"),
                  again);
}

// leaves_none_open lets clients come and go, and counts the sessions that stay with the server.
Task<Finding> leaves_none_open(GatewayProbe* probe) {
  const std::size_t before = probe->mirror().open_sessions();
  for (int visit = 1; visit <= kVisits; ++visit) {
    Session* const session = co_await probe->enter();
    if (session == nullptr) co_return passes();
    co_await probe->call(*session, "echo", GatewayProbe::marked(probe->new_mark()));
    co_await end_session(session, probe->check());
  }
  const auto few = [&] { return probe->mirror().open_sessions() < before + kVisits; };
  const Instant deadline = after(probe->loop().now(), probe->pace().answer());
  if (co_await probe->mirror().changes().wait(deadline, few)) co_return passes();
  co_return risky(std::to_string(kVisits) +
                  " clients came and ended their sessions, and the server has " +
                  std::to_string(probe->mirror().open_sessions() - before) +
                  " open sessions more than before: they add up until it runs out");
}

// goes_on judges who did not end a session when its client wanted that. 405 says that no client may
// (spec 2025-11-25, basic/transports, Session Management); 404, that there is no such session.
Task<Finding> goes_on(GatewayProbe* probe, Session* session, Reply ended) {
  const std::string got = std::to_string(ended.status);
  const Reply reply =
      co_await probe->call(*session, "echo", GatewayProbe::marked(probe->new_mark()));
  const bool denies =
      ended.status == 404 || ended.status == 400 || (ended.status >= 500 && ended.status != 501);
  if (!denies || reply.result() == nullptr) {
    co_return not_for_it("it answers DELETE with " + got);
  }
  co_return about(risky("DELETE of a session got status " + got +
                        ", and a call in it is served behind that: its client takes it for ended, "
                        "and the session with the server stays open; expected its end, or 405"),
                  ended);
}

Task<Finding> ends_at_the_server(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!has_sessions(*session)) co_return not_for_it("it gives its clients no session id");
  Session* const other = co_await probe.enter();
  if (other == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  co_await probe.call(*session, "echo", GatewayProbe::marked(mark));
  const std::string theirs = probe.new_mark();
  co_await probe.call(*other, "echo", GatewayProbe::marked(theirs));
  const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
  const std::vector<MirrorServer::Heard> neighbours = probe.heard(theirs);
  if (heard.empty() || neighbours.empty()) {
    co_return undecided(kNeverReached);
  }
  if (!heard.front().streamable) co_return not_for_it("it speaks HTTP+SSE with the server");
  if (heard.front().session == neighbours.front().session) {
    co_return not_for_it("it has one session with the server for all its clients");
  }
  const Reply ended = co_await end_session(session, probe.check());
  if (ended.status < 200 || ended.status > 299) {
    co_return co_await goes_on(&probe, session, ended);
  }
  const auto gone = [&] { return !probe.mirror().knows(heard.front().session); };
  const Instant deadline = after(probe.loop().now(), probe.pace().answer());
  const bool ended_there = co_await probe.mirror().changes().wait(deadline, gone);
  if (!ended_there) {
    co_return broken("a client ended its session, and the session with the server stays open");
  }
  co_return co_await leaves_none_open(&probe);
}

// named_by_initialize returns the session id that an initialize named which came since `from`;
// empty: none did.
std::string named_by_initialize(const MirrorServer& mirror, std::size_t from) {
  const std::vector<MirrorServer::Heard>& all = mirror.heard();
  for (std::size_t i = from < all.size() ? from : 0; i < all.size(); ++i) {
    const auto named = all[i].headers.get(kSessionHeader);
    const bool opens = string_or(all[i].message, "method", "") == "initialize";
    if (opens && named && !named->empty()) return std::string(*named);
  }
  return {};
}

// leaves_dead_streams asks for the stream of a session that the server knows as `dead`, and no
// longer.
//
// Spec 2025-11-25, basic/transports, Session Management: 404 means that a new session is due.
Task<Finding> leaves_dead_streams(GatewayProbe* probe, Session* session, std::string dead) {
  if (dead.empty()) co_return passes();
  const MirrorServer& mirror = probe->mirror();
  const auto gets = [&] {
    return std::ranges::count_if(mirror.requests(), [&](const wire::HttpRequest& one) {
      return one.method == "GET" && one.headers.get(kSessionHeader) == dead;
    });
  };
  const std::ptrdiff_t before = gets();
  ask_for_stream(*session, probe->check());
  co_await Sleep(probe->loop(), after(probe->loop().now(), kDeadStreamsTime));
  const std::ptrdiff_t times = gets() - before;
  if (times <= kDeadStreamsMax) co_return passes();
  co_return broken(
      "the server answers GETs of a session that it has ended with 404, and was asked "
      "for its stream " +
      std::to_string(times) + " times within a second");
}

// A server forgets a session: the gateway says so, or opens another.
Task<Finding> outlives_the_servers_session(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("its client has no session to open anew");
  const std::size_t from = probe.mirror().heard().size();
  const std::vector<MirrorServer::Heard> heard = co_await probe.heard_of_a_call(session);
  if (heard.empty()) co_return undecided(kNeverReached);
  if (!heard.front().streamable) co_return not_for_it("it speaks HTTP+SSE with the server");
  probe.mirror().end(heard.front().session);
  const std::string gone = probe.new_mark();
  const Reply reply = co_await probe.call(*session, "echo", GatewayProbe::marked(gone));
  if (reply.result() != nullptr && probe.heard(gone).empty()) {
    co_return about(broken("the server knows a session no longer (404), and the client got a "
                           "result that no server gave: " +
                           shortened(dump_json(*reply.result())) +
                           ", expected 404 or the result of another session"),
                    reply);
  }
  if (reply.result() == nullptr && reply.status != 404) {
    co_return about(broken("the server knows a session no longer (404), and the client got " +
                           reply.describe() + ", expected 404 or the result of another session"),
                    reply);
  }
  Session* const next = co_await probe.enter();
  if (next == nullptr) co_return broken("after the server had ended a session, " + probe.why());
  const Reply anew = co_await probe.call(*next, "echo", GatewayProbe::marked(probe.new_mark()));
  if (anew.result() == nullptr) {
    co_return about(broken("after the server had ended a session, a new client's call came to " +
                           anew.describe()),
                    anew);
  }
  const std::string named = named_by_initialize(probe.mirror(), from);
  if (!named.empty()) {
    co_return broken("initialize came to the server with Mcp-Session-Id: " + clipped(named) +
                     ", expected none: a session is opened anew without the id of another");
  }
  const std::string dead(heard.front().headers.get(kSessionHeader).value_or(""));
  co_return co_await leaves_dead_streams(&probe, session, dead);
}

constexpr GatewayCheck kSessionIdChecks[] = {
    {"gateway.names-sessions-once", names_sessions_once},
    {"gateway.unknown-session-404", unknown_gets_404},
    {"gateway.ended-session-404", ended_gets_404},
    {"gateway.ends-sessions", ends_at_the_server},
};

// A gateway that does not hold it may serve nobody afterwards.
constexpr GatewayCheck kLastChecks[] = {
    {"gateway.outlives-servers-session", outlives_the_servers_session},
};

}  // namespace

GatewayChecks session_id_checks() { return kSessionIdChecks; }

GatewayChecks last_checks() { return kLastChecks; }

}  // namespace plumbline::conformance
