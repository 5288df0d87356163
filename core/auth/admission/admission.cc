#include "core/auth/admission/admission.h"

#include <algorithm>
#include <utility>

#include "core/auth/steps/addresses.h"
#include "core/auth/steps/metadata.h"
#include "core/base/check.h"
#include "core/base/text.h"
#include "core/wire/caller.h"
#include "core/wire/url.h"

namespace plumbline::auth {

namespace {

constexpr std::string_view kBearerScheme = "Bearer ";

// shown_token returns the token of a request, nothing when it shows none.
std::optional<std::string> shown_token(const wire::HttpRequest& request) {
  const std::string_view value = request.headers.get("Authorization").value_or("");
  if (!equals_ignoring_case(value.substr(0, kBearerScheme.size()), kBearerScheme)) {
    return std::nullopt;
  }
  const std::string_view token = trimmed(value.substr(kBearerScheme.size()));
  return token.empty() ? std::nullopt : std::optional<std::string>(token);
}

// no_verdict is the answer where a token could not be judged.
wire::HttpResponse no_verdict(const Error& error) {
  wire::HttpResponse later;
  later.status = error.code == ErrorCode::kLimitReached ? 429 : 503;
  later.headers.set("Content-Type", "text/plain");
  if (later.status == 429) later.headers.set("Retry-After", "1");
  later.body = error.message + "\n";
  return later;
}

}  // namespace

Admission::Admission(TokenJudge& judge, AdmissionOptions options)
    : judge_(judge), options_(std::move(options)) {}

void Admission::guard(const std::string& url, net::HttpHandler& inside) {
  const Result<wire::Url> at = wire::parse_url(url);
  check(at.ok(), "a server without an address");
  resource_ = canonical_resource(as_http(at.value()));
  metadata_url_ = well_known(as_http(at.value()), "oauth-protected-resource");
  metadata_path_ = wire::parse_url(metadata_url_).value().target;
  if (options_.audience.empty()) options_.audience = resource_;
  inside_ = &inside;
}

wire::HttpResponse Admission::metadata() const {
  Json document = {{"resource", options_.audience},
                   {"authorization_servers", {options_.issuer}},
                   {"bearer_methods_supported", {"header"}}};
  if (!options_.scopes.empty()) document["scopes_supported"] = options_.scopes;
  return {200,
          {{"Content-Type", "application/json"}, {"Access-Control-Allow-Origin", "*"}},
          dump_json(document)};
}

wire::HttpResponse Admission::refusal(int status, const std::string& error, const std::string& why,
                                      const std::vector<std::string>& scopes) const {
  std::string challenge = "Bearer ";
  if (!error.empty()) challenge += "error=\"" + error + "\", error_description=\"" + why + "\", ";
  if (!scopes.empty()) challenge += "scope=\"" + join_scope(scopes) + "\", ";
  challenge += "resource_metadata=\"" + metadata_url_ + "\"";
  return {status, {{"WWW-Authenticate", challenge}}, ""};
}

void Admission::on_request(wire::HttpRequest request, net::HttpReply reply) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (path == metadata_path_ && request.method == "GET") return reply.respond(metadata());
  if (request.method == "OPTIONS") return inside_->on_request(std::move(request), std::move(reply));
  work_.spawn(admit(*this, std::move(request), std::move(reply)));
}

Task<void> Admission::admit(Admission& self, wire::HttpRequest request, net::HttpReply reply) {
  const std::vector<std::string> needed =
      united(self.options_.scopes, scopes_needed(self.options_.methods, request));
  std::optional<std::string> token = shown_token(request);
  if (!token) {
    const wire::HttpResponse refused = self.refusal(401, "", "", needed);
    co_return reply.respond(refused);
  }
  TokenRules rules{self.options_.issuer, self.options_.audience};
  std::string caller = wire::network_of(
      wire::caller_of(reply.peer_address(), request.headers, self.options_.proxies));
  const Result<AccessToken> judged =
      co_await self.judge_.judge(std::move(*token), std::move(rules), std::move(caller));
  if (!judged.ok() && judged.error().code != ErrorCode::kInvalidInput) {
    const wire::HttpResponse later = no_verdict(judged.error());
    co_return reply.respond(later);
  }
  if (!judged.ok()) {
    const wire::HttpResponse refused =
        self.refusal(401, "invalid_token", judged.error().message, needed);
    co_return reply.respond(refused);
  }
  const std::string principal = principal_of(judged.value());
  if (principal.empty()) {
    const wire::HttpResponse refused =
        self.refusal(401, "invalid_token", "it does not say whose it is", needed);
    co_return reply.respond(refused);
  }
  reply.set_principal(principal);
  const std::vector<std::string>& has = judged.value().scopes;
  const bool enough = std::ranges::all_of(needed, [&has](const std::string& scope) {
    return std::ranges::find(has, scope) != has.end();
  });
  if (enough) co_return self.inside_->on_request(std::move(request), std::move(reply));
  const wire::HttpResponse refused =
      self.refusal(403, "insufficient_scope", "the token lacks a scope", needed);
  reply.respond(refused);
}

}  // namespace plumbline::auth
