// What travels in headers: tokens that must not, challenges and the headers of the protocol that
// must.

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/mirror_content.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/preflight.h"
#include "conformance/wire/challenges.h"
#include "conformance/wire/header_names.h"
#include "conformance/wire/mirrored.h"
#include "core/base/text.h"
#include "core/base/wait.h"
#include "core/wire/url.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kTokenHeader = "Authorization";
constexpr const char* kChallengeHeader = "WWW-Authenticate";

// call_with calls echo with `headers` beside those of every request.
Task<Reply> call_with(GatewayProbe* probe, Session* session, std::string mark,
                      wire::HttpHeaders headers) {
  Client client(*session, probe->check());
  Json params(Json::value_t::object);
  params["name"] = probe->exchanges().tool("echo");
  params["arguments"] = GatewayProbe::marked(std::move(mark));
  Json message = client.request_of("tools/call", std::move(params));
  co_return co_await client.exchange(std::move(message), std::move(headers));
}

Task<Finding> keeps_tokens_back(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("its clients send no headers");
  const std::optional<bool> between = co_await probe.stands_between(session);
  if (!between) co_return undecided(kNeverReached);
  if (!*between) {
    co_return not_for_it(
        "it hands on the requests of its clients: to them it is the server itself");
  }
  const std::string mark = probe.new_mark();
  const auto given = session->subject().spec().headers.get(kTokenHeader);
  const std::string token = given ? std::string(*given) : "Bearer plumbline-" + mark;
  wire::HttpHeaders headers;
  headers.set(kTokenHeader, token);
  const Reply reply = co_await call_with(&probe, session, mark, std::move(headers));
  const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
  if (heard.empty() && (reply.status == 401 || reply.status == 403)) {
    co_return not_for_it("it takes no token that it does not know: --header gives it one");
  }
  if (heard.empty()) co_return undecided(kNeverReached);
  for (const auto& [name, value] : heard.front().headers.fields()) {
    if (value.find(token.substr(token.find(' ') + 1)) == std::string::npos) continue;
    co_return about(broken("the token that a client sent to the gateway came to the server, in " +
                           name + "; it is for the gateway alone"),
                    reply);
  }
  co_return passes();
}

// broken_metadata_in returns what stands for resource_metadata and is no address; empty: nothing.
std::string broken_metadata_in(const Reply& reply) {
  for (const Challenge& one : challenges_in(reply.headers)) {
    const std::string place = one.param("resource_metadata").value_or("https://there.is/none");
    if (!wire::parse_url(place).ok()) return "\"" + clipped(place) + "\"";
  }
  return {};
}

// challenged lets the server refuse a call with `status` and a challenge, which has to come
// through.
Task<Finding> challenged(GatewayProbe* probe, Session* session, int status,
                         std::vector<std::string> said, std::string so) {
  const std::string mark = probe->new_mark();
  const std::string named = std::to_string(status);
  const Reply reply =
      co_await probe->call(*session, "fail", GatewayProbe::marked(mark, "status " + named));
  if (probe->heard(mark).empty()) co_return undecided(kNeverReached);
  const std::string got(reply.headers.get(kChallengeHeader).value_or(""));
  const bool whole = std::ranges::all_of(
      said, [&](const std::string& part) { return got.find(part) != std::string::npos; });
  const std::string broken_address = whole ? broken_metadata_in(reply) : "";
  if (!broken_address.empty()) {
    co_return about(broken("the server answered " + named +
                           " with a challenge, and the client got one whose resource_metadata is " +
                           broken_address + ", expected an address: it cannot log in"),
                    reply);
  }
  if (reply.status == status && whole) co_return passes();
  std::string come = reply.describe();
  if (reply.status == status) {
    come = "status " + named +
           (got.empty() ? " without WWW-Authenticate" : " with WWW-Authenticate: " + clipped(got));
  }
  std::string sent = kMirrorChallenge;
  if (status == 403) sent += std::string(", ") + kMirrorScopeError + ", " + kMirrorScope;
  co_return about(broken("the server answered " + named + " with WWW-Authenticate: " + sent +
                         ", and the client got " + come + ": " + so),
                  reply);
}

// refuse_next lets the server refuse the next request of `method` with 401. What it returns says
// whether just one has come since.
std::function<bool()> refuse_next(MirrorServer* mirror, std::string method) {
  const auto came = [mirror, method] {
    return std::ranges::count_if(mirror->heard(), [&](const MirrorServer::Heard& one) {
      return string_or(one.message, "method", "") == method;
    });
  };
  mirror->do_next(method, {MirrorServer::Next::What::kFail, "", 401});
  return [came, before = came()] { return came() == before + 1; };
}

// tells_of_401 lets the server refuse with 401 what comes before calls: lists, and the opening.
Task<Finding> tells_of_401(GatewayProbe* probe, Session* session) {
  const std::string refused = "the server refused ";
  const std::string so = ": its client does not learn that it has to log in";
  Client client(*session, probe->check());
  for (const MirrorList& listing : kMirrorLists) {
    const std::string method(listing.method);
    const std::function<bool()> asked_once = refuse_next(&probe->mirror(), method);
    const Reply reply = co_await client.request(method, Json::object());
    const Json* const items = reply.result() ? find(*reply.result(), listing.member) : nullptr;
    const bool listed = items != nullptr && !items->empty();  // From an earlier answer.
    if (listed || reply.status == 401 || reply.status == 0 || !asked_once()) continue;
    const std::string got =
        reply.result() ? shortened(dump_json(*reply.result())) : reply.describe();
    co_return about(broken(refused + method + " with 401, and the client got " + got + so), reply);
  }
  const std::string opens = is_stateless(probe->revision()) ? "server/discover" : "initialize";
  const std::function<bool()> asked_once = refuse_next(&probe->mirror(), opens);
  Session* const other = co_await probe->enter();
  if (other == nullptr || other->opening().result() == nullptr || !asked_once() ||
      other->opening().status == 401) {
    co_return passes();
  }
  co_return about(broken(refused + opens + " with 401, and the client got " +
                         shortened(dump_json(*other->opening().result())) +
                         ", a result that no server gave" + so),
                  other->opening());
}

Task<Finding> passes_challenges(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::optional<bool> between = co_await probe.stands_between(session);
  if (!between) co_return undecided(kNeverReached);
  if (*between) co_return not_for_it("it is a client of the server by itself, and logs in as such");
  std::vector<std::string> parts = {"Bearer "};
  const Finding unknown =
      co_await challenged(&probe, session, 401, std::move(parts), "it cannot log in");
  if (unknown.verdict != Verdict::kPass) co_return unknown;
  std::vector<std::string> scopes = {"Bearer ", kMirrorScopeError, kMirrorScope};
  const Finding weak = co_await challenged(&probe, session, 403, std::move(scopes),
                                           "it cannot tell which scope to ask for");
  if (weak.verdict != Verdict::kPass || probe.exchanges().manner().merges) co_return weak;
  co_return co_await tells_of_401(&probe, session);
}

constexpr const char* kHopHeader = "X-Plumbline-Hop";
constexpr const char* kHopSecret = "Basic cGx1bWJsaW5lOnBsdW1ibGluZQ==";

// RFC 9110, section 7.6.1: what Connection names, and what is for a proxy, ends at it.
Task<Finding> keeps_hop_headers_back(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("its clients send no headers");
  wire::HttpHeaders headers;
  headers.set("Connection", kHopHeader);
  headers.set(kHopHeader, "of the client's connection");
  headers.set("Proxy-Authorization", kHopSecret);
  const std::string mark = probe.new_mark();
  const Reply reply = co_await call_with(&probe, session, mark, std::move(headers));
  const std::vector<MirrorServer::Heard> heard = probe.heard(mark);
  if (heard.empty()) {
    co_return co_await probe.unlike_others(
        reply, "a call with headers of its client's connection to the gateway");
  }
  for (const auto& [name, why] :
       {std::pair(kHopHeader, "which the client's Connection names"),
        std::pair("Proxy-Authorization", "which is for the proxy alone")}) {
    if (heard.front().headers.count(name) == 0) continue;
    co_return about(broken(std::string(name) + ", " + why +
                           ", came to the server: headers of one connection end at a proxy "
                           "(RFC 9110, 7.6.1)"),
                    reply);
  }
  co_return passes();
}

// compare_headers returns how the headers of a call that came differ from those that are `due`.
Finding compare_headers(const MirrorServer::Heard& call, const wire::HttpHeaders& due) {
  for (const auto& [name, value] : due.fields()) {
    const auto got = call.headers.get(name);
    if (got == value) continue;
    return broken("a call in " + call.revision + " came with " + name + ": " +
                  (got ? std::string(*got) : "nothing") + ", expected " + value);
  }
  return passes();
}

// schema_of returns the schema of what a tool takes, as it is listed in `tools`; null: it is not.
Json schema_of(const Json* tools, std::string_view tool) {
  if (tools == nullptr || !tools->is_array()) return nullptr;
  for (const Json& one : *tools) {
    const Json* const schema = find(one, "inputSchema");
    if (string_or(one, "name", "") == tool && schema != nullptr) return *schema;
  }
  return nullptr;
}

// passes_parameters calls a tool one of whose arguments goes in a header as well.
//
// Spec 2026-07-28, basic/transports/streamable-http, Custom Headers from Tool Parameters.
Task<Finding> passes_parameters(GatewayProbe* probe, Session* session) {
  constexpr const char* kTool = "plain";
  probe->mirror().set_paged(false);
  Client client(*session, probe->check());
  Json none(Json::value_t::object);
  const Reply listed = co_await client.request("tools/list", std::move(none));
  const std::string name = probe->exchanges().tool(kTool);
  const Json* const tools = listed.result() == nullptr ? nullptr : find(*listed.result(), "tools");
  Json known(Json::value_t::object);
  known["name"] = name;
  known["inputSchema"] = schema_of(tools, name);
  // Who does not list it so keeps clients from sending the header: that is of another rule.
  if (!mirrors(known["inputSchema"])) co_return passes();
  session->mirror_parameters({known});
  const std::string mark = probe->new_mark();
  Json arguments = GatewayProbe::marked(mark);
  arguments["region"] = "eu-north-1";
  const Reply reply = co_await probe->call(*session, kTool, std::move(arguments));
  const std::vector<MirrorServer::Heard> heard = probe->heard(mark);
  if (heard.empty() || !is_stateless(heard.front().revision)) co_return passes();
  const Json there = mirror_items(kMirrorLists[0], heard.front().revision);
  const Json schema = schema_of(&there, kTool);
  co_return about(compare_headers(heard.front(), mirrored_headers(heard.front().message,
                                                                  heard.front().revision, &schema)),
                  reply);
}

// due_with returns the headers that have to go with a message that came.
wire::HttpHeaders due_with(const MirrorServer::Heard& heard) {
  wire::HttpHeaders due;
  if (is_stateless(heard.revision)) return mirrored_headers(heard.message, heard.revision, nullptr);
  if (has_version_header(heard.revision)) due.set(kVersionHeader, heard.revision);
  return due;
}

// lacking_of returns what of `due` stands nowhere in `headers`; empty: nothing.
std::string lacking_of(const wire::HttpHeaders& headers, const wire::HttpHeaders& due) {
  for (const auto& [name, value] : due.fields()) {
    if (headers.count(name) == 0) return name;
  }
  return {};
}

std::string called_by(const Json& message) {
  const std::string method = string_or(message, "method", "");
  return method.empty() ? "the answer to a question of the server" : method;
}

// judge_others looks at all that has come to the server in this revision besides calls: answers,
// notifications, GET, DELETE, and what the gateway has asked by itself.
Finding judge_others(const GatewayProbe& probe) {
  const MirrorServer& mirror = probe.mirror();
  std::set<std::string> sessions;
  for (const MirrorServer::Heard& heard : mirror.heard()) {
    if (!heard.streamable || heard.revision != probe.revision()) continue;
    if (string_or(heard.message, "method", "") == "initialize") continue;
    sessions.insert(std::string(heard.headers.get(kSessionHeader).value_or("")));
    const std::string name = lacking_of(heard.headers, due_with(heard));
    if (name.empty()) continue;
    return broken(called_by(heard.message) + " came in " + heard.revision + " without " + name +
                  ", and calls come with it: it is due with every request");
  }
  if (is_stateless(probe.revision()) || !has_version_header(probe.revision())) return passes();
  for (const wire::HttpRequest& request : mirror.requests()) {
    const std::string session(request.headers.get(kSessionHeader).value_or(""));
    const bool other = request.method == "GET" || request.method == "DELETE";
    if (!other || session.empty() || !sessions.contains(session)) continue;
    if (request.headers.count(kVersionHeader) > 0) continue;
    return broken(request.method + " of a session came in " + probe.revision() + " without " +
                  kVersionHeader + ", and calls come with it: it is due with every request");
  }
  return passes();
}

// leaves_as_usual has a client say, ask for and end what clients do besides calls.
Task<void> leaves_as_usual(GatewayProbe* probe) {
  Session* const session = co_await probe->enter();
  if (session == nullptr || is_stateless(probe->revision())) co_return;
  Client client(*session, probe->check());
  Json params(Json::value_t::object);
  params["requestId"] = "of nobody";
  co_await client.notify("notifications/cancelled", std::move(params));
  co_await client.can_hear();
  co_await session->close();
}

// Spec 2025-11-25, basic/transports, Session Management: clients MUST name their session in all
// subsequent requests. A ping may come before initialize, so that one counts only where nobody
// opens a session behind it.
Task<Finding> names_its_session(GatewayProbe& probe) {
  constexpr Duration kWatched = std::chrono::milliseconds(600);
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::vector<MirrorServer::Heard> heard = co_await probe.heard_of_a_call(session);
  if (heard.empty()) co_return undecided(kNeverReached);
  if (!heard.front().streamable) co_return not_for_it("it speaks HTTP+SSE with the server");
  if (is_stateless(heard.front().revision)) co_return not_for_it("the server has no sessions");
  const MirrorServer& mirror = probe.mirror();
  const auto opened = [&] {
    return std::ranges::count_if(mirror.heard(), [](const MirrorServer::Heard& one) {
      return string_or(one.message, "method", "") == "initialize";
    });
  };
  co_await leaves_as_usual(&probe);
  const std::ptrdiff_t before = opened();
  const std::size_t from = mirror.strays().size();
  co_await Sleep(probe.loop(), after(probe.loop().now(), kWatched));
  co_await probe.call(*session, "echo", GatewayProbe::marked(probe.new_mark()));
  co_await Sleep(probe.loop(), after(probe.loop().now(), kWatched));
  const std::vector<std::string>& all = mirror.strays();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool may_come_first = all[i] == "ping" || all[i] == "server/discover";
    if (may_come_first && (i < from || opened() != before)) continue;
    co_return broken(
        all[i] + " came to the server without Mcp-Session-Id, and " +
        (may_come_first ? "nobody opened a session behind it" : "nothing but initialize may") +
        ": a server with sessions refuses it with 400 or 404, whatever its state");
  }
  co_return passes();
}

Task<Finding> passes_headers(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::vector<MirrorServer::Heard> heard = co_await probe.heard_of_a_call(session);
  if (heard.empty()) co_return undecided(kNeverReached);
  // A gateway may speak another revision with the server than with its clients: the headers are
  // those of what it speaks there.
  const MirrorServer::Heard& call = heard.front();
  if (!call.streamable) co_return not_for_it("it speaks HTTP+SSE with the server");
  wire::HttpHeaders due;
  if (is_stateless(call.revision)) {
    due = mirrored_headers(call.message, call.revision, nullptr);
  } else if (has_version_header(call.revision)) {
    due.set(kVersionHeader, call.revision);
  }
  if (due.fields().empty()) co_return not_for_it("no header goes with " + call.revision);
  Finding finding = compare_headers(call, due);
  if (finding.verdict != Verdict::kPass) co_return finding;
  if (is_stateless(call.revision)) finding = co_await passes_parameters(&probe, session);
  if (finding.verdict != Verdict::kPass) co_return finding;
  co_await leaves_as_usual(&probe);
  co_return judge_others(probe);
}

Task<Finding> answers_preflights(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it("its clients send no headers");
  Preflight page;
  page.stateless = is_stateless(probe.revision());
  page.names_version = has_version_header(probe.revision()) || page.stateless;
  page.in_session = !session->session_id().empty();
  const Client client(*session, probe.check());
  co_return co_await judge_preflight(client, std::move(page));
}

constexpr GatewayCheck kHeaderChecks[] = {
    {"gateway.passes-headers", passes_headers},
    {"gateway.names-its-session", names_its_session},
    {"gateway.keeps-hop-headers-back", keeps_hop_headers_back},
    {"gateway.keeps-tokens-back", keeps_tokens_back},
    {"gateway.passes-challenges", passes_challenges},
    {"gateway.answers-preflights", answers_preflights},
};

}  // namespace

GatewayChecks header_checks() { return kHeaderChecks; }

}  // namespace plumbline::conformance
