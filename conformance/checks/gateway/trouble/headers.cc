// What travels in headers: tokens that must not, challenges that must, and the revision, where
// clients and servers do not speak the same.

#include <optional>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/gateway/check.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/opening.h"
#include "conformance/wire/header_names.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kTokenHeader = "Authorization";

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
  if (!between) co_return undecided("the call never reached the server");
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
  if (heard.empty()) co_return undecided("the call never reached the server");
  for (const auto& [name, value] : heard.front().headers.fields()) {
    if (value.find(token.substr(token.find(' ') + 1)) == std::string::npos) continue;
    co_return about(broken("the token that a client sent to the gateway came to the server, in " +
                           name + "; it is for the gateway alone"),
                    reply);
  }
  co_return passes();
}

Task<Finding> passes_challenges(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::optional<bool> between = co_await probe.stands_between(session);
  if (!between) co_return undecided("the call never reached the server");
  if (*between) co_return not_for_it("it is a client of the server by itself, and logs in as such");
  const std::string mark = probe.new_mark();
  const Reply reply =
      co_await probe.call(*session, "fail", GatewayProbe::marked(mark, "status 401"));
  if (probe.heard(mark).empty()) co_return undecided("the call never reached the server");
  const bool challenges = reply.headers.get("WWW-Authenticate").value_or("").starts_with("Bearer ");
  if (reply.status == 401 && challenges) co_return passes();
  const std::string got =
      reply.status == 401 ? "status 401 without WWW-Authenticate" : reply.describe();
  co_return about(
      broken("the server answered 401 with WWW-Authenticate: " + std::string(kMirrorChallenge) +
             ", and the client got " + got + ": it cannot log in"),
      reply);
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
  if (heard.empty()) co_return undecided("the call never reached the server");
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

constexpr GatewayCheck kHeaderChecks[] = {
    {"gateway.keeps-hop-headers-back", keeps_hop_headers_back},
    {"gateway.keeps-tokens-back", keeps_tokens_back},
    {"gateway.passes-challenges", passes_challenges},
};

constexpr std::string_view kOlder = "2025-06-18";  // The oldest that requests name in a header.

// call_named calls echo, and compares the header of the call with what the server has agreed on.
Task<Finding> call_named(GatewayProbe* probe, Session* session, std::string with,
                         std::string* agreed) {
  const std::string mark = probe->new_mark();
  const Reply reply = co_await probe->call(*session, "echo", GatewayProbe::marked(mark));
  if (reply.result() == nullptr) {
    co_return about(broken(with + " a call came to " + reply.describe()), reply);
  }
  const std::vector<MirrorServer::Heard> heard = probe->heard(mark);
  if (heard.empty()) co_return undecided("the call never reached the server");
  const MirrorServer::Heard& call = heard.front();
  *agreed = call.revision;
  const auto named = call.headers.get(kVersionHeader);
  const bool due = call.streamable && has_version_header(call.revision);
  if (!due || named == call.revision) co_return passes();
  co_return about(broken(with + " the server agreed on " + call.revision +
                         ", and a call came to it with MCP-Protocol-Version: " +
                         (named ? std::string(*named) : "nothing")),
                  reply);
}

Task<Finding> speaks_with_older_servers(GatewayProbe& probe) {
  probe.mirror().speak_at_most(kOlder);
  Session* const session = co_await probe.enter();
  if (session == nullptr) {
    co_return broken("the server speaks 2025-06-18 at most, and " + probe.why());
  }
  std::string agreed;
  const Finding called =
      co_await call_named(&probe, session, "with a server of 2025-06-18", &agreed);
  if (called.verdict == Verdict::kPass && agreed != kOlder) {
    co_return not_for_it("it had agreed on another revision with the server before");
  }
  co_return called;
}

Task<Finding> serves_older_clients(GatewayProbe& probe) {
  for (const char* const revision : {"2025-06-18", "2025-03-26"}) {
    const std::string with = "for a client of " + std::string(revision);
    Session* const session = co_await probe.enter(revision);
    if (session == nullptr) co_return broken(with + " " + probe.why());
    if (!session->disagreement().empty()) co_return broken(with + " " + session->disagreement());
    std::string agreed;
    const Finding called = co_await call_named(&probe, session, with, &agreed);
    if (called.verdict != Verdict::kPass) co_return called;
  }
  co_return passes();
}

// lists_versions returns whether `error` says which revisions are spoken, as its client needs it.
bool lists_versions(const Json* error) {
  const Json* const supported = error == nullptr ? nullptr : at_pointer(*error, "/data/supported");
  return supported != nullptr && supported->is_array() && !supported->empty() &&
         int_or(*error, "code", 0) == -32022;
}

Finding judge_refusal(const Reply& reply, std::string_view era) {
  if (reply.result() != nullptr || lists_versions(reply.error())) return passes();
  return about(broken("the server refused what is of " + std::string(era) +
                      " by error -32022 with what it supports, and the client got " +
                      reply.describe() + ": it cannot tell what to speak"),
               reply);
}

Task<Finding> passes_version_errors(GatewayProbe& probe) {
  using Era = MirrorServer::Era;
  const bool stateless = is_stateless(probe.revision());
  Session* const known = co_await probe.enter();
  if (known == nullptr) co_return undecided(probe.why());
  probe.mirror().refuse_era(stateless ? Era::kStateless : Era::kStateful);
  if (stateless) {
    Client client(*known, probe.check());
    const Reply reply = co_await client.request("server/discover");
    co_return judge_refusal(reply, "2026-07-28");
  }
  SessionOptions options;
  options.revision = probe.revision();
  options.capabilities = all_capabilities(probe.revision());
  Result<std::unique_ptr<Session>> opened =
      co_await open_session(known->subject(), std::move(options), probe.check());
  if (!opened.ok())
    co_return broken("the server refused initialize, and " + opened.error().message);
  const Reply opening = opened.value()->opening();
  co_await opened.value()->close();
  co_return judge_refusal(opening, "initialize");
}

constexpr GatewayCheck kVersionChecks[] = {
    {"gateway.speaks-with-older-servers", speaks_with_older_servers},
    {"gateway.serves-older-clients", serves_older_clients},
    {"gateway.passes-version-errors", passes_version_errors},
};

}  // namespace

GatewayChecks header_checks() { return kHeaderChecks; }
GatewayChecks version_checks() { return kVersionChecks; }

}  // namespace plumbline::conformance
