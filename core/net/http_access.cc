#include "core/net/http_access.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/base/text.h"
#include "core/wire/url.h"

namespace plumbline::net {

namespace {

bool is_number(std::string_view text, unsigned max) {
  unsigned number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, failed] = std::from_chars(text.data(), end, number);
  return failed == std::errc() && stopped == end && number <= max;
}

bool is_name(std::string_view host) {
  return !host.empty() && std::ranges::all_of(host, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  });
}

bool is_literal(std::string_view host) {
  return host.find(':') != std::string_view::npos &&
         host.find_first_not_of("0123456789abcdef:.") == std::string_view::npos;
}

// host_of returns the host of "HOST[:PORT]" in small letters and without brackets; nothing: the
// text is something else, such as "user@host".
std::optional<std::string> host_of(std::string_view authority) {
  const std::size_t bracket = authority.find(']');
  const bool bracketed = authority.starts_with('[') && bracket != std::string_view::npos;
  const std::size_t end = bracketed ? bracket + 1 : std::min(authority.find(':'), authority.size());
  const std::string_view port = authority.substr(end);
  if (!port.empty() && (port.front() != ':' || !is_number(port.substr(1), 65'535))) {
    return std::nullopt;
  }
  std::string host = lower_case(authority.substr(0, end));
  if (bracketed) host = host.substr(1, host.size() - 2);
  return (bracketed ? is_literal(host) : is_name(host)) ? std::optional(host) : std::nullopt;
}

bool is_ipv4(std::string_view host) {
  for (int part = 0; part < 4; ++part) {
    const std::size_t dot = std::min(host.find('.'), host.size());
    if (!is_number(host.substr(0, dot), 255)) return false;
    if ((dot == host.size()) != (part == 3)) return false;
    host.remove_prefix(std::min(dot + 1, host.size()));
  }
  return true;
}

// is_private holds for what no owner of a domain can point at us: an address, a name without a dot,
// and names below the domains that are kept for private networks.
bool is_private(std::string_view host) {
  constexpr auto kKept =
      std::to_array<std::string_view>({".localhost", ".local", ".internal", ".home.arpa"});
  if (is_literal(host) || is_ipv4(host)) return true;
  if (host.find('.') == std::string_view::npos) return true;
  return std::ranges::any_of(kKept, [host](std::string_view end) { return host.ends_with(end); });
}

bool lists(const std::vector<std::string>& hosts, std::string_view host) {
  return std::ranges::any_of(
      hosts, [host](const std::string& one) { return equals_ignoring_case(one, host); });
}

// is_known returns whether Host may be `authority`; not by any_host.
bool is_known(std::string_view authority, const HttpAccess& access) {
  const std::optional<std::string> host = host_of(authority);
  if (!host) return false;
  return lists(access.hosts, *host) || (access.private_hosts && is_private(*host));
}

// without_port returns `authority` in small letters, without the port that its scheme has anyway.
std::string without_port(std::string_view authority, std::string_view scheme) {
  std::string out = lower_case(authority);
  const std::string_view port = scheme == "https" ? ":443" : ":80";
  if (out.ends_with(port)) out.resize(out.size() - port.size());
  return out;
}

bool is_origin_allowed(std::string_view origin, std::string_view own, const HttpAccess& access) {
  if (access.any_origin || std::ranges::find(access.origins, origin) != access.origins.end()) {
    return true;
  }
  const std::size_t colon = origin.find("://");
  const std::string_view scheme = origin.substr(0, std::min(colon, origin.size()));
  if (scheme != "http" && scheme != "https") return false;
  const std::string_view authority = origin.substr(colon + 3);
  const std::optional<std::string> host = host_of(authority);
  if (!host) return false;
  if (access.host_origins && lists(access.hosts, *host)) return true;
  return is_known(own, access) && without_port(authority, scheme) == without_port(own, scheme);
}

// is_sent_by_other_site returns whether a browser says that another site has it send `request`,
// which has no Origin: an image, a script, a form or a link.
//
// Source: W3C Fetch Metadata Request Headers.
bool is_sent_by_other_site(const wire::HttpRequest& request, const HttpAccess& access) {
  bool other = false;
  for (const auto& [name, value] : request.headers.fields()) {
    if (!equals_ignoring_case(name, "Sec-Fetch-Site")) continue;
    other = other || (value != "same-origin" && value != "none");
  }
  if (!other || access.any_origin) return false;
  const bool shows = request.method == "GET" &&
                     request.headers.get("Sec-Fetch-Mode") == "navigate" &&
                     request.headers.get("Sec-Fetch-Dest") == "document";
  return !(access.pages && shows);
}

// make_path turns a target in absolute form into a path.
std::optional<Stranger> make_path(wire::HttpRequest& request) {
  if (request.target.starts_with('/') || request.target == "*") return std::nullopt;
  const Result<wire::Url> url = wire::parse_url(request.target);
  if (!url.ok()) return Stranger{400, "the request target is neither a path nor a URL"};
  const std::string named = url.value().host_header();
  const std::string_view host = request.headers.get("Host").value_or(named);
  if (without_port(host, url.value().scheme) != without_port(named, url.value().scheme)) {
    return Stranger{400, "the request target and Host name two hosts"};
  }
  request.headers.set("Host", named);
  request.target = url.value().target;
  return std::nullopt;
}

bool is_probe(const wire::HttpRequest& request, const HttpAccess& access) {
  if (request.method != "GET" && request.method != "HEAD") return false;
  const std::string_view path =
      std::string_view(request.target).substr(0, request.target.find('?'));
  return std::ranges::find(access.probes, path) != access.probes.end();
}

}  // namespace

HttpAccess HttpAccess::at(const std::string& host) {
  HttpAccess access;
  access.listens_at(host);
  return access;
}

HttpAccess HttpAccess::anybody() {
  HttpAccess access;
  access.any_host = access.any_origin = true;
  return access;
}

void HttpAccess::listens_at(const std::string& host) {
  const bool everywhere = !host.empty() && host.find_first_not_of("0.:") == std::string::npos;
  if (!everywhere) return hosts.push_back(host);
  private_hosts = !only_hosts;
}

std::optional<Stranger> refuse_stranger(wire::HttpRequest& request, const HttpAccess& access) {
  if (const auto wrong = make_path(request)) return wrong;
  const std::string_view host = request.headers.get("Host").value_or("");
  if (request.headers.count("Origin") > 1) return Stranger{400, "more than one Origin"};
  if (const auto origin = request.headers.get("Origin")) {
    if (!is_origin_allowed(*origin, host, access)) return Stranger{403, "this Origin may not call"};
  } else if (is_sent_by_other_site(request, access)) {
    return Stranger{403, "pages of other sites may not call"};
  }
  if (access.any_host || is_known(host, access) || is_probe(request, access)) return std::nullopt;
  return Stranger{403, "this Host is not served"};
}

}  // namespace plumbline::net
