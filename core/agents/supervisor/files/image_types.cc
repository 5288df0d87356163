#include "core/agents/supervisor/files/image_types.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "core/base/text.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::size_t kWebpAt = 8;

}  // namespace

bool is_image_name(std::string_view file) {
  static constexpr std::array<std::string_view, 5> kEndings = {".png", ".jpg", ".jpeg", ".gif",
                                                               ".webp"};
  const std::string low = lower_case(file);
  return std::ranges::any_of(kEndings, [&](std::string_view end) { return low.ends_with(end); });
}

std::string_view image_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  if (bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) return "image/gif";
  const bool riff = bytes.starts_with("RIFF") && bytes.size() > kWebpAt;
  if (riff && bytes.substr(kWebpAt).starts_with("WEBP")) return "image/webp";
  return {};
}

}  // namespace plumbline::agents::supervisor
