// How an AuthProbe asks the token endpoint: with codes, with refresh tokens, as another client, and
// twice at a time; and how it comes to a code, as somebody does who signs in and says yes in a
// browser.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "conformance/checks/auth/probe.h"
#include "conformance/checks/server/auth/page_form.h"
#include "conformance/wire/http_wire.h"
#include "conformance/wire/members.h"
#include "core/base/text.h"

namespace plumbline::conformance {

wire::HttpRequest form_request(const wire::Form& form) {
  wire::HttpRequest request;
  request.method = "POST";
  request.headers.set("Accept", "application/json");
  request.headers.set("Content-Type", "application/x-www-form-urlencoded");
  request.body = form.text();
  return request;
}

Task<std::pair<Reply, Reply>> AuthProbe::post_twice(std::string url, wire::Form form) {
  std::pair<Reply, Reply> replies;
  const Result<wire::Url> to = wire::parse_url(url);
  if (!to.ok()) co_return replies;
  const wire::HttpHeaders no_headers;
  HttpWire one(http_, to.value(), no_headers, log_);
  HttpWire other(http_, to.value(), no_headers, log_);
  const std::size_t first = one.request(form_request(form), check_);
  const std::size_t second = other.request(form_request(form), check_);
  const Instant deadline = after(one.inbox().loop().now(), patience_);
  for (HttpWire* const wire : {&one, &other}) {
    Inbox& inbox = wire->inbox();
    while (!inbox.exchanges[wire == &one ? first : second].ended) {
      if (!co_await inbox.change(deadline)) break;
    }
  }
  replies.first = taken(one, first);
  replies.second = taken(other, second);
  co_return replies;
}

wire::Form AuthProbe::redeeming(std::string code, std::optional<std::string> verifier) const {
  wire::Form form = {{"grant_type", "authorization_code"},
                     {"code", std::move(code)},
                     {"redirect_uri", client_.redirect_uri},
                     {"client_id", client_.id}};
  if (verifier) form.add("code_verifier", std::move(*verifier));
  return form;
}

Task<Reply> AuthProbe::redeem(std::string code, std::optional<std::string> verifier) {
  wire::Form form = redeeming(std::move(code), std::move(verifier));
  std::string endpoint = authority_.member("token_endpoint");
  Reply reply = co_await post(std::move(endpoint), std::move(form));
  co_return reply;
}

wire::Form AuthProbe::refreshing(std::string token) const {
  return {{"grant_type", "refresh_token"},
          {"refresh_token", std::move(token)},
          {"client_id", client_.id}};
}

Task<Reply> AuthProbe::refresh(std::string token) {
  wire::Form form = refreshing(std::move(token));
  std::string endpoint = authority_.member("token_endpoint");
  Reply reply = co_await post(std::move(endpoint), std::move(form));
  co_return reply;
}

bool is_busy(const Reply& reply) {
  return reply.status == 0 || reply.status == 429 || reply.status == 503;
}

std::string grant_error_flaw(const Reply& reply) {
  if (is_busy(reply) || error_of(reply) == "invalid_grant") return {};
  return "got " + refused_with(reply) +
         ", expected \"invalid_grant\": clients sign in again for that one alone";
}

Task<Reply> redeemed_for(AuthProbe& probe, std::string resource) {
  wire::Form form = changed(probe.usual_request(), "resource", resource);
  const Reply granted = co_await probe.ask_for_code(std::move(form));
  std::string code = answered_fields(granted).get("code").value_or("");
  Reply reply;
  if (code.empty() || !is_sent_to(granted, probe.client().redirect_uri)) co_return reply;
  wire::Form with = changed(probe.redeeming(std::move(code), AuthProbe::right_verifier()),
                            "resource", std::move(resource));
  std::string endpoint = probe.authority().member("token_endpoint");
  reply = co_await probe.post(std::move(endpoint), std::move(with));
  co_return std::move(reply);
}

Task<std::string> named_grant_flaw(AuthProbe& probe, Reply reply, bool code) {
  std::string flaw = grant_error_flaw(reply);
  if (flaw.empty()) co_return flaw;
  wire::Form form = code ? probe.redeeming(kUnknownSecret, AuthProbe::right_verifier())
                         : probe.refreshing(kUnknownSecret);
  std::string endpoint = probe.authority().member("token_endpoint");
  const Reply unknown = co_await probe.post(std::move(endpoint), std::move(form));
  if (error_of(unknown) == error_of(reply)) flaw.clear();
  co_return std::move(flaw);
}

std::string error_lack(const Reply& reply) {
  if (!error_of(reply).empty()) return {};
  const Json body = json_in(reply);
  if (find(body, "error") == nullptr) return "no JSON with an error";
  return told_member(body, "error") + ", expected its code as a text";
}

std::string refused_with(const Reply& reply) {
  const std::string status = "status " + std::to_string(reply.status);
  const Json body = json_in(reply);
  if (find(body, "error") == nullptr) return status + " and no error in JSON";
  const bool named = !error_of(reply).empty();
  return status + " and " + told_member(body, "error") + (named ? "" : ", which is no code");
}

Task<Json> AuthProbe::new_tokens() {
  std::string code = co_await new_code();
  if (code.empty()) co_return Json();
  const Reply reply = co_await redeem(std::move(code), right_verifier());
  Json tokens = json_in(reply);
  if (reply.status == 200 && tokens.is_object()) co_return std::move(tokens);
  refused_ = "a good code is refused: " + refused_with(reply);
  co_return Json();
}

Task<std::string> AuthProbe::good_code() {
  const Json tokens = co_await new_tokens();
  if (!tokens.is_object()) co_return std::string();
  std::string code = co_await new_code();
  co_return code;
}

Task<Json> AuthProbe::renewed_tokens() {
  Json tokens = co_await new_tokens();
  const std::string token = string_or(tokens, "refresh_token", "");
  if (token.empty()) {
    lacks_refresh_ = tokens.is_object() ? "it gives no refresh token" : lacks_code();
    co_return Json();
  }
  // What came in the place of the first is tried as well.
  for (int times = 0; times < 2; ++times) {
    std::string next = string_or(tokens, "refresh_token", "");
    const Reply reply = co_await refresh(std::move(next));
    const Json renewed = json_in(reply);
    if (reply.status != 200 || !renewed.is_object()) {
      lacks_refresh_ = "a good refresh token is refused: " + refused_with(reply);
      co_return Json();
    }
    // What an answer leaves out stays as it was.
    for (const auto& [name, value] : renewed.items()) tokens[name] = value;
  }
  co_return std::move(tokens);
}

Task<Reply> AuthProbe::as_another(wire::Form form) {
  Reply reply;
  std::string endpoint = authority_.member("registration_endpoint");
  Json about = client_metadata(client_.redirect_uri);
  const Reply answer = co_await register_at(std::move(endpoint), std::move(about));
  Json registered = json_in(answer);
  const std::string id = string_or(registered, "client_id", "");
  // The same id is the same client.
  if (id.empty() || id == client_.id) co_return reply;
  std::string tokens = authority_.member("token_endpoint");
  wire::Form whole = changed(form, "client_id", id);
  reply = co_await post(std::move(tokens), std::move(whole));
  co_await take_back(std::move(registered));
  co_return std::move(reply);
}

std::string other_type(const Reply& reply) {
  const std::string said(reply.headers.get("Content-Type").value_or(""));
  const std::string_view type = trimmed(std::string_view(said).substr(0, said.find(';')));
  if (equals_ignoring_case(type, "application/json")) return {};
  const std::string expected = ", expected application/json";
  if (type.empty()) return "is sent without Content-Type" + expected;
  return "is sent with Content-Type: " + clipped(said) + expected;
}

namespace {

constexpr int kConsentStepsMax = 12;  // Of pages and redirects: to sign in, to consent, and back.

using Cookies = std::map<std::string, std::string>;

void keep_cookies(Cookies& kept, const Reply& reply) {
  for (const auto& [name, value] : reply.headers.fields()) {
    if (!equals_ignoring_case(name, "Set-Cookie")) continue;
    const std::string_view pair = trimmed(std::string_view(value).substr(0, value.find(';')));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string cookie(pair.substr(0, equals));
    const std::string said(pair.substr(std::min(equals + 1, pair.size())));
    const bool removed = said.empty() || lower_case(value).find("max-age=0") != std::string::npos;
    if (removed) kept.erase(cookie);
    if (!removed) kept[cookie] = said;
  }
}

std::string text_of(const Cookies& kept) {
  std::string text;
  for (const auto& [name, value] : kept) text += (text.empty() ? "" : "; ") + name + "=" + value;
  return text;
}

// Step is what a browser does next: a request, and where to.
struct Step {
  wire::Url to;
  wire::HttpRequest request;
};

bool keeps_method(const Reply& reply) { return reply.status == 307 || reply.status == 308; }

// next_step returns what follows from `reply` to a request of `here`; nothing: the way ends.
//
// 307 and 308 have a browser send what it has sent once more: RFC 9110, section 15.4.8.
std::optional<Step> next_step(const wire::Url& here, const wire::HttpRequest& sent,
                              const Reply& reply) {
  Step step;
  step.request.method = "GET";
  const std::string location = location_of(reply);
  const std::optional<PageForm> form =
      location.empty() && reply.status == 200 ? form_on(reply.body) : std::nullopt;
  if (location.empty() && !form) return std::nullopt;
  Result<wire::Url> to = wire::resolve_url(here, location.empty() ? form->action : location);
  if (!to.ok() || to.value().origin() != here.origin()) return std::nullopt;
  step.to = std::move(to).value();
  if (!form && keeps_method(reply)) step.request = sent;
  if (!form) return step;
  if (form->action.empty()) step.to = here;
  step.request.headers.set("Origin", here.origin());
  if (!form->posts) {
    const std::string path = step.to.target.substr(0, step.to.target.find('?'));
    step.to.target = path + "?" + form->fields.text();
    return step;
  }
  step.request.method = "POST";
  step.request.headers.set("Content-Type", "application/x-www-form-urlencoded");
  step.request.body = form->fields.text();
  return step;
}

constexpr const char* kHoldsBack = "samesite=";  // And what a cookie says behind it.

// without_held_cookies takes out what no browser sends, nor keeps, in a frame of another site.
Reply without_held_cookies(const Reply& reply) {
  Reply other = reply;
  other.headers = {};
  for (const auto& [name, value] : reply.headers.fields()) {
    const std::string text = lower_case(value);
    const bool held = text.find(std::string(kHoldsBack) + "lax") != std::string::npos ||
                      text.find(std::string(kHoldsBack) + "strict") != std::string::npos;
    if (held && equals_ignoring_case(name, "Set-Cookie")) continue;
    other.headers.add(name, value);
  }
  return other;
}

// put_in_frame makes `request` what a browser sends that shows a page of another site around it.
void put_in_frame(wire::HttpRequest& request, bool first) {
  request.headers.set("Sec-Fetch-Dest", "iframe");
  request.headers.set("Sec-Fetch-Mode", "navigate");
  request.headers.set("Sec-Fetch-Site", first ? "cross-site" : "same-origin");
}

// agree stands in for a person with a browser who signs in and says yes: it keeps cookies, follows
// redirects and sends forms, all within the origin of the authorization server. It returns the
// answer that leads to `redirect_uri` or out of that origin; else the last page.
//
// `twice`: each page with a form is fetched once more before that is sent. Of `walk` it says which
// of them had a form last.
Task<Reply> agree(AuthProbe& probe, std::string address, std::string redirect_uri,
                  ConsentWalk& walk, Cookies& kept, bool twice) {
  Reply reply;
  const Result<wire::Url> start = wire::parse_url(address);
  if (!start.ok()) co_return reply;
  std::optional<Step> step = Step{start.value(), {}};
  step->request.method = "GET";
  walk.asked = {};
  for (int steps = 0; steps < kConsentStepsMax && step; ++steps) {
    const wire::Url here = step->to;
    wire::HttpRequest request = std::move(step->request);
    request.headers.set("Accept", "text/html, application/json");
    if (walk.framed) put_in_frame(request, steps == 0);
    if (!kept.empty()) request.headers.set("Cookie", text_of(kept));
    const std::string url = here.origin() + here.target;
    const bool looks = request.method == "GET";
    walk.posted |= !looks;
    reply = co_await probe.ask(url, request);
    const bool ends = is_sent_to(reply, redirect_uri);
    if (!ends) step = next_step(here, request, reply);
    if (!looks && keeps_method(reply) && (ends || !step)) walk.posted_on = reply.status;
    if (ends) break;
    keep_cookies(kept, walk.framed ? without_held_cookies(reply) : reply);
    if (step && location_of(reply).empty()) walk.asked = reply;
    const bool sends_form = step && step->request.method == "POST";
    walk.scripted |= sends_form && reply.body.find("<script") != std::string::npos;
    if (twice && looks && sends_form) co_await probe.get(url);
  }
  co_return std::move(reply);
}

}  // namespace

Task<Reply> AuthProbe::ask_for_code(wire::Form form) {
  std::string url = authority_.member("authorization_endpoint");
  url += (url.find('?') == std::string::npos ? "?" : "&") + form.text();
  std::string redirect_uri = form.get("redirect_uri").value_or(client_.redirect_uri);
  const bool has_person = client_.has_person;
  Reply reply;
  if (has_person) {
    if (!keeps_cookies_) cookies_.clear();
    reply = co_await agree(*this, std::move(url), std::move(redirect_uri), walk_, cookies_,
                           looks_twice_);
  } else {
    wire::HttpRequest request;
    request.method = "GET";
    request.headers.set("Accept", "text/html, application/json");
    reply = co_await ask(std::move(url), std::move(request));
  }
  given_.push_back(code_in_body(reply));
  std::erase(given_, "");
  co_return std::move(reply);
}

}  // namespace plumbline::conformance
