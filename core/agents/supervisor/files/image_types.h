// Which files are images.

#pragma once

#include <string_view>

namespace plumbline::agents::supervisor {

// is_image_name returns whether the name of a file says that it is an image.
bool is_image_name(std::string_view file);

// image_type returns what the first bytes of a file say that it is: "image/png", "image/jpeg",
// "image/gif" or "image/webp". Empty: none of them.
std::string_view image_type(std::string_view bytes);

}  // namespace plumbline::agents::supervisor
