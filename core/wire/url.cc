#include "core/wire/url.h"

#include <boost/url/src.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "core/base/limits.h"
#include "core/base/text.h"

namespace plumbline::wire {

namespace {

namespace urls = boost::urls;

Error not_a_url(std::string what) { return Error{ErrorCode::kInvalidInput, std::move(what)}; }

std::uint16_t port_of_scheme(std::string_view scheme) {
  if (scheme == "http" || scheme == "ws") return 80;
  return scheme == "https" || scheme == "wss" ? 443 : 0;
}

// is_host_name holds for what a resolver and a Host header can take as it is: no escapes, which two
// readers could understand in two ways.
bool is_host_name(std::string_view host) {
  return !host.empty() && std::ranges::all_of(host, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  });
}

std::optional<std::uint16_t> number_of_port(std::string_view digits) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size() || port == 0) {
    return std::nullopt;
  }
  return port;
}

std::string_view std_view(urls::string_view view) { return {view.data(), view.size()}; }

std::string bracketed(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

Result<Url> url_of(const urls::url_view_base& parts) {
  Url url;
  url.scheme = lower_case(std_view(parts.scheme()));
  url.port = port_of_scheme(url.scheme);
  if (url.port == 0) return not_a_url("the scheme is none of http, https, ws, wss");
  if (parts.has_userinfo()) return not_a_url("a URL must not hold user and password");
  if (parts.host_type() == urls::host_type::ipv6) {
    const std::string_view literal = std_view(parts.encoded_host());
    url.host = lower_case(literal.substr(1, literal.size() - 2));
  } else {
    url.host = lower_case(std_view(parts.encoded_host()));
    if (!is_host_name(url.host)) return not_a_url("the URL names no host");
  }
  if (!parts.port().empty()) {
    const std::optional<std::uint16_t> port = number_of_port(std_view(parts.port()));
    if (!port) return not_a_url("the port is none of 1 to 65535");
    url.port = *port;
  }
  // Boost 1.81 takes "x/" of "http://h:x/" for a path, and keeps ".." above the root.
  std::string_view path = std_view(parts.encoded_path());
  if (!path.empty() && path.front() != '/') return not_a_url("the port is none of 1 to 65535");
  while (path.starts_with("/../")) path.remove_prefix(3);
  url.target = path.empty() || path == "/.." ? "/" : path;
  if (parts.has_query()) url.target.append("?").append(std_view(parts.encoded_query()));
  return url;
}

// without_dots leaves the segments "." and ".." out of an absolute path.
//
// Spec RFC 3986, 5.2.4.
std::string without_dots(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::string_view segment = path.substr(0, std::min(path.find('/', 1), path.size()));
    path.remove_prefix(segment.size());
    if (segment == "/..") out.erase(out.empty() ? 0 : out.rfind('/'));
    if (segment != "/." && segment != "/..") out += segment;
    if (path.empty() && (segment == "/." || segment == "/..")) out += '/';
  }
  return out;
}

bool is_too_long(std::string_view text) { return text.size() > limits::kHttpHeaderBytesMax; }

// is_written_as_url returns whether there are only characters that a URL may have (RFC 3986,
// section 2), brackets only behind "//", and "//" behind a scheme. Boost.URL 1.81 takes others, as
// in "a: " and "a:#", for a mistake of its own and aborts in debug builds.
bool is_written_as_url(std::string_view text) {
  constexpr std::string_view kOthers = "-._~:/?#@!$&'()*+,;=%";
  const std::size_t colon = text.find(':');
  const bool scheme = colon != std::string_view::npos && text.find_first_of("/?#") > colon;
  if (scheme && text.substr(colon + 1, 2) != "//") return false;
  const std::size_t authority = text.find("//");
  if (text.substr(0, authority).find_first_of("[]") != std::string_view::npos) return false;
  return std::ranges::all_of(text, [&](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool bracket = c == '[' || c == ']';
    return letter || bracket || (c >= '0' && c <= '9') || kOthers.find(c) != std::string_view::npos;
  });
}

}  // namespace

std::string Url::host_header() const {
  const std::string name = bracketed(host);
  return port == port_of_scheme(scheme) ? name : name + ":" + std::to_string(port);
}

std::string Url::origin() const { return scheme + "://" + host_header(); }

Result<Url> parse_url(std::string_view text) {
  if (is_too_long(text)) return not_a_url("the URL is too long");
  if (!is_written_as_url(text)) return not_a_url("not an absolute URL");
  const auto parts = urls::parse_uri({text.data(), text.size()});
  if (!parts) return not_a_url("not an absolute URL");
  return url_of(*parts);
}

// Boost's resolve() decodes what is escaped: "%2F" would become a slash.
Result<Url> resolve_url(const Url& base, std::string_view reference) {
  if (is_too_long(reference)) return not_a_url("the URL is too long");
  if (!is_written_as_url(reference)) return not_a_url("not a URL reference");
  const auto parts = urls::parse_uri_reference({reference.data(), reference.size()});
  if (!parts) return not_a_url("not a URL reference");
  if (parts->has_scheme()) return url_of(*parts);
  if (parts->has_authority()) return parse_url(base.scheme + ":" + std::string(reference));
  const std::string_view base_path = std::string_view(base.target).substr(0, base.target.find('?'));
  const std::string_view path = std_view(parts->encoded_path());
  Url url = base;
  if (path.empty()) {
    if (parts->has_query()) url.target = base_path;
  } else if (path.starts_with('/')) {
    url.target = without_dots(path);
  } else {
    const std::string_view folder = base_path.substr(0, base_path.rfind('/') + 1);
    url.target = without_dots(std::string(folder).append(path));
  }
  if (parts->has_query()) url.target.append("?").append(std_view(parts->encoded_query()));
  return url;
}

}  // namespace plumbline::wire
