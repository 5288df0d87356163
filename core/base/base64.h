// Base64 (RFC 4648, section 4), and the one for URLs (section 5), without padding.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plumbline {

std::string encode_base64(std::string_view bytes);

// decode_base64 returns nothing for text with other characters, or without its whole padding.
std::optional<std::string> decode_base64(std::string_view text);

std::string encode_base64url(std::string_view bytes);

// decode_base64url returns nothing for text with other characters, padding among them, or of a
// length that there is not.
std::optional<std::string> decode_base64url(std::string_view text);

}  // namespace plumbline
