// Secrets in JSON that stands within a text, maybe escaped: those that only its structure tells, as
// {"command": "sshpass", "args": ["-p", ...]}.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json/redactor.h"

namespace plumbline {

// secrets_in_json returns the texts and keys that `redactor` hides whole in objects within `text`,
// as they stand there without escapes. Takes time in proportion to the text.
std::vector<std::string> secrets_in_json(std::string_view text, const Redactor& redactor);

}  // namespace plumbline
