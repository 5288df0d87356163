// Codes of currencies, languages and countries.

#pragma once

#include <string_view>

namespace plumbline::agents {

// currency_code returns the code of a currency by its English name in lower case: "EUR" of "euros"
// (ISO 4217). Empty: that is none.
std::string_view currency_code(std::string_view word);

// is_code_of returns whether a code, in any case, is that of what a word in lower case names: of a
// currency, of a language ("es" of "spanish", ISO 639-1) or of a country ("jp" of "japan", ISO
// 3166-1).
bool is_code_of(std::string_view code, std::string_view word);

}  // namespace plumbline::agents
