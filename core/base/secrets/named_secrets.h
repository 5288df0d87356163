// Secrets that a text names: password=..., "api_key": "...", Authorization: ..., --token ...,
// curl -u user:password, postgres://user:password@host, https://host/?code=....

#pragma once

#include <string_view>
#include <vector>

#include "core/base/secrets/secret_finder.h"
#include "core/base/secrets/secret_names.h"

namespace plumbline {

// add_named_secrets adds the secrets that `text` names: prose, a URL, a form, a command line, JSON
// escaped however often. Takes time in proportion to it.
void add_named_secrets(std::string_view text, const NameRule& rule, std::vector<Named>& found);

}  // namespace plumbline
