#include "core/auth/steps/addresses.h"

#include <array>
#include <charconv>
#include <optional>

#include "core/base/text.h"

namespace plumbline::auth {

namespace {

using Octets = std::array<unsigned, 4>;

std::optional<Octets> octets_of(std::string_view host) {
  Octets octets{};
  const char* at = host.data();
  const char* const end = at + host.size();
  for (std::size_t i = 0; i < octets.size(); ++i) {
    if (i > 0 && (at == end || *at++ != '.')) return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, octets[i]);
    if (error != std::errc() || octets[i] > 255) return std::nullopt;
    at = next;
  }
  return at == end ? std::optional(octets) : std::nullopt;
}

bool is_number(std::string_view host) {
  return !host.empty() && host.find_first_not_of("0123456789abcdefx.") == std::string::npos &&
         host.find_first_of("0123456789") != std::string::npos &&
         host.substr(host.rfind('.') + 1).find_first_of("0123456789") == 0;
}

bool is_private_v4(const Octets& o) {
  return o[0] == 0 || o[0] == 10 || o[0] == 127 || o[0] >= 224 || (o[0] == 169 && o[1] == 254) ||
         (o[0] == 172 && o[1] >= 16 && o[1] < 32) || (o[0] == 192 && o[1] == 168) ||
         (o[0] == 100 && o[1] >= 64 && o[1] < 128) || (o[0] == 198 && (o[1] & 0xfeU) == 18);
}

}  // namespace

bool is_loopback(std::string_view host) {
  const std::optional<Octets> octets = octets_of(host);
  return (octets && (*octets)[0] == 127) || host == "::1" || host == "localhost" ||
         host.ends_with(".localhost");
}

// Of IPv6 only what begins with 2 or 3 is given out; what maps IPv4 addresses is not among it.
bool is_private(std::string_view host) {
  if (is_loopback(host) || host.ends_with(".local") || host.ends_with(".internal")) return true;
  if (host.find(':') != std::string::npos) {
    const std::size_t first = host.find(':');
    return !(first == 4 && (host[0] == '2' || host[0] == '3'));
  }
  const std::optional<Octets> octets = octets_of(host);
  // Other ways to write a number, such as 0x7f000001, are nobody's public address.
  return octets ? is_private_v4(*octets) : is_number(host);
}

wire::Url as_http(wire::Url url) {
  if (url.scheme == "ws") url.scheme = "http";
  if (url.scheme == "wss") url.scheme = "https";
  return url;
}

Result<wire::Url> allowed_url(std::string_view text, const wire::Url& from) {
  Result<wire::Url> url = wire::parse_url(text);
  const std::string shown = "\"" + clipped(text, 160) + "\" ";
  if (!url.ok())
    return Error{ErrorCode::kInvalidInput, shown + "is no address: " + url.error().message};
  const wire::Url& to = url.value();
  if (to.scheme != "https" && !(to.scheme == "http" && is_loopback(to.host))) {
    return Error{ErrorCode::kInvalidInput, shown + "is not https"};
  }
  if (is_private(to.host) && !is_private(from.host)) {
    return Error{ErrorCode::kInvalidInput,
                 shown + "is a private address, which " + from.host + " must not lead to"};
  }
  return url;
}

std::string canonical_resource(const wire::Url& server) {
  return server.origin() + (server.target == "/" ? "" : server.target);
}

bool covers(std::string_view resource, const wire::Url& server) {
  const Result<wire::Url> url = wire::parse_url(resource);
  if (!url.ok() || url.value().origin() != server.origin()) return false;
  const std::string above = path_of(url.value());
  const std::string below = path_of(server);
  return below.starts_with(above) && (below.size() == above.size() || below[above.size()] == '/');
}

std::string path_of(const wire::Url& url) {
  std::string path = url.target.substr(0, url.target.find('?'));
  if (path.ends_with('/')) path.pop_back();
  return path;
}

std::string well_known(const wire::Url& url, std::string_view name) {
  return url.origin() + "/.well-known/" + std::string(name) + path_of(url);
}

}  // namespace plumbline::auth
