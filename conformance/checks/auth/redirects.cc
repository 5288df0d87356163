// Where an authorization server sends people: spec, basic/authorization, Open Redirection; OAuth
// 2.1, sections 2.3 and 7.5.3; RFC 9207.

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/auth/check.h"
#include "conformance/checks/auth/probe.h"
#include "conformance/wire/members.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kStrange = "https://plumbline.example/callback";

Task<Finding> sends_nobody_astray(AuthProbe& probe) {
  if (probe.authority().member("authorization_endpoint").empty()) {
    co_return not_for_it("its metadata names no authorization_endpoint");
  }
  wire::Form form = changed(probe.usual_request(), "redirect_uri", kStrange);
  std::vector<std::pair<std::string, wire::Form>> requests;
  requests.emplace_back("a client that nobody knows",
                        changed(form, "client_id", "plumbline-unknown-client"));
  requests.emplace_back("a request without a client_id", without(form, "client_id"));
  if (!probe.client().id.empty()) {
    requests.emplace_back("a redirect_uri of somebody else", form);
    requests.emplace_back("one without a response_type", without(form, "response_type"));
    requests.emplace_back("one without a code_challenge", without(form, "code_challenge"));
  }
  for (const auto& [what, request] : requests) {
    const Reply reply = co_await probe.authorize(request);
    if (reply.status == 0)
      co_return undecided("its authorization endpoint gave " + reply.describe());
    if (!is_sent_to(reply, kStrange)) continue;
    co_return broken("for " + what + " it sends the browser to " + kStrange);
  }
  co_return passes();
}

// sent_as_registered asks as a client that has registered `other` and `uri` alike, and returns an
// answer that comes back to either; without a status: none does.
Task<Reply> sent_as_registered(AuthProbe& probe, std::string other, std::string uri) {
  Json about = usual_registration(probe);
  about["client_name"] = "Plumbline (two addresses)";  // Some know a client by its name.
  about["redirect_uris"] = Json::array({other, uri});
  std::string endpoint = probe.authority().member("registration_endpoint");
  const Reply answer = co_await probe.register_at(std::move(endpoint), std::move(about));
  Json registered = answer.status == 200 || answer.status == 201 ? json_in(answer) : Json();
  const std::string id = string_or(registered, "client_id", "");
  Reply found;
  if (id.empty()) co_return found;
  const wire::Form right = changed(probe.usual_request(), "client_id", id);
  wire::Form asked = probe.client().has_person ? right : changed(right, "prompt", "none");
  Reply reply = co_await probe.ask_for_code(std::move(asked));
  if (is_sent_to(reply, uri) || is_sent_to(reply, other)) found = std::move(reply);
  co_await probe.take_back(std::move(registered));
  co_return std::move(found);
}

// keeps_loopbacks_apart: localhost and 127.0.0.1 are two addresses, and a client that has
// registered both listens at the one that it names.
Task<Finding> keeps_loopbacks_apart(AuthProbe& probe) {
  const std::string uri = probe.client().redirect_uri;
  constexpr std::string_view kHost = "//127.0.0.1";
  const std::size_t host = uri.find(kHost);
  const bool registers = !probe.authority().member("registration_endpoint").empty();
  if (host == std::string::npos || !registers) co_return passes();
  std::string other = uri;
  other.replace(host, kHost.size(), "//localhost");
  const Reply reply = co_await sent_as_registered(probe, other, uri);
  if (!is_sent_to(reply, other)) co_return passes();
  co_return broken("registered are \"" + clipped(other) + "\" and \"" + clipped(uri) +
                   "\", and with the redirect_uri \"" + clipped(uri) +
                   "\" it sends the browser to the other one: nobody may listen there");
}

// other_spellings returns `uri` with the last letter of its path in the other case, and encoded.
std::vector<std::string> other_spellings(const std::string& uri) {
  const std::size_t host = uri.find("//");
  const std::size_t path = host == std::string::npos ? host : uri.find('/', host + 2);
  const std::size_t end = std::min(uri.find_first_of("?#"), uri.size());
  if (path == std::string::npos || path + 1 >= end) return {};
  const char last = uri[end - 1];
  if (std::isalpha(static_cast<unsigned char>(last)) == 0 || uri[std::max(path, end - 3)] == '%') {
    return {};
  }
  std::string cased = uri;
  cased[end - 1] = static_cast<char>(last ^ ' ');
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto code = static_cast<unsigned char>(last);
  std::string encoded = uri;
  encoded.replace(end - 1, 1, {'%', kDigits[code / 16], kDigits[code % 16]});
  return {cased, encoded};
}

Task<Finding> compares_redirects(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const std::string uri = probe.client().redirect_uri;
  wire::Form right = probe.usual_request();
  const Reply usual = co_await probe.authorize(right);
  const std::optional<Finding> refused = refuses_usual(usual);
  if (refused) co_return *refused;
  std::vector<std::string> others = {uri + "/more", uri + "?more=1", uri + "x", uri + "/"};
  // RFC 3986, section 6.2.1: compared letter by letter.
  for (const std::string& spelt : other_spellings(uri)) others.push_back(spelt);
  for (const std::string& other : others) {
    wire::Form form = changed(right, "redirect_uri", other);
    const Reply reply = co_await probe.authorize(std::move(form));
    if (reply.status == 0) co_return undecided("got " + reply.describe());
    if (!is_sent_to(reply, other) && !goes_on(reply, usual)) continue;
    co_return broken("registered is \"" + clipped(uri) + "\", and with the redirect_uri \"" +
                     clipped(other) + "\" it " +
                     (is_sent_to(reply, other) ? "sends the browser there"
                                               : "goes on as with the registered one"));
  }
  Finding apart = co_await keeps_loopbacks_apart(probe);
  co_return std::move(apart);
}

// answer_to_client returns an answer that comes back to the client: a refusal, as nobody signs in.
// Nothing: there is none.
Task<std::optional<wire::Form>> answer_to_client(AuthProbe& probe,
                                                 std::string state = "plumbline") {
  const wire::Form right = changed(probe.usual_request(), "state", std::move(state));
  std::vector<wire::Form> requests = {right};
  requests.push_back(changed(right, "prompt", "none"));
  requests.push_back(changed(right, "response_type", "plumbline"));
  for (wire::Form& request : requests) {
    const Reply reply = co_await probe.authorize(std::move(request));
    if (is_sent_to(reply, probe.client().redirect_uri)) co_return answered_fields(reply);
  }
  if (!probe.client().has_person) co_return std::nullopt;
  wire::Form good = right;
  const Reply granted = co_await probe.ask_for_code(std::move(good));
  if (is_sent_to(granted, probe.client().redirect_uri)) co_return answered_fields(granted);
  co_return std::nullopt;
}

constexpr const char* kNothingComesBack =
    "nothing comes back to the client before somebody signs in";
constexpr const char* kIssFlag = "authorization_response_iss_parameter_supported";

Task<Finding> advertises_iss(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const std::optional<wire::Form> answer = co_await answer_to_client(probe);
  if (!answer) co_return not_for_it(kNothingComesBack);
  if (answer->count("iss") == 0) co_return not_for_it("it sends no iss");
  const Json* const flag = find(probe.authority().document(), kIssFlag);
  if (flag != nullptr && *flag == Json(true)) co_return passes();
  if (flag != nullptr && !flag->is_boolean()) {
    co_return broken("it sends iss, and its metadata has " +
                     told_member(probe.authority().document(), kIssFlag) + ", expected true");
  }
  co_return broken("it sends iss, and its metadata has no " + std::string(kIssFlag) +
                   " that is true");
}

Task<Finding> sends_iss(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const std::optional<wire::Form> answer = co_await answer_to_client(probe);
  if (!answer) co_return not_for_it(kNothingComesBack);
  const std::optional<std::string> iss = answer->get("iss");
  if (!iss) {
    const Json* const flag = find(probe.authority().document(), kIssFlag);
    const bool promised = flag != nullptr && *flag == Json(true);
    co_return broken("what it answers to the client has no iss" +
                     std::string(promised ? ", which its metadata promises by " : "") +
                     (promised ? kIssFlag : "") + ": clients refuse it");
  }
  const std::string issuer = probe.authority().member("issuer");
  if (*iss == issuer) co_return passes();
  co_return broken("what it answers to the client has the iss \"" + clipped(*iss) +
                   "\", and its issuer is \"" + clipped(issuer) + "\": clients refuse it");
}

Task<Finding> asks_before_it_redirects(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  wire::Form right = probe.usual_request();
  const Reply reply = co_await probe.authorize(std::move(right));
  const std::optional<Finding> refused = refuses_usual(reply);
  if (refused) co_return *refused;
  const bool granted = is_sent_to(reply, probe.client().redirect_uri);
  if (!granted || answered_fields(reply).count("code") == 0) co_return passes();
  co_return broken(
      "it sends the browser back to a client that nobody has consented to, with a "
      "code, and asks nobody");
}

constexpr std::size_t kLongState = 600;

struct StateSent {
  const char* what;
  std::string state;
};

// printable_letters returns each letter that a state may have: RFC 6749, appendix A.5.
std::string printable_letters() {
  std::string all = "x";  // Blanks at the ends are nobody's.
  for (char c = ' '; c <= '~'; ++c) all += c;
  return all;
}

std::string other_state(const wire::Form& answer, const std::string& sent) {
  const std::optional<std::string> state = answer.get("state");
  return "what it answers to the client has " +
         (state ? "the state \"" + clipped(*state) + "\"" : std::string("no state")) +
         ", and the request had \"" + clipped(sent) + "\": clients refuse it";
}

// keeps_it_to_the_end looks at the state that comes with a code: pages that ask carry it along.
Task<Finding> keeps_it_to_the_end(AuthProbe* probe) {
  for (const std::string& sent : {std::string("{\"a\":\"b+/=\"} c%20d&e"), printable_letters()}) {
    wire::Form form = changed(probe->usual_request(), "state", sent);
    const Reply granted = co_await probe->ask_for_code(std::move(form));
    const wire::Form answer = answered_fields(granted);
    const bool given =
        is_sent_to(granted, probe->client().redirect_uri) && answer.count("code") > 0;
    if (given && answer.get("state") != sent) co_return broken(other_state(answer, sent));
  }
  co_return passes();
}

// answers_without_state returns what comes back to requests that have no state.
Task<std::vector<wire::Form>> answers_without_state(AuthProbe* probe) {
  const wire::Form bare = without(probe->usual_request(), "state");
  wire::Form wrong = changed(bare, "response_type", "plumbline");
  wire::Form good = bare;
  const Reply refused = co_await probe->authorize(std::move(wrong));
  const Reply granted = co_await probe->ask_for_code(std::move(good));
  std::vector<wire::Form> answers;
  for (const Reply* const reply : {&refused, &granted}) {
    const bool back = is_sent_to(*reply, probe->client().redirect_uri);
    if (back) answers.push_back(answered_fields(*reply));
  }
  co_return answers;
}

// RFC 6749, section 4.1.2.1.
Task<Finding> returns_the_state(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  // Plain, and as base64 and JSON look like: a state is any printable text.
  for (const std::string sent : {"plumbline", "{\"a\":\"b+/=\"} c%20d&e"}) {
    const std::optional<wire::Form> answer = co_await answer_to_client(probe, sent);
    if (!answer) co_return not_for_it(kNothingComesBack);
    if (answer->get("state") != sent) co_return broken(other_state(*answer, sent));
  }
  const StateSent odd[] = {{"of 600 letters", std::string(kLongState, 'x')},
                           {"with each printable letter", printable_letters()}};
  for (const StateSent& sent : odd) {
    const std::optional<wire::Form> answer = co_await answer_to_client(probe, sent.state);
    if (answer && answer->get("state") == sent.state) continue;
    if (answer) co_return broken(other_state(*answer, sent.state));
    // It may have been a chance.
    if (!co_await answer_to_client(probe)) co_return undecided("nothing comes back any more");
    if (co_await answer_to_client(probe, sent.state)) continue;
    co_return risky("a request with a state " + std::string(sent.what) +
                    " brings the client no answer, and one with a short state does: no clause "
                    "bounds a state, and clients such as ChatGPT send more than 500 letters");
  }
  const std::vector<wire::Form> bare = co_await answers_without_state(&probe);
  for (const wire::Form& answer : bare) {
    const std::optional<std::string> state = answer.get("state");
    if (!state || state->empty()) continue;
    co_return risky("what it answers to the client has the state \"" + clipped(*state) +
                    "\", and the request had none");
  }
  if (!probe.client().has_person) co_return passes();
  co_return co_await keeps_it_to_the_end(&probe);
}

// takes_it_to_the_end goes through the pages, where there is somebody who may, with another port
// than was registered. What asks for consent often compares anew.
Task<Finding> takes_it_to_the_end(AuthProbe* probe, std::string uri, std::string other) {
  const std::string code = co_await probe->new_code();
  if (code.empty()) co_return passes();
  wire::Form form = changed(probe->usual_request(), "redirect_uri", other);
  const Reply end = co_await probe->ask_for_code(std::move(form));
  if (end.status == 0 || is_sent_to(end, other)) co_return passes();
  co_return broken("registered is \"" + clipped(uri) + "\"; for \"" + other +
                   "\" it shows its page, and when its user has agreed it refuses the port "
                   "(status " +
                   std::to_string(end.status) +
                   "): a native client takes whichever port is free (RFC 8252, section 7.3)");
}

// RFC 8252, section 7.3: a native client takes whichever port is free.
Task<Finding> takes_any_loopback_port(AuthProbe& probe) {
  const std::string lack = probe.lacks_client();
  if (!lack.empty()) co_return not_for_it(lack);
  const std::string uri = probe.client().redirect_uri;
  const Result<wire::Url> url = wire::parse_url(uri);
  const bool by_address =
      url.ok() && url.value().scheme == "http" &&
      (url.value().host == "127.0.0.1" || url.value().host.find("::1") != std::string::npos);
  if (!by_address) co_return not_for_it("the redirect URI of its client is at no loopback address");
  const wire::Form right = probe.usual_request();
  const Reply usual = co_await probe.authorize(right);
  const std::optional<Finding> refused = refuses_usual(usual);
  if (refused) co_return *refused;
  const std::string shown = url.value().origin();
  const std::string host = shown.substr(0, shown.rfind(':'));
  const std::string other =
      (shown.find(':', 7) == std::string::npos ? shown : host) + ":33997" + url.value().target;
  wire::Form form = changed(right, "redirect_uri", other);
  const Reply reply = co_await probe.authorize(std::move(form));
  if (reply.status == 0) co_return undecided("got " + reply.describe());
  if (is_sent_to(reply, other)) co_return passes();
  if (goes_on(reply, usual)) co_return co_await takes_it_to_the_end(&probe, uri, other);
  co_return broken("registered is \"" + clipped(uri) + "\", and \"" + other +
                   "\" is refused for its port (status " + std::to_string(reply.status) +
                   "): a native client takes whichever port is free (RFC 8252, section 7.3)");
}

constexpr AuthCheck kRedirectChecks[] = {
    {"auth.as-untrusted-redirect-guard", sends_nobody_astray},
    {"auth.as-exact-redirect-match", compares_redirects},
    {"auth.as-auto-redirect-only-trusted", asks_before_it_redirects},
    {"auth.as-advertises-iss", advertises_iss},
    {"auth.as-sends-iss", sends_iss},
    {"auth.as-state-returned", returns_the_state},
    {"auth.as-loopback-ports", takes_any_loopback_port},
};

}  // namespace

AuthChecks redirect_checks() { return kRedirectChecks; }

}  // namespace plumbline::conformance
