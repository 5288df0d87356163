// Url is an absolute http, https, ws or wss URL taken apart. Boost.URL parses it.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace plumbline::wire {

struct Url {
  std::string scheme;      // Lower case.
  std::string host;        // Without brackets.
  std::uint16_t port = 0;  // The scheme's where none is written.
  std::string target;      // Path and query: "/mcp?x=1"; never empty.

  bool secure() const { return scheme == "https" || scheme == "wss"; }

  // host_header returns "example.com:8080", with the port only where it is not the scheme's.
  std::string host_header() const;

  // origin returns "https://example.com:8080".
  std::string origin() const;

  friend bool operator==(const Url&, const Url&) = default;
};

// parse_url takes `text` apart. kInvalidInput: no URL, another scheme, no host, or user and
// password in it.
Result<Url> parse_url(std::string_view text);

// resolve_url returns `reference` relative to `base`, as RFC 3986 section 5 says.
Result<Url> resolve_url(const Url& base, std::string_view reference);

}  // namespace plumbline::wire
