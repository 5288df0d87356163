#include "core/auth/steps/belonging.h"

#include <algorithm>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/base/text.h"
#include "core/wire/url.h"

namespace plumbline::auth {

namespace {

constexpr std::size_t kShownBytesMax = 160;

std::string_view without_slash(std::string_view url) {
  if (url.ends_with('/')) url.remove_suffix(1);
  return url;
}

// origin_of returns the origin of a URL, and of any other text the text itself.
std::string origin_of(const std::string& url) {
  const Result<wire::Url> read = wire::parse_url(url);
  return read.ok() ? read.value().origin() : url;
}

}  // namespace

Status check_stated(const ClientOptions& client) {
  const bool secret = !client.client_secret.empty();
  if (client.client_id.empty() || !client.issuer.empty()) return Done();
  if (!secret && client.private_key.empty()) return Done();
  return the_error("auth.secret-of-whom", secret ? "secret" : "key");
}

Status check_issuer(const ClientOptions& client, const std::string& issuer,
                    const std::string& server) {
  if (client.issuer.empty() || without_slash(client.issuer) == without_slash(issuer)) return Done();
  return the_error_as(ErrorCode::kUnsupported, "auth.client-of-another", server,
                      clipped(issuer, kShownBytesMax), client.issuer);
}

std::vector<Elsewhere> doubtful_endpoints(const ServerMetadata& server,
                                          const ClientOptions& client) {
  std::vector<Elsewhere> doubtful;
  if (client.person && server.sends_issuer) return doubtful;
  const std::pair<const char*, const std::string*> all[] = {
      {"authorization_endpoint", &server.authorization_endpoint},
      {"token_endpoint", &server.token_endpoint},
      {"registration_endpoint", &server.registration_endpoint},
      {"revocation_endpoint", &server.revocation_endpoint}};
  const std::string home = origin_of(server.issuer);
  for (const auto& [name, url] : all) {
    const bool used = client.person || url != &server.authorization_endpoint;
    if (url->empty() || !used) continue;
    std::string origin = origin_of(*url);
    const auto is_it = [&](const std::string& agreed) { return origin_of(agreed) == origin; };
    if (origin == home || std::ranges::any_of(client.endpoint_origins, is_it)) continue;
    doubtful.push_back({name, *url, std::move(origin)});
  }
  return doubtful;
}

std::string question_about(const ServerMetadata& server, const std::vector<Elsewhere>& doubtful) {
  std::string text = "The authorization server of this sign-in has endpoints at another origin:\n";
  const auto add = [&text](const std::string& name, const std::string& url) {
    text += "  " + name + ":" + std::string(25 - std::min<std::size_t>(name.size(), 24), ' ') +
            clipped(url, kShownBytesMax) + "\n";
  };
  add("issuer", server.issuer);
  for (const Elsewhere& one : doubtful) add(one.name, one.url);
  return text +
         "It does not promise to say who it is when the browser comes back (iss, RFC 9207), so a "
         "sign-in\nat one of the two could be used by the other. Do they belong together?";
}

Error doubt_about(const ServerMetadata& server, const std::vector<Elsewhere>& doubtful) {
  std::string origins;
  for (const Elsewhere& one : doubtful) {
    const std::string option = " --endpoint-origin " + clipped(one.origin, kShownBytesMax);
    if ((origins + " ").find(option + " ") == std::string::npos) origins += option;
  }
  const Elsewhere& first = doubtful.front();
  return the_error_as(ErrorCode::kUnsupported, "auth.endpoint-elsewhere",
                      clipped(server.issuer, kShownBytesMax), first.name,
                      clipped(first.origin, kShownBytesMax), origins);
}

}  // namespace plumbline::auth
