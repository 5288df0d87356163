// What came of a command, in words.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::agents::supervisor {

// middle_cut returns `text`; of a longer one the first and the last half of `bytes_max` bytes, with
// a line between them that says how much is left out.
std::string middle_cut(std::string_view text, std::size_t bytes_max);

// command_text returns a result as CommandResult's to_json makes it: the line, how it ended, its
// output up to `bytes_max`, and why it did not run or failed.
std::string command_text(const Json& result, std::size_t bytes_max);

}  // namespace plumbline::agents::supervisor
