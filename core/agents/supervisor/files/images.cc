#include "core/agents/supervisor/files/images.h"

#include <optional>
#include <utility>

#include "core/agents/supervisor/files/image_types.h"
#include "core/agents/supervisor/files/named_files.h"
#include "core/base/base64.h"
#include "core/base/text.h"

namespace plumbline::agents::supervisor {

namespace {

constexpr std::string_view kDataUrl = "data:";
constexpr std::string_view kBase64Mark = ";base64,";
constexpr std::size_t kLabelBytes = 40;

Result<std::string> bytes_of_url(const std::string& name) {
  const std::size_t mark = name.find(kBase64Mark);
  std::optional<std::string> bytes;
  if (mark != std::string::npos) {
    bytes = decode_base64(std::string_view(name).substr(mark + kBase64Mark.size()));
  }
  if (bytes) return *std::move(bytes);
  return Error{ErrorCode::kInvalidInput, "it is no data: URL of base64"};
}

}  // namespace

Result<model::Media> read_image(const std::string& name, SupervisorServices& services) {
  Result<std::string> bytes =
      name.starts_with(kDataUrl) ? bytes_of_url(name) : read_named_file(name, services);
  if (!bytes.ok()) return bytes.error();
  const std::string_view type = image_type(bytes.value());
  if (type.empty()) {
    return Error{ErrorCode::kInvalidInput, "it is no image of PNG, JPEG, GIF or WebP"};
  }
  if (bytes.value().size() > kImageBytesMax) {
    return Error{ErrorCode::kLimitReached, "it has " + std::to_string(bytes.value().size()) +
                                               " bytes, more than " +
                                               std::to_string(kImageBytesMax)};
  }
  return model::Media{std::string(type), encode_base64(bytes.value())};
}

std::string image_label(const std::string& name) {
  return name.starts_with(kDataUrl) ? clipped(name, kLabelBytes) : name;
}

}  // namespace plumbline::agents::supervisor
