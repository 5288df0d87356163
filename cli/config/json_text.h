// Reading the JSON that people write: settings, and the scripts of models. Comments are allowed.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/json/object_reader.h"

namespace plumbline::cli {

// read_json_text gives `read` what stands in `text` and takes the first problem that it finds.
// kInvalidInput: "file:line:column: what, what was expected".
Status read_json_text(
    std::string_view text, const std::string& file_name,
    const std::function<void(const Json& root, std::optional<Problem>& problem)>& read);

}  // namespace plumbline::cli
