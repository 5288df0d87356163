// Base64 (RFC 4648, section 4).

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plumbline {

std::string encode_base64(std::string_view bytes);

// decode_base64 returns nothing for text with other characters, or without its whole padding.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace plumbline
