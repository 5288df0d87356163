// Secrets that a text names: password=..., "api_key": "...", Authorization: ..., --token ...,
// curl -u user:password, postgres://user:password@host, https://host/?code=....

#pragma once

#include <string_view>
#include <vector>

#include "core/base/secrets/secret_finder.h"
#include "core/base/secrets/secret_names.h"

namespace plumbline {

// Named is where a named secret stands. `quote` is what it has to be put into where it stood in
// JSON without, as a number does; empty: nothing.
struct Named : Span {
  std::string_view quote;
};

// add_named_secrets adds the secrets that `text` names: prose, a URL, a form, a command line, JSON
// escaped however often. Takes time in proportion to it.
void add_named_secrets(std::string_view text, const NameRule& rule, std::vector<Named>& found);

}  // namespace plumbline
