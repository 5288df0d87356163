#include "core/model/providers/media.h"

#include <algorithm>

namespace plumbline::model {

bool is_image(std::string_view mime_type) { return mime_type.starts_with("image/"); }

std::string_view audio_format(std::string_view mime_type) {
  if (mime_type == "audio/wav" || mime_type == "audio/x-wav" || mime_type == "audio/wave") {
    return "wav";
  }
  if (mime_type == "audio/mpeg" || mime_type == "audio/mp3") return "mp3";
  return {};
}

std::string data_url(const Media& media) {
  return "data:" + media.mime_type + ";base64," + media.data_base64;
}

bool is_strict(const Json& schema) {
  if (schema.is_array()) return std::ranges::all_of(schema, is_strict);
  if (!schema.is_object()) return true;
  const Json* const properties = find(schema, "properties");
  if (properties != nullptr || string_or(schema, "type", "") == "object") {
    if (bool_or(schema, "additionalProperties", true)) return false;
    const Json* const required = find(schema, "required");
    const std::size_t all = properties == nullptr ? 0 : properties->size();
    if (all > 0 && (required == nullptr || required->size() < all)) return false;
  }
  return std::ranges::all_of(schema, is_strict);
}

}  // namespace plumbline::model
