// Sensitive: what not everybody may see. Reading changes nothing, but what was read is shown, sent
// to models and kept, so a person decides first.

#pragma once

#include <string_view>

#include "core/json/json.h"

namespace plumbline::agents {

// SensitiveIn says where a text stands. A word that settles it in a request ("my private notes")
// says little where a server describes what it can do ("public and private repositories").
enum class SensitiveIn { kName, kDescription, kRequest };

// speaks_of_sensitive_data returns whether a word of `text`, or two that belong together ("API
// keys"), name what not everybody may see: passwords, salaries, diagnoses, an environment. The
// names of files of source code in a request do not ("src/password_field.tsx").
bool speaks_of_sensitive_data(std::string_view text, SensitiveIn place);

// names_secret_file returns whether `text` holds the path or URI of a file that usually keeps
// secrets: "~/.ssh/id_ed25519", "file:///srv/%2Eenv", "C:\keys\server.pem". Letter case, quotes and
// percent-encoding do not matter.
bool names_secret_file(std::string_view text);

// asks_for_sensitive_data returns whether one of the strings in `arguments` does either.
bool asks_for_sensitive_data(const Json& arguments);

}  // namespace plumbline::agents
