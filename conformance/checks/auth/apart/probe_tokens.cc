// How an AuthProbe asks the token endpoint: with codes, with refresh tokens, as another client, and
// twice at a time.

#include <optional>
#include <utility>

#include "conformance/checks/auth/probe.h"
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

}  // namespace plumbline::conformance
