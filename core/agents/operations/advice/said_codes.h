// Codes of languages, currencies and countries.

#pragma once

#include <string_view>

namespace plumbline::agents {

// is_code_of returns whether a code, in lower case, is that of what a word names, in English: "es"
// of "spanish" (ISO 639-1), "eur" of "euros" (ISO 4217), "jp" of "japan" (ISO 3166-1).
bool is_code_of(std::string_view code, std::string_view word);

}  // namespace plumbline::agents
