#include "core/agents/operations/advice/said_words.h"

#include <algorithm>
#include <cctype>

#include "core/agents/policy/letters.h"
#include "core/agents/policy/word_table.h"
#include "core/base/real_number.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

struct Number {
  std::string_view word;
  double number;
};

constexpr WordTable kNumbers(
    {Number{"a", 1},         Number{"an", 1},       Number{"dozen", 12},      Number{"eight", 8},
     Number{"eighty", 80},   Number{"eleven", 11},  Number{"fifteen", 15},    Number{"fifty", 50},
     Number{"five", 5},      Number{"forty", 40},   Number{"four", 4},        Number{"half", 0.5},
     Number{"hundred", 100}, Number{"nine", 9},     Number{"ninety", 90},     Number{"one", 1},
     Number{"seven", 7},     Number{"seventy", 70}, Number{"six", 6},         Number{"sixty", 60},
     Number{"ten", 10},      Number{"thirty", 30},  Number{"thousand", 1000}, Number{"three", 3},
     Number{"twelve", 12},   Number{"twenty", 20},  Number{"two", 2},         Number{"zero", 0}});

bool is_of_word(char sign) {
  return std::isalnum(static_cast<unsigned char>(sign)) != 0 ||
         static_cast<unsigned char>(sign) >= 0x80;
}

// without_ending returns the digits of an ordinal: "3" of "3rd".
std::string_view without_ending(std::string_view word) {
  for (const std::string_view ending : {"st", "nd", "rd", "th"}) {
    const bool ordinal = word.size() > 2 && word.ends_with(ending) && is_digit(word[0]);
    if (ordinal) return word.substr(0, word.size() - 2);
  }
  return word;
}

}  // namespace

std::vector<SaidWord> said_words(std::string_view request) {
  std::vector<SaidWord> out;
  for (std::size_t at = 0; at < request.size(); ++at) {
    if (!is_of_word(request[at])) continue;
    std::size_t end = at + 1;
    while (end < request.size()) {
      const bool joins = std::string_view(".,:").find(request[end]) != std::string_view::npos &&
                         is_digit(request[end - 1]) && end + 1 < request.size() &&
                         is_digit(request[end + 1]);
      if (!is_of_word(request[end]) && !joins) break;
      ++end;
    }
    out.push_back({lower_case(request.substr(at, end - at)), at, end});
    at = end;
  }
  return out;
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> out;
  bool inside = false;
  for (const char sign : lower_case(text)) {
    if (is_of_word(sign) && !inside) out.emplace_back();
    inside = is_of_word(sign);
    if (inside) out.back() += sign;
  }
  return out;
}

std::optional<double> number_said(std::string_view word) {
  if (const Number* const number = kNumbers.find(word)) return number->number;
  std::string digits(without_ending(word));
  std::erase(digits, ',');
  return digits.empty() || !is_digit(digits[0]) ? std::nullopt : read_real(digits);
}

std::optional<int> whole_number(std::string_view word) {
  const std::string_view digits = without_ending(word);
  if (digits.empty() || digits.size() > 9 || !std::ranges::all_of(digits, is_digit)) {
    return std::nullopt;
  }
  return std::stoi(std::string(digits));
}

}  // namespace plumbline::agents
