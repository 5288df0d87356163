#include "cli/serving.h"

#include <algorithm>
#include <vector>

#include "cli/options/usage.h"
#include "core/auth/steps/addresses.h"
#include "core/auth/steps/metadata.h"
#include "core/mcp/protocol/revision.h"
#include "core/os/random.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kSessionIdBytes = 16;

Error wrong_auth(const std::string& what) {
  return usage("--auth: " + what +
               "; expected jwks=URL|FILE,issuer=URL[,audience=URL][,scope=S]...");
}

}  // namespace

Result<ServingAuth> read_auth(const std::string& text) {
  ServingAuth read;
  for (std::size_t at = 0; at <= text.size();) {
    const std::string field = text.substr(at, text.find(',', at) - at);
    at += field.size() + 1;
    const std::size_t equals = std::min(field.find('='), field.size());
    const std::string name = field.substr(0, equals);
    const std::string value = field.substr(std::min(equals + 1, field.size()));
    if (value.empty()) return wrong_auth("nothing is said of \"" + name + "\"");
    if (name == "jwks") {
      read.jwks = value;
    } else if (name == "issuer") {
      read.options.issuer = value;
    } else if (name == "audience") {
      read.options.audience = value;
    } else if (name == "scope") {
      read.options.scopes.push_back(value);
    } else {
      return wrong_auth("nobody knows \"" + name + "\"");
    }
  }
  if (read.jwks.empty() || read.options.issuer.empty()) {
    return wrong_auth("it does not say whose tokens are good");
  }
  return read;
}

Result<std::unique_ptr<Door>> Door::open(const ServingAuth& auth, Host& host) {
  os::RealLoop& loop = host.world().loop();
  const bool is_url = auth.jwks.find("://") != std::string::npos;
  if (is_url) {
    const Result<wire::Url> url = wire::parse_url(auth.jwks);
    if (!url.ok()) return wrong_auth("jwks=" + auth.jwks + ": " + url.error().message);
    // Whoever stands between could put their own keys there.
    const Result<wire::Url> allowed = auth::allowed_url(auth.jwks, url.value());
    if (!allowed.ok()) return wrong_auth("jwks: " + allowed.error().message);
    return std::make_unique<Door>(
        std::make_unique<auth::KeySource>(loop, host.world().network(), url.value()), auth.options);
  }
  const Result<std::string> text = host.files().read_file(auth.jwks);
  if (!text.ok()) return text.error();
  const Result<Json> document = auth::read_document(text.value());
  if (!document.ok()) return wrong_auth("jwks=" + auth.jwks + ": " + document.error().message);
  Result<std::vector<auth::VerifyingKey>> keys = auth::read_key_set(document.value());
  if (!keys.ok()) return wrong_auth("jwks=" + auth.jwks + ": " + keys.error().message);
  return std::make_unique<Door>(std::make_unique<auth::KeySource>(loop, std::move(keys).value()),
                                auth.options);
}

transport::WebServerOptions web_options(const ServingPlace& place) {
  transport::WebServerOptions web;
  web.transport = place.over;
  web.at = place.at;
  web.tls = place.tls;
  web.new_session_id = [] { return os::random_token(kSessionIdBytes); };
  // Whoever calls names the place where we listen. One that is every address has no such name.
  const std::string& host = place.at.host;
  web.access.hosts.push_back(host);
  if (host == "0.0.0.0" || host == "::") web.access.hosts.clear();
  for (const mcp::Revision revision : mcp::all_revisions()) {
    auto& versions = mcp::is_stateless(revision) ? web.stateless_versions : web.stateful_versions;
    versions.emplace_back(mcp::name_of(revision));
  }
  return web;
}

}  // namespace plumbline::cli
