// Pages to which a server sends its user: spec 2025-11-25, client/elicitation, URL Mode Elicitation
// for OAuth Flows and Security Considerations; 2026-07-28, the same. The judge is the user, and
// whoever else opens the page.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/auth/browser.h"
#include "conformance/checks/server/auth/door.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/input/page_question.h"
#include "conformance/checks/server/input/scripted.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "core/base/base64.h"
#include "core/base/percent.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoSecond = "no second user was given (--second-header)";
constexpr std::size_t kSecretBytesMin = 4;
constexpr const char* kComplete = "notifications/elicitation/complete";

// is_completed_by returns whether the question is answered once somebody with `headers` has opened
// `address` and agreed to what it asks.
Task<bool> is_completed_by(Probe& probe, Client& client, PageQuestion question, std::string address,
                           wire::HttpHeaders headers) {
  Browser browser(probe, std::move(headers));
  co_await open_page(probe, browser, std::move(address));
  const bool done = co_await goes_on(client, std::move(question));
  co_return done;
}

// Tried is a question to the first user that somebody else tried to answer.
struct Tried {
  std::string unable;
  bool by_other = false;  // Somebody else did.
  bool by_own = false;    // The first user did.
};

// try_as asks, opens the page as `other`, with what the address `others` has in the fields `names`,
// and then as the first user.
Task<Tried> try_as(Probe& probe, wire::HttpHeaders other, std::vector<std::string> names,
                   std::string others) {
  Tried tried;
  const Turns::Turn turn = co_await take_pages(probe);
  Client client = co_await open_quietly(probe);
  PageQuestion question = co_await ask_for_page(probe, client, Leads::kHere);
  tried.unable = question.unable;
  if (!tried.unable.empty()) co_return tried;
  PageQuestion same = question;
  if (co_await goes_on(client, std::move(same))) {
    tried.unable = "it goes on before its page was opened";
    co_return tried;
  }
  std::string address = with_names_of(others, names, question.url);
  same = question;
  tried.by_other = co_await is_completed_by(probe, client, std::move(same), std::move(address),
                                            std::move(other));
  if (tried.by_other) co_return tried;
  address = question.url;
  wire::HttpHeaders own = probe.user_headers();
  tried.by_own = co_await is_completed_by(probe, client, std::move(question), std::move(address),
                                          std::move(own));
  if (!tried.by_own) {
    tried.unable = "its page is not done with when who asked has opened it with what --header says";
  }
  co_return tried;
}

Task<Finding> opens_for_its_user(Probe& probe) {
  const bool known =
      probe.user_headers().count("Authorization") > 0 || probe.user_headers().count("Cookie") > 0;
  if (!known) co_return not_for_it("no user was given (--header with a token or a cookie)");
  const std::string as_it_is;
  const std::vector<std::string> no_names;
  const wire::HttpHeaders no_headers;
  const Tried by_nobody = co_await try_as(probe, no_headers, no_names, as_it_is);
  if (by_nobody.by_other) {
    co_return broken(
        "a browser without anything of the user opened the page of an elicitation, and the "
        "server went on as if the user had");
  }
  if (!by_nobody.unable.empty()) co_return not_for_it(by_nobody.unable);
  if (probe.second_headers().fields().empty()) co_return passes();
  const Tried by_second = co_await try_as(probe, probe.second_headers(), no_names, as_it_is);
  if (!by_second.by_other) co_return passes();
  co_return broken(
      "the second user opened the page of an elicitation of the first, and the server went on as "
      "if the first had");
}

// Who a page is for may stand in its address. Then the second user writes themselves there.
Task<Finding> withstands_other_names(Probe& probe) {
  if (probe.second_headers().fields().empty()) co_return not_for_it(kNoSecond);
  SessionOptions options = probe.usual();
  options.second_user = true;
  options.listen = false;
  Client other = co_await probe.open(std::move(options));
  if (!other.session().usable()) co_return not_for_it("the second user is not let in");
  const PageQuestion theirs = co_await ask_for_page(probe, other, Leads::kHere);
  if (!theirs.unable.empty()) co_return not_for_it(theirs.unable);
  Client client = co_await open_quietly(probe);
  const PageQuestion own = co_await ask_for_page(probe, client, Leads::kHere);
  const PageQuestion again = co_await ask_for_page(probe, client, Leads::kHere);
  const std::vector<std::string> names = names_in(own, again, theirs);
  if (names.empty()) {
    co_return not_for_it("nothing in the addresses of its pages stands for the user");
  }
  const Tried tried = co_await try_as(probe, probe.second_headers(), names, theirs.url);
  if (tried.by_other) {
    co_return broken(
        "the second user opened the page of the first with their own name in its address, and "
        "the server went on as if the first had");
  }
  co_return tried.unable.empty() ? passes() : not_for_it(tried.unable);
}

// token_claims returns what a JWT says of its user; an object without members for anything else.
Json token_claims(const std::string& token) {
  const std::size_t begin = token.find('.');
  const std::size_t end = token.find('.', begin + 1);
  if (begin == std::string::npos || end == std::string::npos) return Json::object();
  const auto text = decode_base64url(token.substr(begin + 1, end - begin - 1));
  Result<Json> claims = parse_json(text.value_or(""));
  const bool object = claims.ok() && claims.value().is_object();
  return object ? std::move(claims).value() : Json::object();
}

// What is known of the user and must not stand in an address.
std::map<std::string, std::string> secrets_of(const Probe& probe) {
  std::map<std::string, std::string> secrets;
  const std::string token = user_token(probe);
  if (token.size() >= kSecretBytesMin) secrets["the user's token"] = token;
  const Json claims = token_claims(token);
  for (const char* const name :
       {"email", "phone_number", "given_name", "family_name", "birthdate", "preferred_username"}) {
    const std::string value = string_or(claims, name, "");
    if (value.size() >= kSecretBytesMin) secrets["the user's " + std::string(name)] = value;
  }
  return secrets;
}

Task<Finding> keeps_users_out_of_addresses(Probe& probe) {
  const std::map<std::string, std::string> secrets = secrets_of(probe);
  if (secrets.empty()) co_return not_for_it("nothing is known of its user (--header with a token)");
  const Exercise& all = *co_await probe.exercise();
  const std::vector<std::string> addresses = addresses_in(all);
  if (addresses.empty()) co_return not_for_it("it never asks the user by a URL");
  for (const std::string& address : addresses) {
    const std::string plain = percent_decode(address);
    for (const auto& [what, secret] : secrets) {
      if (plain.find(secret) == std::string::npos) continue;
      co_return broken("the address of an elicitation holds " + what);
    }
  }
  co_return passes();
}

// parts_of returns what of an address could be a key: values of its query and parts of its path.
std::vector<std::string> parts_of(const std::string& address) {
  std::vector<std::string> parts;
  const wire::Form query = wire::query_of(address);
  for (const auto& [name, value] : query.fields()) parts.push_back(value);
  const std::string path = address.substr(0, address.find_first_of("?#"));
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    parts.push_back(percent_decode(path.substr(at, end - at)));
    at = end + 1;
  }
  std::erase_if(parts, [](const std::string& part) {
    return part.size() < kSecretBytesMin || !wire::is_header_value(part);
  });
  return parts;
}

Task<Finding> gives_no_keys_away(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  const Turns::Turn turn = co_await take_pages(probe);
  Client client = co_await open_quietly(probe);
  const PageQuestion question = co_await ask_for_page(probe, client, Leads::kAnywhere);
  if (!question.unable.empty()) co_return not_for_it(question.unable);
  for (const std::string& part : parts_of(question.url)) {
    std::string token = "Bearer " + part;
    const Reply reply = co_await knock(probe, door.way, std::move(token));
    if (!is_taken(reply)) continue;
    co_return broken(
        "the address of an elicitation holds a token with which the server lets anybody in");
  }
  if (!is_at_server(probe, question.url)) co_return passes();
  const wire::HttpHeaders no_headers;
  Browser browser(probe, no_headers);
  std::string address = question.url;
  co_await browser.open(std::move(address));
  std::string cookies;
  for (const auto& [name, value] : browser.cookies()) {
    cookies += (cookies.empty() ? "" : "; ") + name + "=" + value;
  }
  if (cookies.empty()) co_return passes();
  wire::HttpHeaders headers;
  headers.set("Cookie", cookies);
  const Reply reply = co_await knock_with(probe, door.way, std::move(headers));
  if (!is_taken(reply)) co_return passes();
  co_return broken(
      "with the cookies that the page of an elicitation sets the server lets anybody in");
}

// signs_in returns whether `address` is a request for access to the server itself: at its own
// authorization endpoint, or anywhere with the server as its resource.
bool signs_in(const std::string& address, const std::vector<std::string>& endpoints,
              const wire::Url& server) {
  const std::string bare = address.substr(0, address.find('?'));
  const wire::Form query = wire::query_of(address);
  for (const std::string& endpoint : endpoints) {
    if (!endpoint.empty() && bare == endpoint.substr(0, endpoint.find('?'))) return true;
  }
  const Result<wire::Url> resource = wire::parse_url(query.get("resource").value_or(""));
  return query.count("response_type") > 0 && resource.ok() && is_here(resource.value(), server);
}

Task<Finding> does_not_sign_in_by_it(Probe& probe) {
  const Door door = co_await try_door(probe);
  if (!door.shut) co_return not_for_it(door.open);
  const Exercise& all = *co_await probe.exercise();
  const std::vector<std::string> addresses = addresses_in(all);
  if (addresses.empty()) co_return not_for_it("it never asks the user by a URL");
  std::vector<std::string> endpoints;
  for (const char* const place :
       {"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"}) {
    const Reply reply = co_await fetch(probe, place);
    endpoints.push_back(string_or(document_in(reply), "authorization_endpoint", ""));
  }
  for (const std::string& address : addresses) {
    if (!signs_in(address, endpoints, probe.server_url())) continue;
    co_return broken("an elicitation sends the user to " +
                     clipped(address.substr(0, address.find('?'))) +
                     ", where access to the server itself is given");
  }
  co_return passes();
}

// heard_complete returns whether a session heard that `id` is complete.
bool heard_complete(const Client& client, const std::string& id) {
  for (const Frame& frame : client.session().wire().inbox().frames) {
    const Json& message = *frame.message;
    const Json* const said = at_pointer(message, "/params/elicitationId");
    if (string_or(message, "method", "") == kComplete && said != nullptr && *said == Json(id)) {
      return true;
    }
  }
  return false;
}

Task<Finding> tells_who_asked(Probe& probe) {
  const bool asks = co_await asks_for_pages(probe);
  if (!asks) co_return not_for_it(kNoPageAsked);
  const Turns::Turn turn = co_await take_pages(probe);
  SessionOptions options = probe.usual();
  Client client = co_await probe.open(std::move(options));
  options = probe.usual();
  options.second_user = !probe.second_headers().fields().empty();
  Client other = co_await probe.open(std::move(options));
  if (!client.session().usable()) co_return undecided("it could not be opened");
  if (!other.session().usable()) co_return not_for_it("the second one is not let in");
  co_await client.can_hear();
  co_await other.can_hear();
  const PageQuestion question = co_await ask_for_page(probe, client, Leads::kHere);
  if (!question.unable.empty()) co_return not_for_it(question.unable);
  Browser browser(probe, probe.user_headers());
  std::string address = question.url;
  co_await open_page(probe, browser, std::move(address));
  co_await client.listen(probe.pace().quiet());
  co_await other.listen(probe.pace().quiet());
  if (heard_complete(other, question.id)) {
    co_return broken(std::string(kComplete) + " came in a session that was asked for nothing, too");
  }
  if (heard_complete(client, question.id)) co_return passes();
  co_return not_for_it("it sends no " + std::string(kComplete));
}

constexpr ServerCheck kElicitationPageChecks[] = {
    {"elicitation.url-opener-verified", Eras::kBoth, SessionUse::kOpens, opens_for_its_user},
    {"elicitation.url-identity-tamper-resistant", Eras::kBoth, SessionUse::kOpens,
     withstands_other_names},
    {"elicitation.url-no-sensitive-info", Eras::kBoth, SessionUse::kOpens,
     keeps_users_out_of_addresses},
    {"elicitation.url-not-preauthenticated", Eras::kBoth, SessionUse::kOpens, gives_no_keys_away},
    {"elicitation.url-not-for-own-authorization", Eras::kBoth, SessionUse::kOpens,
     does_not_sign_in_by_it},
    {"elicitation.complete-to-initiator-only", Eras::kStateful, SessionUse::kOpens,
     tells_who_asked},
};

}  // namespace

ServerChecks elicitation_page_checks() { return kElicitationPageChecks; }

}  // namespace plumbline::conformance
