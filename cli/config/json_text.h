// Reading the JSON that people write: settings, and the scripts of models. Comments, a comma behind
// the last member and a byte order mark are allowed.

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

// without_extras returns `text` without its byte order mark, and spaces in the place of commas
// behind which nothing follows. What stands in strings and comments is left alone.
std::string without_extras(std::string_view text);

}  // namespace plumbline::cli
