// What an authorization server leads people and clients to: the response modes and the refresh
// tokens that its metadata promise, a word to who cannot be sent back, addresses that can be
// reached, a page that is in no frame, and metadata that OpenID Connect can read. RFC 8414, section
// 2; RFC 6749, sections 4.1.2.1 and 6; RFC 9700, section 4.16; OpenID Connect Discovery 1.0,
// section 3.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

bool lists(const AuthProbe& probe, std::string_view member, std::string_view value) {
  const Json* const list = find(probe.authority().document(), member);
  return list != nullptr && list->is_array() &&
         std::ranges::find(*list, Json(std::string(value))) != list->end();
}

Task<Finding> takes_listed_modes(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  // Who lists none has query and fragment: RFC 8414, section 2.
  const bool says = find(probe.authority().document(), "response_modes_supported") != nullptr;
  if (says && !lists(probe, "response_modes_supported", "query")) {
    co_return not_for_it("its metadata lists no response mode \"query\"");
  }
  const wire::Form right = probe.usual_request();
  const Reply usual = co_await probe.authorize(right);
  const std::optional<Finding> refused = refuses_usual(usual);
  if (refused) co_return *refused;
  wire::Form form = changed(right, "response_mode", "query");
  const Reply reply = co_await probe.authorize(std::move(form));
  if (reply.status == 0 || reply.status == 429) co_return undecided("got " + reply.describe());
  if (goes_on(reply, usual)) co_return passes();
  const std::string error = answered_fields(reply).get("error").value_or(error_of(reply));
  co_return broken(
      std::string(says ? "its response_modes_supported list query"
                       : "its metadata has no response_modes_supported, which stands for query "
                         "and fragment") +
      ", and a request with response_mode=query is refused (status " +
      std::to_string(reply.status) + (error.empty() ? "" : ", " + clipped(error)) +
      "): one without it is taken");
}

// RFC 6749, section 1.5: a refresh token is given at the discretion of the server.
Task<Finding> gives_refresh_tokens(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  if (!lists(probe, "grant_types_supported", "refresh_token")) {
    co_return not_for_it("its metadata does not list the grant refresh_token");
  }
  const Json tokens = co_await probe.new_tokens();
  if (!tokens.is_object()) co_return not_for_it(probe.lacks_code());
  if (!string_or(tokens, "refresh_token", "").empty()) co_return passes();
  const bool asks = lists(probe, "scopes_supported", "offline_access");
  if (asks) {
    wire::Form form = changed(probe.usual_request(), "scope", "offline_access");
    const Reply granted = co_await probe.ask_for_code(std::move(form));
    const std::string code = answered_fields(granted).get("code").value_or("");
    if (code.empty()) co_return not_for_it("it gives no code for offline_access alone");
    const Reply reply = co_await probe.redeem(code, AuthProbe::right_verifier());
    if (reply.status != 200) co_return not_for_it("a good code got " + refused_with(reply));
    const Json more = json_in(reply);
    if (!string_or(more, "refresh_token", "").empty()) co_return passes();
  }
  co_return risky(
      "its metadata lists the grant refresh_token, it registers a client for that, and the answer "
      "with a token has no refresh_token" +
      std::string(asks ? ", with the scope offline_access neither" : "") +
      ": users of clients such as Claude sign in again whenever the token ends");
}

Task<Finding> tells_who_cannot_be_sent_back(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const wire::Form right = probe.usual_request();
  const std::string other = "http://localhost:33997/plumbline-not-registered";
  std::vector<std::pair<std::string, wire::Form>> requests;
  requests.emplace_back("a redirect_uri that was not registered",
                        changed(right, "redirect_uri", other));
  requests.emplace_back("a client_id that nobody knows",
                        changed(right, "client_id", "plumbline-unknown-client"));
  for (const auto& [what, form] : requests) {
    const Reply reply = co_await probe.authorize(form);
    if (reply.status == 0) co_return undecided("got " + reply.describe());
    if (reply.status < 500 || reply.status == 503) continue;
    co_return broken("a request with " + what + " got status " + std::to_string(reply.status) +
                     ", as if the server had failed, expected a page of status 400 that says what "
                     "is wrong: the user is told nothing that helps");
  }
  co_return passes();
}

// is_inner returns whether only a network of its own knows a host by that name.
bool is_inner(std::string_view host) {
  for (const std::string_view end : {".internal", ".local", ".svc", ".lan", ".intranet"}) {
    if (host.ends_with(end)) return true;
  }
  const bool named = host != "localhost" && host.find(':') == std::string_view::npos;
  return named && host.find('.') == std::string_view::npos;
}

Task<Finding> stays_in_reach(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const std::string endpoint = probe.authority().member("authorization_endpoint");
  const Result<wire::Url> own = wire::parse_url(endpoint);
  if (!own.ok()) co_return not_for_it("its authorization_endpoint is no address");
  wire::Form form = probe.usual_request();
  const Reply reply = co_await probe.authorize(std::move(form));
  if (reply.status == 0) co_return undecided("got " + reply.describe());
  const Result<wire::Url> there = wire::parse_url(location_of(reply));
  const bool elsewhere = there.ok() && there.value().host != own.value().host;
  if (!elsewhere || !is_inner(there.value().host) || is_inner(own.value().host)) {
    co_return passes();
  }
  co_return risky("a good request sends the browser on to " + there.value().origin() +
                  ", a host that only its own network knows: nobody outside can sign in. Build the "
                  "address of what the proxy says, or send the path alone");
}

// words_of returns what stands between the `separators` of a text, in small letters.
std::vector<std::string> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    const std::string_view word = trimmed(text.substr(begin, end - begin));
    if (!word.empty()) words.push_back(lower_case(word));
    begin = end + 1;
  }
  return words;
}

// Ancestors is what the policies of a page say of who may frame it.
struct Ancestors {
  std::string said;     // By the last policy that names any; empty: none does.
  bool closed = false;  // One leaves out the sites of others.
};

// leaves_others_out returns whether a list of frame-ancestors has not just everybody.
bool leaves_others_out(const std::vector<std::string>& words) {
  return std::none_of(words.begin() + 1, words.end(), [](const std::string& word) {
    return word == "*" || word == "http:" || word == "https:" || word == "http://*" ||
           word == "https://*";
  });
}

Ancestors ancestors_of(const Reply& page) {
  Ancestors result;
  for (const auto& [name, value] : page.headers.fields()) {
    if (!equals_ignoring_case(name, "Content-Security-Policy")) continue;
    for (const std::string& directive : words_of(value, ";,")) {
      const std::vector<std::string> words = words_of(directive, " \t");
      if (words.front() != "frame-ancestors") continue;
      result.said = directive;
      result.closed |= leaves_others_out(words);
    }
  }
  return result;
}

// open_to_frames says why others may put a page into a frame; empty: they may not. Where a policy
// names ancestors, browsers read no X-Frame-Options; of that they know DENY and SAMEORIGIN.
std::string open_to_frames(const Reply& page) {
  const Ancestors ancestors = ancestors_of(page);
  if (ancestors.closed) return {};
  if (!ancestors.said.empty()) return "its policy says \"" + clipped(ancestors.said) + "\"";
  std::string other;
  for (const auto& [name, value] : page.headers.fields()) {
    if (!equals_ignoring_case(name, "X-Frame-Options")) continue;
    for (const std::string& word : words_of(value, ",")) {
      if (word == "deny" || word == "sameorigin") return {};
      other = value;
    }
  }
  if (!other.empty()) {
    return "it has the X-Frame-Options \"" + clipped(other) + "\", which browsers do not know";
  }
  const bool tried = page.headers.count("Content-Security-Policy-Report-Only") > 0 ||
                     lower_case(page.body).find("frame-ancestors") != std::string::npos;
  return "it has neither frame-ancestors nor X-Frame-Options" +
         std::string(tried ? " in its headers that binds a browser (a <meta> or a policy that "
                             "reports alone does not)"
                           : "");
}

// RFC 9700, section 4.16. A script may get a page out of its frame, which is not seen here.
Task<Finding> asks_in_no_frame(AuthProbe& probe) {
  if ((co_await probe.new_code()).empty()) co_return not_for_it(probe.lacks_code());
  const Reply page = probe.walk().asked;
  if (page.status == 0) co_return passes();
  const std::string open = open_to_frames(page);
  if (open.empty()) co_return passes();
  const bool scripted = lower_case(page.body).find("<script") != std::string::npos;
  probe.go_in_frame(true);
  std::string code;
  if (!scripted) code = co_await probe.new_code();
  probe.go_in_frame(false);
  const std::string said =
      "the page that asks its user may be put into a frame of another site: " + open +
      " (RFC 9700, section 4.16)";
  if (!code.empty()) {
    co_return about(broken(said + "; opened as in such a frame it gave a code: who clicks there "
                                  "says yes without knowing"),
                    page);
  }
  co_return about(risky(said + "; what else may stop its form there, a cookie with SameSite or a "
                               "script, is up to the browser"),
                  page);
}

struct OpenIdMember {
  std::string_view name;
  bool list = true;   // Of texts; else it is an address.
  bool both = false;  // RFC 8414 requires it as well.
};

// OpenID Connect Discovery 1.0, section 3: what is REQUIRED.
constexpr OpenIdMember kOpenIdMembers[] = {
    {"authorization_endpoint", false, true},
    {"token_endpoint", false, true},
    {"jwks_uri", false},
    {"response_types_supported", true, true},
    {"subject_types_supported"},
    {"id_token_signing_alg_values_supported"},
};

bool has_member(const Json& document, const OpenIdMember& member) {
  const Json* const value = find(document, member.name);
  if (value == nullptr) return false;
  if (!member.list) return value->is_string() && !value->get<std::string>().empty();
  return value->is_array() && !value->empty() &&
         std::ranges::all_of(*value, [](const Json& one) { return one.is_string(); });
}

// RFC 8414, section 5, lets metadata of OAuth alone stand there; readers of OpenID Connect want
// more.
Task<Finding> is_whole_for_openid(AuthProbe& probe) {
  const Authority& authority = probe.authority();
  const Json& document = authority.oidc;
  if (!document.is_object()) co_return not_for_it("it has no OpenID configuration");
  const bool alone = !authority.oauth.is_object();
  std::string lacks;
  for (const OpenIdMember& member : kOpenIdMembers) {
    // That nobody names it is for auth.as-metadata-members.
    if (member.both && (alone || !has_member(authority.oauth, member))) continue;
    if (has_member(document, member)) continue;
    lacks += (lacks.empty() ? "" : ", ") + std::string(member.name);
  }
  if (lacks.empty()) co_return passes();
  co_return risky(
      "its /.well-known/openid-configuration has not, or not as OpenID Connect Discovery 1.0 "
      "requires (section 3): " +
      lacks + ". Clients that read it there, as those on the official TypeScript SDK do " +
      (alone ? "where there is nothing else" : "where they miss the metadata of OAuth") +
      ", refuse it");
}

constexpr AuthCheck kAdvertisedChecks[] = {
    {"auth.as-response-modes-as-listed", takes_listed_modes},
    {"auth.as-refresh-tokens-given", gives_refresh_tokens},
    {"auth.as-tells-the-user", tells_who_cannot_be_sent_back},
    {"auth.as-stays-in-reach", stays_in_reach},
    {"auth.as-asks-in-no-frame", asks_in_no_frame},
    {"auth.as-openid-members", is_whole_for_openid},
};

}  // namespace

AuthChecks advertised_checks() { return kAdvertisedChecks; }

}  // namespace plumbline::conformance
