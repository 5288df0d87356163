#include "core/agents/operations/request/codes.h"

#include "core/agents/policy/word_table.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

struct Code {
  std::string_view word;
  std::string_view code;
};

constexpr WordTable kCurrencies({Code{"dollar", "USD"}, Code{"dollars", "USD"}, Code{"euro", "EUR"},
                                 Code{"euros", "EUR"}, Code{"francs", "CHF"}, Code{"kronor", "SEK"},
                                 Code{"pound", "GBP"}, Code{"pounds", "GBP"}, Code{"rupees", "INR"},
                                 Code{"sterling", "GBP"}, Code{"yen", "JPY"}, Code{"yuan", "CNY"},
                                 Code{"zloty", "PLN"}});

constexpr WordTable kLanguagesAndCountries(
    {Code{"arabic", "ar"},      Code{"argentina", "ar"},  Code{"australia", "au"},
     Code{"austria", "at"},     Code{"belgium", "be"},    Code{"bengali", "bn"},
     Code{"brazil", "br"},      Code{"bulgarian", "bg"},  Code{"canada", "ca"},
     Code{"catalan", "ca"},     Code{"chile", "cl"},      Code{"china", "cn"},
     Code{"chinese", "zh"},     Code{"colombia", "co"},   Code{"croatian", "hr"},
     Code{"czech", "cs"},       Code{"danish", "da"},     Code{"denmark", "dk"},
     Code{"dutch", "nl"},       Code{"egypt", "eg"},      Code{"england", "gb"},
     Code{"english", "en"},     Code{"estonian", "et"},   Code{"finland", "fi"},
     Code{"finnish", "fi"},     Code{"france", "fr"},     Code{"french", "fr"},
     Code{"german", "de"},      Code{"germany", "de"},    Code{"greece", "gr"},
     Code{"greek", "el"},       Code{"hebrew", "he"},     Code{"hindi", "hi"},
     Code{"hungarian", "hu"},   Code{"hungary", "hu"},    Code{"iceland", "is"},
     Code{"india", "in"},       Code{"indonesia", "id"},  Code{"indonesian", "id"},
     Code{"ireland", "ie"},     Code{"irish", "ga"},      Code{"israel", "il"},
     Code{"italian", "it"},     Code{"italy", "it"},      Code{"japan", "jp"},
     Code{"japanese", "ja"},    Code{"kenya", "ke"},      Code{"korean", "ko"},
     Code{"latvian", "lv"},     Code{"lithuanian", "lt"}, Code{"luxembourg", "lu"},
     Code{"malay", "ms"},       Code{"mexico", "mx"},     Code{"morocco", "ma"},
     Code{"netherlands", "nl"}, Code{"nigeria", "ng"},    Code{"norway", "no"},
     Code{"norwegian", "no"},   Code{"persian", "fa"},    Code{"peru", "pe"},
     Code{"philippines", "ph"}, Code{"poland", "pl"},     Code{"polish", "pl"},
     Code{"portugal", "pt"},    Code{"portuguese", "pt"}, Code{"romania", "ro"},
     Code{"romanian", "ro"},    Code{"russia", "ru"},     Code{"russian", "ru"},
     Code{"serbian", "sr"},     Code{"singapore", "sg"},  Code{"slovak", "sk"},
     Code{"slovakia", "sk"},    Code{"slovenia", "si"},   Code{"slovenian", "sl"},
     Code{"spain", "es"},       Code{"spanish", "es"},    Code{"swahili", "sw"},
     Code{"sweden", "se"},      Code{"swedish", "sv"},    Code{"switzerland", "ch"},
     Code{"taiwan", "tw"},      Code{"tamil", "ta"},      Code{"thai", "th"},
     Code{"thailand", "th"},    Code{"turkey", "tr"},     Code{"turkish", "tr"},
     Code{"uk", "gb"},          Code{"ukraine", "ua"},    Code{"ukrainian", "uk"},
     Code{"urdu", "ur"},        Code{"usa", "us"},        Code{"vietnam", "vn"},
     Code{"vietnamese", "vi"},  Code{"welsh", "cy"}});

}  // namespace

std::string_view currency_code(std::string_view word) {
  const Code* const found = kCurrencies.find(word);
  return found != nullptr ? found->code : std::string_view();
}

bool is_code_of(std::string_view code, std::string_view word) {
  const Code* const found = kLanguagesAndCountries.find(word);
  return equals_ignoring_case(code, found != nullptr ? found->code : currency_code(word)) &&
         !code.empty();
}

}  // namespace plumbline::agents
