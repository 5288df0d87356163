#include "core/auth/steps/discovery.h"

#include <utility>

#include "core/auth/steps/addresses.h"
#include "core/base/text.h"

namespace plumbline::auth {

namespace {

constexpr const char* kResourceDocument = "oauth-protected-resource";
constexpr const char* kServerDocument = "oauth-authorization-server";
constexpr const char* kOpenIdDocument = "openid-configuration";

}  // namespace

Discovery::Discovery(wire::Url server, Challenge challenge, mcp::Revision revision)
    : server_(std::move(server)), challenge_(std::move(challenge)), revision_(revision) {
  look_for_resource();
}

// Spec 2025-11-25, basic/authorization, Protected Resource Metadata Discovery Requirements (MUST).
void Discovery::look_for_resource() {
  if (!challenge_.resource_metadata.empty()) candidates_.push_back(challenge_.resource_metadata);
  candidates_.push_back(well_known(server_, kResourceDocument));
  const std::string root = server_.origin() + "/.well-known/" + kResourceDocument;
  if (root != candidates_.back()) candidates_.push_back(root);
}

// Spec 2025-11-25, basic/authorization, Authorization Server Metadata Discovery (MUST).
void Discovery::look_for_server() {
  stage_ = Stage::kServer;
  candidates_.clear();
  const Result<wire::Url> issuer = allowed_url(issuer_, server_);
  if (!issuer.ok())
    return fail(ErrorCode::kInvalidInput, "the authorization server " + issuer.error().message);
  const wire::Url& url = issuer.value();
  candidates_ = {well_known(url, kServerDocument), well_known(url, kOpenIdDocument)};
  const std::string path = path_of(url);
  if (!path.empty()) candidates_.push_back(url.origin() + path + "/.well-known/" + kOpenIdDocument);
}

std::optional<wire::Url> Discovery::next() {
  while (!result_) {
    if (candidates_.empty()) {
      nothing_found();
      continue;
    }
    Result<wire::Url> url = allowed_url(candidates_.front(), server_);
    at_ = clipped(candidates_.front(), 160);
    candidates_.erase(candidates_.begin());
    if (url.ok()) return std::move(url).value();
    fail(ErrorCode::kInvalidInput, "the metadata address " + url.error().message);
  }
  return std::nullopt;
}

void Discovery::take(const Result<wire::HttpResponse>& answer) {
  const auto missed = [&](const std::string& what) {
    missed_ += (missed_.empty() ? "" : ", ") + at_ + " " + what;
  };
  if (!answer.ok()) {
    missed("(" + answer.error().message + ")");
    if (!trouble_) trouble_ = answer.error();
    return;
  }
  const int status = answer.value().status;
  if (status != 200) return missed("(HTTP " + std::to_string(status) + ")");
  const Result<Json> document = read_document(answer.value().body);
  // Some servers answer whatever path with a page.
  if (!document.ok()) return missed("(" + document.error().message + ")");
  if (stage_ == Stage::kResource) {
    take_resource(document.value());
  } else {
    take_server(document.value());
  }
}

void Discovery::take_resource(const Json& document) {
  Result<ResourceMetadata> read = read_resource_metadata(document);
  if (!read.ok())
    return fail(ErrorCode::kInvalidInput,
                "the resource metadata at " + at_ + ": " + read.error().message);
  resource_ = std::move(read).value();
  if (!covers(resource_->resource, server_)) {
    return fail(ErrorCode::kInvalidInput, "the resource metadata is of \"" +
                                              clipped(resource_->resource, 160) + "\", not of " +
                                              canonical_resource(server_) + ", at " + at_);
  }
  issuer_ = resource_->authorization_servers.front();
  look_for_server();
}

// The issuer is compared as it is written: whoever answers at its address says who it is.
//
// Spec RFC 8414, section 3.3 (MUST).
void Discovery::take_server(const Json& document) {
  Result<ServerMetadata> read = read_server_metadata(document);
  if (!read.ok()) {
    return fail(ErrorCode::kInvalidInput,
                "the authorization server metadata at " + at_ + ": " + read.error().message);
  }
  ServerMetadata& metadata = read.value();
  const bool slash = metadata.issuer + "/" == issuer_ || issuer_ + "/" == metadata.issuer;
  // Where nobody has named an issuer, the origin may be of one with a path.
  if (!resource_ && metadata.issuer.starts_with(issuer_ + "/")) issuer_ = metadata.issuer;
  if (metadata.issuer != issuer_) {
    return fail(ErrorCode::kInvalidInput,
                "the metadata is of issuer \"" + clipped(metadata.issuer, 160) +
                    "\", asked for was \"" + clipped(issuer_, 160) + "\"" +
                    (slash ? ": they differ by a slash" : "") + ", at " + at_);
  }
  for (const std::string* const endpoint :
       {&metadata.authorization_endpoint, &metadata.token_endpoint, &metadata.registration_endpoint,
        &metadata.revocation_endpoint}) {
    const Result<wire::Url> allowed =
        endpoint->empty() ? wire::Url() : allowed_url(*endpoint, server_);
    if (!allowed.ok()) {
      return fail(ErrorCode::kInvalidInput,
                  "the metadata at " + at_ + ": " + allowed.error().message);
    }
  }
  found_.server = std::move(metadata);
  finish();
}

// Without resource metadata the server's own origin may be its authorization server, which was the
// rule of 2025-03-26 and of many servers since.
//
// Spec 2025-03-26, basic/authorization, Authorization Base URL and Fallbacks (MUST).
void Discovery::nothing_found() {
  if (stage_ == Stage::kResource) {
    issuer_ = server_.origin();
    return look_for_server();
  }
  if (trouble_) return fail(trouble_->code, "nobody says who gives out tokens: " + missed_);
  if (resource_ || !has_usual_endpoints(revision_)) {
    return fail(ErrorCode::kUnsupported, "nobody says who gives out tokens: " + missed_);
  }
  found_.guessed = true;
  found_.server.issuer = issuer_;
  found_.server.authorization_endpoint = issuer_ + "/authorize";
  found_.server.token_endpoint = issuer_ + "/token";
  found_.server.registration_endpoint = issuer_ + "/register";
  finish();
}

// Spec 2025-11-25, basic/authorization, Scope Selection Strategy (SHOULD).
void Discovery::finish() {
  found_.resource = resource_ ? resource_->resource : canonical_resource(server_);
  found_.scopes = split_scope(challenge_.scope);
  if (found_.scopes.empty() && resource_) found_.scopes = resource_->scopes_supported;
  result_.emplace(found_);
}

void Discovery::fail(ErrorCode code, const std::string& what) {
  result_.emplace(Error{code, what});
}

}  // namespace plumbline::auth
