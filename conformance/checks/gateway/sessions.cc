// Sessions through a gateway: unknown and ended ones, streams of their own, and lists that change.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/wire/header_names.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNobodysSession = "00000000-0000-4000-8000-000000000000";
constexpr int kListsMax = 20;

Json mark_of(std::string mark) {
  Json arguments(Json::value_t::object);
  arguments["mark"] = std::move(mark);
  return arguments;
}

// has_sessions returns whether `session` is known to the gateway by an id.
bool has_sessions(const Session& session) {
  return session.wire().http() && !session.session_id().empty();
}

// status_with returns what the answer to a ping of the session `id` is.
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
  if (reply.status == 404) co_return passes();
  co_return about(
      broken("a request of a session that its client has ended got " +
             (reply.status == 0 ? reply.describe() : "status " + std::to_string(reply.status)) +
             ", expected 404"),
      reply);
}

Task<Finding> ends_at_the_server(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!has_sessions(*session)) co_return not_for_it("it gives its clients no session id");
  Session* const other = co_await probe.enter();
  if (other == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  co_await probe.call(*session, "echo", mark_of(mark));
  const std::string theirs = probe.new_mark();
  co_await probe.call(*other, "echo", mark_of(theirs));
  const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
  const std::vector<MirrorServer::Heard> neighbours = probe.heard(theirs);
  if (heard.empty() || neighbours.empty()) {
    co_return undecided("the call never reached the server");
  }
  if (!heard.front().streamable) co_return not_for_it("it speaks HTTP+SSE with the server");
  if (heard.front().session == neighbours.front().session) {
    co_return not_for_it("it has one session with the server for all its clients");
  }
  const Reply ended = co_await end_session(session, probe.check());
  if (ended.status < 200 || ended.status > 299) {
    co_return not_for_it("it answers DELETE with " + std::to_string(ended.status));
  }
  const auto gone = [&] { return !probe.mirror().knows(heard.front().session); };
  const Instant deadline = after(probe.loop().now(), probe.pace().answer());
  const bool ended_there = co_await probe.mirror().changes().wait(deadline, gone);
  if (ended_there) co_return passes();
  co_return broken("a client ended its session, and the session with the server stays open");
}

// A server forgets a session: the gateway says so, or opens another.
Task<Finding> outlives_the_servers_session(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("its client has no session to open anew");
  const std::string mark = probe.new_mark();
  co_await probe.call(*session, "echo", mark_of(mark));
  const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
  if (heard.empty()) co_return undecided("the call never reached the server");
  if (!heard.front().streamable) co_return not_for_it("it speaks HTTP+SSE with the server");
  probe.mirror().end(heard.front().session);
  const std::string gone = probe.new_mark();
  const Reply reply = co_await probe.call(*session, "echo", mark_of(gone));
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
  const Reply anew = co_await probe.call(*next, "echo", mark_of(probe.new_mark()));
  if (anew.result() != nullptr) co_return passes();
  co_return about(broken("after the server had ended a session, a new client's call came to " +
                         anew.describe()),
                  anew);
}

Task<Finding> survives_a_second_stream(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("only over Streamable HTTP streams are opened");
  Client client(*session, probe.check());
  const Reply before = co_await probe.call(*session, "echo", mark_of(probe.new_mark()));
  if (before.result() == nullptr) co_return undecided("a call came to " + before.describe());
  for (int stream = 2; stream <= 3; ++stream) {
    wire::HttpRequest request;
    request.method = "GET";
    request.headers = session->headers_for(nullptr);
    request.headers.set("Accept", "text/event-stream");
    session->wire().request(std::move(request), probe.check());
    co_await client.hush();
    const Reply reply = co_await probe.call(*session, "echo", mark_of(probe.new_mark()));
    if (reply.result() == nullptr) {
      co_return about(broken("after GET " + std::to_string(stream) +
                             " of one session, a call came to " + reply.describe()),
                      reply);
    }
  }
  Session* const other = co_await probe.enter();
  if (other != nullptr) co_return passes();
  co_return broken("after a second GET of one session, another client could not enter: " +
                   probe.why());
}

Task<Finding> reads_a_streamed_opening(GatewayProbe& probe) {
  Session* const plain = co_await probe.enter();
  if (plain == nullptr) co_return undecided(probe.why());
  probe.mirror().set_odd_opening(true);
  Session* const session = co_await probe.enter();
  if (session == nullptr) {
    co_return broken(
        "the server answered initialize as a stream that begins with an empty "
        "event, and " +
        probe.why());
  }
  Client client(*session, probe.check());
  if (co_await client.alive()) co_return passes();
  co_return broken(
      "the server answered initialize as a stream that begins with an empty event, "
      "and nothing was answered behind it");
}

// lists_tool returns whether the tools that the client is told of have `name` among them.
Task<bool> lists_tool(Session* session, std::uint32_t check, std::string name) {
  Client client(*session, check);
  Json params(Json::value_t::object);
  const Reply reply = co_await client.request("tools/list", std::move(params));
  const Json* const tools = reply.result() == nullptr ? nullptr : find(*reply.result(), "tools");
  if (tools == nullptr || !tools->is_array()) co_return false;
  co_return std::ranges::any_of(
      *tools, [&](const Json& tool) { return string_or(tool, "name", "") == name; });
}

Task<Finding> lists_again(GatewayProbe& probe) {
  probe.mirror().set_paged(false);
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::string mark = probe.new_mark();
  co_await probe.call(*session, "echo", mark_of(mark));
  const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
  if (heard.empty()) co_return undecided("the call never reached the server");
  const std::string known = probe.exchanges().tool("echo");
  if (!co_await lists_tool(session, probe.check(), known)) {
    co_return undecided("it lists no " + known);
  }
  probe.mirror().list_more("late");
  const std::size_t behind = heard.front().session;
  const bool told = probe.mirror().hears(behind);
  if (!is_stateless(probe.revision())) {
    probe.mirror().tell(behind, "notifications/tools/list_changed");
  }
  const std::string late = probe.exchanges().tool("late");
  const Instant deadline = after(probe.loop().now(), probe.pace().answer());
  for (int times = 0; times < kListsMax && probe.loop().now() < deadline; ++times) {
    if (co_await lists_tool(session, probe.check(), late)) co_return passes();
    co_await Sleep(probe.loop(), after(probe.loop().now(), std::chrono::milliseconds(100)));
  }
  if (is_stateless(probe.revision())) {
    co_return broken("a list with ttlMs 0 was served again after another tool had come");
  }
  const std::string stale = "the server has another tool, and the list stays without it";
  co_return told ? broken("tools/list_changed was said: " + stale)
                 : risky(stale + "; no stream was open on which tools/list_changed could come");
}

constexpr GatewayCheck kSessionChecks[] = {
    {"gateway.names-sessions-once", names_sessions_once},
    {"gateway.unknown-session-404", unknown_gets_404},
    {"gateway.ended-session-404", ended_gets_404},
    {"gateway.ends-sessions", ends_at_the_server},
    {"gateway.survives-second-stream", survives_a_second_stream},
    {"gateway.reads-streamed-opening", reads_a_streamed_opening},
    {"gateway.lists-again", lists_again},
};

// A gateway that does not hold it may serve nobody afterwards.
constexpr GatewayCheck kLastChecks[] = {
    {"gateway.outlives-servers-session", outlives_the_servers_session},
};

}  // namespace

GatewayChecks session_checks() { return kSessionChecks; }

GatewayChecks last_checks() { return kLastChecks; }

}  // namespace plumbline::conformance
