// Whether each request is looked at, and not the first alone: the security best practices, Session
// Hijacking; spec, basic/authorization, Token Requirements: authorization MUST be included in every
// HTTP request.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/transports/http_ways.h"

namespace plumbline::conformance {

namespace {

// Unshown is a request that is made without the token, in the session if there is one.
struct Unshown {
  std::string what;  // "tools/call"; a GET and a DELETE by their names.
  Json params;       // Null: it is no message.
};

std::vector<Unshown> unshown_for(const Probe& probe) {
  const Survey& survey = probe.survey();
  std::vector<Unshown> all;
  const std::pair<const char*, const Listing*> lists[] = {{"tools/list", &survey.tools},
                                                          {"resources/list", &survey.resources},
                                                          {"prompts/list", &survey.prompts}};
  for (const auto& [method, list] : lists) {
    if (list->whole) all.push_back({method, Json::object()});
  }
  if (const Json* const tool = probe.callable()) {
    all.push_back({"tools/call", probe.call_params(*tool)});
  }
  if (!survey.resources.items.empty()) {
    Json params = Json::object();
    params["uri"] = string_or(survey.resources.items.front(), "uri", "");
    all.push_back({"resources/read", std::move(params)});
  }
  // Each of the two is of a session; the last ends it.
  if (!probe.stateless() && survey.opening.headers.count("Mcp-Session-Id") > 0) {
    all.push_back({"GET", nullptr});
    all.push_back({"DELETE", nullptr});
  }
  return all;
}

// unauthorized makes a request without the token.
Task<Reply> unauthorized(Probe& probe, Client& client, Unshown unshown) {
  wire::HttpHeaders others = probe.user_headers();
  others.erase("Authorization");
  Client raw = probe.open_raw(others);
  Reply reply;
  if (unshown.params.is_null()) {
    reply = co_await raw.http(bare_request(client, std::move(unshown.what)));
    raw.session().wire().drop(reply.exchange);
    co_return reply;
  }
  Json message = client.request_of(std::move(unshown.what), std::move(unshown.params));
  const wire::HttpHeaders headers = client.session().headers_for(message);
  reply = co_await raw.exchange(std::move(message), headers);
  co_return reply;
}

// is_served returns whether a request got what only a user may have: no page for visitors, and no
// tool that asks for a login in its result.
bool is_served(const Unshown& unshown, const Reply& reply) {
  const Json* const result = reply.result();
  if (!unshown.params.is_null()) {
    return result != nullptr && !bool_or(*result, "isError", false);
  }
  return reply.status / 100 == 2 && (unshown.what != "GET" || reply.events);
}

bool is_list(const Unshown& unshown) { return unshown.what.ends_with("/list"); }

// gets_through judges the requests behind one that was refused. Some let everybody open a session
// and see what there is, and guard its use: where a list is open, nothing more is said than that.
Task<Finding> gets_through(Probe& probe, Client& client) {
  std::string taken_first;
  Reply taken;
  bool open = false;     // A list was served,
  bool bare = false;     // a GET or a DELETE was.
  bool refused = false;  // A list, a call or a read was not.
  for (const Unshown& unshown : unshown_for(probe)) {
    const bool message = !unshown.params.is_null();
    const Reply reply = co_await unauthorized(probe, client, unshown);
    refused = refused || (message && reply.status == 401);
    if (!is_served(unshown, reply)) continue;
    open = open || is_list(unshown);
    bare = bare || !message;
    if (!taken_first.empty()) continue;
    taken = reply;
    taken_first = unshown.what + " without the token got status " + std::to_string(reply.status) +
                  (message ? " and a result" : "") +
                  ", expected 401: other requests without it are refused";
  }
  if (taken_first.empty()) co_return passes();
  co_return about(!open && (bare || refused) ? broken(taken_first) : risky(taken_first), taken);
}

Task<Finding> wants_the_token_always(Probe& probe) {
  if (probe.user_headers().count("Authorization") == 0) {
    co_return not_for_it("it was called without credentials");
  }
  if (!probe.over_http()) co_return not_for_it("its requests do not come one by one");
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  Unshown harmless;
  harmless.what = client.harmless_method();
  harmless.params = Json::object();
  const Reply reply = co_await unauthorized(probe, client, harmless);
  if (reply.status == 0) co_return undecided("got " + reply.describe());
  if (!refused_by_status(reply)) {
    // Whether it wants a token at all is its own to say, and nothing says it.
    co_return risky("a request without the token got " + reply.describe() +
                    ", expected status 401");
  }
  if (reply.status != 401) co_return passes();
  co_return co_await gets_through(probe, client);
}

constexpr ServerCheck kVerifiedChecks[] = {
    {"security.all-inbound-requests-verified", Eras::kStateful, SessionUse::kOpens,
     wants_the_token_always},
    {"security.sessions-not-authentication", Eras::kStateful, SessionUse::kOpens,
     wants_the_token_always},
    {"http.authenticate-connections", Eras::kBoth, SessionUse::kOpens, wants_the_token_always},
};

}  // namespace

ServerChecks verified_checks() { return kVerifiedChecks; }

}  // namespace plumbline::conformance
