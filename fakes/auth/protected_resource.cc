#include "fakes/auth/protected_resource.h"

#include <utility>

#include "core/base/check.h"
#include "core/wire/url.h"

namespace plumbline::fakes {

namespace {

constexpr const char* kWellKnown = "/.well-known/oauth-protected-resource";

}  // namespace

ProtectedResource::ProtectedResource(std::string url, std::string issuer,
                                     AuthorizationServer& tokens, ProtectionScript script)
    : url_(std::move(url)),
      issuer_(std::move(issuer)),
      tokens_(tokens),
      script_(std::move(script)) {
  const Result<wire::Url> parts = wire::parse_url(url_);
  check(parts.ok(), "a resource without an address");
  origin_ = parts.value().origin();
  path_ = parts.value().target;
}

wire::HttpResponse ProtectedResource::refusal(int status, const std::string& parameters) const {
  wire::HttpResponse response{status, {}, ""};
  if (script_.sends_challenge) {
    response.headers.set("WWW-Authenticate", "Bearer " + parameters + "resource_metadata=\"" +
                                                 origin_ + kWellKnown + path_ + "\"");
  }
  return response;
}

void ProtectedResource::guard(const std::string& /*url*/, net::HttpHandler& inside) {
  inside_ = &inside;
}

// scope_for returns the scopes that `request` needs, which may call a tool.
std::string ProtectedResource::scope_for(const wire::HttpRequest& request) const {
  if (script_.scopes.empty()) return script_.scope;
  const Result<Json> message = parse_json(request.body);
  const Json* const params = message.ok() ? find(message.value(), "params") : nullptr;
  const auto own = script_.scopes.find(params == nullptr ? "" : string_or(*params, "name", ""));
  return own == script_.scopes.end() ? script_.scope : own->second;
}

void ProtectedResource::on_request(wire::HttpRequest request, net::HttpReply reply) {
  if (request.target == kWellKnown + path_ && script_.has_metadata) {
    Json metadata = {{"resource", url_}, {"authorization_servers", {issuer_}}};
    metadata.update(script_.metadata);
    return reply.respond({200, {{"Content-Type", "application/json"}}, dump_json(metadata)});
  }
  if (request.target.starts_with("/.well-known/")) {
    return reply.respond(wire::HttpResponse{404, {}, ""});
  }
  const std::string shown(request.headers.get("Authorization").value_or(""));
  if (!shown.empty()) shown_.push_back(shown);
  const std::string token = shown.starts_with("Bearer ") ? shown.substr(7) : "";
  const std::string name = string_or(script_.metadata, "resource", url_);
  const bool known = !script_.refuses_all && tokens_.accepts(token, name, "");
  if (!token.empty() && on_shown_) on_shown_(token, known);
  const std::string scope = scope_for(request);
  if (known && tokens_.accepts(token, name, scope)) {
    ++taken_;
    if (inside_ != nullptr) return inside_->on_request(std::move(request), std::move(reply));
    return reply.respond(
        {200, {{"Content-Type", "application/json"}}, dump_json({{"path", request.target}})});
  }
  ++refused_;
  if (known) {
    return reply.respond(refusal(403, "error=\"insufficient_scope\", scope=\"" + scope + "\", "));
  }
  reply.respond(refusal(401, ""));
}

}  // namespace plumbline::fakes
