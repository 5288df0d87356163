// Sealed state is what a server gives a client to carry and wants back unchanged.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::mcp {

// hmac_sha256 returns HMAC-SHA256 (RFC 2104) of `text` as 64 lower-case hex digits.
std::string hmac_sha256(std::string_view secret, std::string_view text);

// seal returns text that holds `content`, readable by anybody and forgeable by nobody without
// `secret`.
std::string seal(std::string_view secret, const Json& content);

// unseal returns the content, nothing for text that seal() with this secret did not make.
std::optional<Json> unseal(std::string_view secret, std::string_view text);

}  // namespace plumbline::mcp
