// What a gateway must not hand on, and what it must.

#include <string>
#include <utility>

#include "conformance/checks/gateway/check.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kPrivilege = "basic/authorization#access-token-privilege-restriction";
constexpr const char* kAuthorization = "Authorization";

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
  const auto given = session->subject().spec().headers.get(kAuthorization);
  const std::string token = given ? std::string(*given) : "Bearer plumbline-" + mark;
  wire::HttpHeaders headers;
  headers.set(kAuthorization, token);
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

constexpr GatewayCheck kTokenChecks[] = {
    {"gateway.keeps-tokens-back", "MUST",
     "A gateway that is a client of the server by itself hands no token of its clients on to it.",
     kPrivilege, false, keeps_tokens_back},
    {"gateway.passes-challenges", "MUST",
     "A gateway that hands requests on hands 401 back, with WWW-Authenticate.",
     "basic/authorization#protected-resource-metadata-discovery-requirements", false,
     passes_challenges},
};

}  // namespace

GatewayChecks header_checks() { return kTokenChecks; }

}  // namespace plumbline::conformance
