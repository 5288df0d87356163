// Images that a request names, for models that take them.

#pragma once

#include <cstddef>
#include <string>

#include "core/agents/supervisor/supervisor_services.h"
#include "core/base/result.h"
#include "core/model/model.h"

namespace plumbline::agents::supervisor {

inline constexpr std::size_t kImageBytesMax = std::size_t{5} << 20U;  // Of one.
inline constexpr std::size_t kImagesMax = 8;                          // Of one question.

// read_image returns the image that `name` stands for: a file, as read_named_file reads one, or a
// "data:" URL of base64. kInvalidInput: it is none, kLimitReached: it has too many bytes.
Result<model::Media> read_image(const std::string& name, SupervisorServices& services);

// image_label returns what people are told of it: a path as it is, of a URL its beginning.
std::string image_label(const std::string& name);

}  // namespace plumbline::agents::supervisor
