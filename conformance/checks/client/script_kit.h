// What many scripts do alike.

#pragma once

#include <string>
#include <utility>

#include "conformance/checks/client/rule_kit.h"
#include "conformance/peer/client/scenario.h"

namespace plumbline::conformance {

// went_on says whether the client, once it had been told something odd, went on to call the tool
// `tool`, whose name it could only have read afterwards. `oddity` says what it was told.
Finding went_on(const Record& record, std::string_view tool, const std::string& oddity);

// at_most_risky makes a warning of what is broken.
Finding at_most_risky(Finding finding);

// notification returns a message of the server's.
Json notification(std::string method, Json params);

// form_of returns the params of an elicitation/create with one field.
Json form_params(std::string message);

// fresh_text returns `length` letters.
std::string letters(std::size_t length);

// json_text returns what `text` means; null for what is no JSON. For scripts.
Json json_of(std::string_view text);

// never_came is the Finding for a client that never came to what a scenario is about: the rule does
// not apply, or, where it comes further with others, cannot be told.
Finding never_came(const Record& record, const std::string& what);

}  // namespace plumbline::conformance
