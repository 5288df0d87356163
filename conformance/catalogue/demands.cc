#include "conformance/catalogue/demands.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace plumbline::conformance {

namespace {

constexpr std::size_t kWordsBefore = 6;  // Of a name: in them it is said to be missing.

// Words of a demand: what may stand before its name, and how it may end.
constexpr std::array<std::string_view, 17> kDemanded = {
    "required", "parameter", "argument",   "field",     "property",  "value",
    "input",    "option",    "the",        "arguments", "fields",    "parameters",
    "options",  "creator",   "properties", "including", "following",
};
constexpr std::array<std::string_view, 5> kGiven = {"given", "provided", "specified", "set",
                                                    "present"};
constexpr std::array<std::string_view, 9> kConditions = {
    "either", "or", "when", "if", "unless", "least", "both", "exactly", "with"};

bool stands_in(std::string_view word, const auto& words) {
  return std::ranges::find(words, word) != words.end();
}

std::string_view word_at(const std::vector<std::string>& words, std::size_t at) {
  return at < words.size() ? std::string_view(words[at]) : std::string_view();
}

}  // namespace

bool is_demanded(const std::vector<std::string>& words, std::size_t at) {
  const std::string_view behind = word_at(words, at + 1);
  // Pydantic: "to\n  Field required", "to\n  Missing required argument".
  const bool skips = behind == "is" || behind == "are" || behind == "field" || behind == "missing";
  if (word_at(words, skips ? at + 2 : at + 1) == "required") return true;
  if (behind == "must" && word_at(words, at + 2) == "be") {
    return stands_in(word_at(words, at + 3), kGiven);
  }
  for (std::size_t i = at; i > 0 && at - i < kWordsBefore; --i) {
    if (words[i - 1] == "missing") return true;
    if (!stands_in(words[i - 1], kDemanded)) return false;
  }
  return false;
}

bool depends_on_something(const std::vector<std::string>& words) {
  for (std::size_t at = 0; at < words.size(); ++at) {
    // Kotlin: "Field 'to' is required for type with serial name 'Move', but it was missing".
    const bool of_type = word_at(words, at + 1) == "serial" && word_at(words, at + 2) == "name";
    if (stands_in(words[at], kConditions) && !of_type) return true;
  }
  return false;
}

}  // namespace plumbline::conformance
