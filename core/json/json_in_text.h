// Secrets in JSON that stands within a text, maybe escaped: those that only its structure tells, as
// {"command": "sshpass", "args": ["-p", ...]}.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/secrets/secret_search.h"
#include "core/json/json.h"

namespace plumbline {

// Hiding is how secrets are hidden: in a value, whose texts are taken for no JSON, and the name
// that stands in place of one.
struct Hiding {
  std::function<void(Json& value)> hide;
  std::function<std::string(std::string_view secret)> name;
};

// secrets_in_json returns the texts and keys that `hiding` hides whole in objects within `text`,
// as they stand there without escapes. Takes time in proportion to the text.
std::vector<std::string> secrets_in_json(std::string_view text, const Hiding& hiding);

// keep_within_strings takes out of what was `found`, in order, what goes from one string to
// another, where the text is JSON: what is said there is told by its structure, and JSON it stays.
void keep_within_strings(std::string_view text, std::vector<Named>& found);

}  // namespace plumbline
