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
  const bool known = !script_.refuses_all && tokens_.accepts(token, url_, "");
  if (known && tokens_.accepts(token, url_, script_.scope)) {
    ++taken_;
    return reply.respond(
        {200, {{"Content-Type", "application/json"}}, dump_json({{"path", request.target}})});
  }
  ++refused_;
  if (known) {
    return reply.respond(
        refusal(403, "error=\"insufficient_scope\", scope=\"" + script_.scope + "\", "));
  }
  reply.respond(refusal(401, ""));
}

}  // namespace plumbline::fakes
