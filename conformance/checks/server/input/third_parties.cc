// Elicitations by URL that lead to a third party, which is the judge (--upstream): spec 2025-11-25,
// client/elicitation, URL Mode Elicitation for OAuth Flows; 2026-07-28, the same.

#include <string>
#include <utility>

#include "conformance/checks/server/auth/door.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/input/page_question.h"
#include "conformance/checks/server/input/scripted.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "conformance/peer/upstream.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoUpstream = "what stands behind it is not the judge (--upstream)";

// SignedIn is what came of a question whose page led to the third party.
struct SignedIn {
  std::string unable;
  std::string request;        // Of authorization, at the third party.
  std::size_t seen_before{};  // What the third party was asked until then.
  std::string told;           // Everything that the server told the client.
};

Task<SignedIn> sign_in(Probe& probe) {
  SignedIn done;
  done.unable = kNoUpstream;
  if (probe.behind() == nullptr) co_return std::move(done);
  const Turns::Turn turn = co_await take_pages(probe);
  Client client = co_await open_quietly(probe);
  done.seen_before = probe.behind()->seen().size();
  PageQuestion question;
  while (done.request.empty()) {
    question = co_await ask_for_page(probe, client, Leads::kBehind, question.next);
    done.unable = question.unable;
    if (!done.unable.empty()) co_return std::move(done);
    Browser browser(probe, probe.user_headers());
    std::string address = question.url;
    const Opened opened = co_await open_page(probe, browser, std::move(address));
    done.request = opened.third_party;
  }
  done.told = question.url;
  co_await goes_on(client, std::move(question));
  for (const Frame& frame : client.session().wire().inbox().frames) {
    done.told += "\n" + dump_json(*frame.message);
  }
  co_return std::move(done);
}

Task<Finding> keeps_client_tokens_from_third_parties(Probe& probe) {
  const std::string token = user_token(probe);
  if (token.empty()) co_return not_for_it("no token was given (--header)");
  const SignedIn done = co_await sign_in(probe);
  if (!done.unable.empty()) co_return not_for_it(done.unable);
  const std::vector<wire::HttpRequest>& seen = probe.behind()->seen();
  if (done.request.find(token) != std::string::npos) {
    co_return broken("the user is sent to the third party with the client's token");
  }
  bool asked = false;
  for (std::size_t at = done.seen_before; at < seen.size(); ++at) {
    asked = true;
    if (!holds_text(seen[at], token)) continue;
    co_return broken("the third party got " + seen[at].method +
                     " with the token that the client has for the server");
  }
  co_return asked ? passes() : not_for_it("it asked nothing of the third party");
}

Task<Finding> keeps_credentials_from_clients(Probe& probe) {
  const SignedIn done = co_await sign_in(probe);
  if (!done.unable.empty()) co_return not_for_it(done.unable);
  if (probe.behind()->given_in(done.told).empty()) co_return passes();
  co_return broken("the client is told a code or token that the third party has given");
}

// goes_to_server returns whether the third party sends its answer to a server, not to the machine
// or the hands of the user.
bool goes_to_server(const Probe& probe, const std::string& request) {
  const std::string back = wire::query_of(request).get("redirect_uri").value_or("");
  const Result<wire::Url> url = wire::parse_url(back);
  if (!url.ok()) return false;
  return is_here(url.value(), probe.server_url()) || !is_loopback(url.value().host);
}

Task<Finding> lets_users_authorize_it(Probe& probe) {
  const SignedIn done = co_await sign_in(probe);
  if (!done.unable.empty()) co_return not_for_it(done.unable);
  if (goes_to_server(probe, done.request)) co_return passes();
  co_return broken("the third party is to send its code to \"" +
                   wire::query_of(done.request).get("redirect_uri").value_or("") +
                   "\", which is not the server: the user authorizes somebody else");
}

constexpr ServerCheck kThirdPartyChecks[] = {
    {"elicitation.no-client-token-for-third-party", Eras::kBoth, SessionUse::kOpens,
     keeps_client_tokens_from_third_parties},
    {"elicitation.third-party-credentials-not-via-client", Eras::kBoth, SessionUse::kOpens,
     keeps_credentials_from_clients},
    {"elicitation.user-authorizes-server-directly", Eras::kStateless, SessionUse::kOpens,
     lets_users_authorize_it},
};

}  // namespace

ServerChecks third_party_checks() { return kThirdPartyChecks; }

}  // namespace plumbline::conformance
