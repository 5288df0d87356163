// Servers that are OAuth proxies: one client of a third party for all who register with them. Spec
// 2025-11-25, basic/security_best_practices, Confused Deputy Problem; basic/authorization, Access
// Token Privilege Restriction; 2025-03-26, basic/authorization, Third-Party Authorization Flow.

#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/auth/consent.h"
#include "conformance/checks/server/auth/door.h"
#include "conformance/checks/server/check.h"
#include "conformance/peer/upstream.h"
#include "conformance/wire/entropy.h"
#include "core/base/percent.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kOtherSite = "https://plumbline.example";
constexpr std::size_t kStateBytesMin = 16;

wire::HttpHeaders nobody() { return {}; }

Task<Finding> asks_for_each_client(Probe& probe) {
  Browser browser(probe, nobody());
  const Walked walked = co_await walk(probe, browser);
  if (!walked.unable.empty()) co_return not_for_it(walked.unable);
  if (walked.visit.asked) co_return passes();
  co_return broken("it sends the browser on to " + clipped(walked.visit.on) +
                   " for a client that was registered a moment ago, and asks nobody");
}

// Who was asked for one client has said nothing of another.
Task<Finding> keeps_a_registry(Probe& probe) {
  Browser browser(probe, nobody());
  const Walked walked = co_await walk(probe, browser);
  if (!walked.unable.empty()) co_return not_for_it(walked.unable);
  if (!walked.visit.asked) co_return not_for_it("it asks nobody");
  std::string name = "Plumbline second client";
  RegisteredClient other = co_await register_client(probe, walked.authority, std::move(name));
  if (other.id.empty()) co_return undecided("it registered one client, and no second");
  std::string address = authorization_of(walked.authority, other);
  const Page page = co_await browser.open(std::move(address));
  const std::string on = leads_on(page, other);
  if (on.empty()) co_return passes();
  co_return broken("a person who has agreed to one client is sent on to " + clipped(on) +
                   " for a second one, and is not asked");
}

// missing_on says what a page that asks does not show; empty: it shows all.
std::string missing_on(const Visit& visit) {
  const Reply& reply = visit.first.reply;
  if (!shows_text(reply.body, visit.client.name)) return "does not name the client";
  const std::string place = wire::parse_url(visit.client.redirect_uri).value().host_header();
  if (!shows_text(reply.body, place)) {
    return "does not show the redirect_uri, where the code goes";
  }
  const std::string_view frames = reply.headers.get("X-Frame-Options").value_or("");
  const std::string_view policy = reply.headers.get("Content-Security-Policy").value_or("");
  const bool unframed = equals_ignoring_case(frames, "DENY") ||
                        policy.find("frame-ancestors") != std::string_view::npos;
  return unframed ? "" : "may be put into a frame: no frame-ancestors, no X-Frame-Options: DENY";
}

Task<Finding> shows_what_it_asks(Probe& probe) {
  Browser browser(probe, nobody());
  const Walked walked = co_await walk(probe, browser);
  if (!walked.unable.empty()) co_return not_for_it(walked.unable);
  if (!walked.visit.asked) co_return not_for_it("it asks nobody");
  const std::string missing = missing_on(walked.visit);
  if (!missing.empty()) {
    co_return about(broken("the page that asks " + missing), walked.visit.first.reply);
  }
  // Another site has its own visitor send the form that it was given itself.
  Browser victim(probe, nobody());
  std::string address = authorization_of(walked.authority, walked.visit.client);
  const Page theirs = co_await victim.open(std::move(address));
  Browser attacker(probe, nobody());
  address = authorization_of(walked.authority, walked.visit.client);
  Page page = co_await attacker.open(std::move(address));
  std::optional<PageForm> form = form_on(page.reply.body);
  if (!form || theirs.refused()) co_return undecided("it asked once, and not again");
  std::string from = kOtherSite;
  const Page forged = co_await victim.send(std::move(page), std::move(*form), std::move(from));
  if (leads_on(forged, walked.visit.client).empty()) co_return passes();
  co_return broken(
      "the form of one visitor, sent by the browser of another from another site, is taken for "
      "consent: it has no protection against forged requests");
}

// consent_cookie returns the name of the cookie without which the person is asked again; empty:
// consent is kept by no cookie.
Task<std::string> consent_cookie(Probe& probe, Browser& browser, Walked walked) {
  const std::map<std::string, std::string> all = browser.cookies();
  std::string address = authorization_of(walked.authority, walked.visit.client);
  const Page again = co_await browser.open(std::move(address));
  if (leads_on(again, walked.visit.client).empty()) co_return std::string();
  for (const auto& [name, value] : all) {
    Browser without(probe, nobody());
    without.cookies() = all;
    without.cookies().erase(name);
    address = authorization_of(walked.authority, walked.visit.client);
    const Page page = co_await without.open(std::move(address));
    if (leads_on(page, walked.visit.client).empty()) co_return name;
  }
  co_return std::string();
}

std::string lack_of(const Cookie& cookie) {
  if (!cookie.http_only) return "is not HttpOnly";
  const bool bound = cookie.same_site == "lax" || cookie.same_site == "strict";
  if (!bound) return "has no SameSite=Lax";
  if (!cookie.secure) return "is not Secure";
  return cookie.name.starts_with("__Host-") ? "" : "has no name that begins with __Host-";
}

// with_other_client returns `value` with another client's id in place of the first one's, where it
// is written in it; empty: it is not.
std::string with_other_client(const std::string& value, const std::string& id,
                              const std::string& other) {
  std::string plain = percent_decode(value);
  const std::size_t at = plain.find(id);
  if (at == std::string::npos) return {};
  return plain.replace(at, id.size(), other);
}

Task<Finding> has_safe_cookies(Probe& probe) {
  Browser browser(probe, nobody());
  const Walked walked = co_await walk(probe, browser);
  if (!walked.unable.empty()) co_return not_for_it(walked.unable);
  if (!walked.visit.asked) co_return not_for_it("it asks nobody");
  const std::string name = co_await consent_cookie(probe, browser, walked);
  if (name.empty()) co_return not_for_it("it keeps no consent in a cookie");
  std::string value;
  for (const Cookie& cookie : walked.visit.last.cookies) {
    if (cookie.name != name) continue;
    value = cookie.value;
    const std::string lack = lack_of(cookie);
    // Over plain http, as on a developer's machine, browsers keep no cookie that is Secure.
    const bool plain = !probe.server_url().secure() && cookie.http_only;
    if (!lack.empty() && plain && !cookie.same_site.empty()) {
      co_return about(risky("arguable over plain http: the cookie \"" + clipped(name) +
                            "\", which stands for consent, " + lack),
                      walked.visit.last.reply);
    }
    if (!lack.empty()) {
      co_return about(
          broken("the cookie \"" + clipped(name) + "\", which stands for consent, " + lack),
          walked.visit.last.reply);
    }
  }
  std::string second = "Plumbline second client";
  RegisteredClient other = co_await register_client(probe, walked.authority, std::move(second));
  const std::string forged = with_other_client(value, walked.visit.client.id, other.id);
  if (forged.empty() || other.id.empty()) co_return passes();
  Browser forger(probe, nobody());
  forger.cookies()[name] = forged;
  std::string address = authorization_of(walked.authority, other);
  const Page page = co_await forger.open(std::move(address));
  if (leads_on(page, other).empty()) co_return passes();
  co_return broken("the cookie \"" + clipped(name) +
                   "\" with another client's id in it is taken for consent to that one: it is not "
                   "signed");
}

Task<Finding> compares_redirect_uris(Probe& probe) {
  Browser browser(probe, nobody());
  const Walked walked = co_await walk(probe, browser);
  if (!walked.unable.empty()) co_return not_for_it(walked.unable);
  const std::string right = walked.visit.client.redirect_uri;
  for (const std::string& other : {right + "/more", right + "?more=1", right + "x"}) {
    RegisteredClient client = walked.visit.client;
    client.redirect_uri = other;
    Browser fresh(probe, nobody());
    const Visit tried = co_await visit(fresh, walked.authority, std::move(client));
    if (tried.first.leads_to.starts_with(right)) continue;  // Its refusal goes to who is known.
    if (!tried.asked && tried.on.empty()) continue;
    co_return broken("registered is \"" + right + "\", and with the redirect_uri \"" + other +
                     "\" it " + (tried.asked ? "asks for consent as with that" : "goes on"));
  }
  co_return passes();
}

std::string state_of(const Visit& visit) {
  return wire::query_of(visit.on).get("state").value_or("");
}

Task<Finding> sets_state_after_consent(Probe& probe) {
  Browser browser(probe, nobody());
  const Walked walked = co_await walk(probe, browser);
  if (!walked.unable.empty()) co_return not_for_it(walked.unable);
  if (!walked.visit.asked) co_return not_for_it("it asks nobody");
  const std::string state = state_of(walked.visit);
  if (state.size() < kStateBytesMin) co_return not_for_it("it gives the third party no state");
  for (const Cookie& cookie : walked.visit.first.cookies) {
    if (percent_decode(cookie.value).find(state) == std::string::npos) continue;
    co_return about(broken("the page that asks sets the cookie \"" + clipped(cookie.name) +
                           "\" with the state that the third party is given later: before anybody "
                           "has agreed"),
                    walked.visit.first.reply);
  }
  co_return passes();
}

// callback_of returns the proxy's address to which the third party sends the browser, with
// `fields`.
std::string callback_of(const Visit& visit, const wire::Form& fields) {
  const std::string to = wire::query_of(visit.on).get("redirect_uri").value_or("");
  return to + (to.find('?') == std::string::npos ? "?" : "&") + fields.text();
}

Task<Finding> checks_states(Probe& probe) {
  Browser browser(probe, nobody());
  const Walked walked = co_await walk(probe, browser);
  if (!walked.unable.empty()) co_return not_for_it(walked.unable);
  const Visit& first = walked.visit;
  const std::string state = state_of(first);
  if (state.size() < kStateBytesMin) {
    co_return broken("it gives the third party the state \"" + clipped(state) +
                     "\", which can be guessed");
  }
  RegisteredClient same = first.client;
  Browser other(probe, nobody());
  const Visit second = co_await visit(other, walked.authority, std::move(same));
  if (state_of(second) == state) co_return broken("it gives the third party the same state twice");
  Upstream* const behind = probe.behind();
  if (behind == nullptr || !behind->is_authorization(first.on)) {
    co_return not_for_it("its third party is not the judge (--upstream)");
  }
  const std::string code = wire::query_of(behind->agree(first.on)).get("code").value_or("");
  std::vector<std::pair<std::string, std::string>> tries;
  tries.emplace_back("without a state", callback_of(first, wire::Form({{"code", code}})));
  tries.emplace_back("with another state",
                     callback_of(first, wire::Form({{"code", code}, {"state", state + "x"}})));
  for (auto& [what, address] : tries) {
    const Page page = co_await browser.open(std::move(address));
    if (is_granted(page, first.client)) co_return broken("a callback " + what + " gets a code");
  }
  Browser stranger(probe, nobody());
  std::string address = behind->agree(second.on);
  const Page stolen = co_await stranger.open(std::move(address));
  if (is_granted(stolen, first.client)) {
    co_return broken("a callback from a browser that was never asked gets a code");
  }
  address = behind->agree(first.on);
  const Page right = co_await browser.open(std::move(address));
  if (!is_granted(right, first.client)) co_return undecided("a good callback gets no code");
  address = behind->agree(first.on);
  const Page again = co_await browser.open(std::move(address));
  if (is_granted(again, first.client)) co_return broken("the same state is taken twice");
  co_return passes();
}

// Nobody gets a token for what the third party has refused.
Task<Finding> handles_refusals(Probe& probe) {
  Browser browser(probe, nobody());
  const Walked walked = co_await walk(probe, browser);
  if (!walked.unable.empty()) co_return not_for_it(walked.unable);
  std::string address = callback_of(
      walked.visit, wire::Form({{"error", "access_denied"}, {"state", state_of(walked.visit)}}));
  if (!is_at_server(probe, address)) co_return not_for_it("its callback is elsewhere");
  const Page page = co_await browser.open(std::move(address));
  if (is_granted(page, walked.visit.client)) {
    co_return broken("for the error access_denied of the third party the client gets a code");
  }
  if (page.reply.status >= 500) {
    co_return broken("the error access_denied of the third party gets status " +
                     std::to_string(page.reply.status));
  }
  if (page.reply.status == 0) co_return undecided("its callback gave " + page.reply.describe());
  co_return passes();
}

// What the client is given is the server's own, not what the third party gave that.
Task<Finding> gives_its_own_tokens(Probe& probe) {
  Browser browser(probe, nobody());
  const Walked walked = co_await walk(probe, browser);
  if (!walked.unable.empty()) co_return not_for_it(walked.unable);
  Upstream* const behind = probe.behind();
  if (behind == nullptr || !behind->is_authorization(walked.visit.on)) {
    co_return not_for_it("its third party is not the judge (--upstream)");
  }
  std::string address = behind->agree(walked.visit.on);
  const Page page = co_await browser.open(std::move(address));
  if (!is_granted(page, walked.visit.client)) co_return undecided("a good callback gets no code");
  std::string code = wire::query_of(page.leads_to).get("code").value_or("");
  if (!behind->given_in(code).empty())
    co_return broken("the client is given the third party's code");
  const std::string token =
      co_await redeem(probe, walked.authority, walked.visit.client, std::move(code));
  if (token.empty()) co_return undecided("its token endpoint gave no access_token for its code");
  if (behind->given_in(token).empty()) co_return passes();
  co_return broken("the client is given the token that the third party gave the server");
}

Task<Finding> keeps_tokens_to_itself(Probe& probe) {
  const std::string token = user_token(probe);
  if (token.empty()) co_return not_for_it("no token was given (--header)");
  if (probe.behind() == nullptr) {
    co_return not_for_it("what stands behind it is not the judge (--upstream)");
  }
  co_await probe.exercise();
  const std::vector<wire::HttpRequest>& seen = probe.behind()->seen();
  if (seen.empty()) co_return not_for_it("it asked nothing of what stands behind it");
  for (const wire::HttpRequest& request : seen) {
    if (!holds_text(request, token)) continue;
    co_return broken("what stands behind it got " + request.method + " " +
                     clipped(request.target.substr(0, request.target.find('?'))) +
                     " with the token that the client has shown to the server");
  }
  co_return passes();
}

constexpr ServerCheck kProxyChecks[] = {
    {"auth.proxy-consent-per-client", Eras::kBoth, SessionUse::kOpens, asks_for_each_client},
    {"security.proxy-consent-registry", Eras::kStateful, SessionUse::kOpens, keeps_a_registry},
    {"security.proxy-consent-page", Eras::kStateful, SessionUse::kOpens, shows_what_it_asks},
    {"security.proxy-consent-cookie", Eras::kStateful, SessionUse::kOpens, has_safe_cookies},
    {"security.proxy-redirect-uri-exact", Eras::kStateful, SessionUse::kOpens,
     compares_redirect_uris},
    {"security.proxy-state-after-consent", Eras::kStateful, SessionUse::kOpens,
     sets_state_after_consent},
    {"security.proxy-state-checked", Eras::kStateful, SessionUse::kOpens, checks_states},
    {"auth.third-party-flow-hardening", Eras::kStateful, SessionUse::kOpens, handles_refusals},
    {"auth.third-party-token-mapping", Eras::kStateful, SessionUse::kOpens, gives_its_own_tokens},
    {"auth.no-token-passthrough", Eras::kBoth, SessionUse::kOpens, keeps_tokens_to_itself},
};

}  // namespace

ServerChecks proxy_checks() { return kProxyChecks; }

}  // namespace plumbline::conformance
